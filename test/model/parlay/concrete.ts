import { NONE } from '../../../src/venue/eventRows.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { commandOf, type ModelCommand, tagOf } from './command.ts'
import type { Intent, IntentKind } from './intents.ts'
import { areLegsDisjoint } from './requests.ts'
import {
  bestQuoteOf, freeOf, lastQuoteOf, type Leg, liveQuotesOf, type Market, openPositions, pendingRequests, type Quote, type Request,
  type State,
} from './state.ts'

/** Accounts that bet and make: two rich, one poor, one that never deposits at first, one with a number far off. */
export const ACCOUNTS = [0, 1, 2, 3, 4, 1_100] as const
const NEVER_NUMBER = 1_000_000

/** Where an intent becomes a command: the model's state at the instant, after its deadlines. */
export interface Scene {
  readonly state: State
  readonly nowUs: number
  readonly profile: ParlayProfile
}

type Fields = readonly [op: number, account: number, fields: Partial<ModelCommand>]

/** The command that an intent means now; null for the kinds that are none. */
export function concrete(intent: Intent, scene: Scene): ModelCommand | null {
  const make = MAKERS[possible(intent, scene)]
  if (make === undefined) return null
  const [op, account, fields] = make(intent, scene)
  return commandOf(op, account, fields)
}

/** Most intents that nothing is there for become the one that makes it: a quote needs a request, a request markets. */
function possible(intent: Intent, scene: Scene): IntentKind {
  const { state } = scene
  if (intent.flaw >= 90) return intent.kind
  const openCount = [...state.requests.values()].filter(isOpen).length
  const hasOpen = openCount > 0
  const hasMany = openCount >= 4
  const hasFault = state.feeFault || state.collateralFault
  const standsIn: Partial<Record<IntentKind, () => IntentKind>> = {
    confirmSelection: () => (pendingRequests(state).length > 0 ? 'confirmSelection' : 'commitRequest'),
    declineSelection: () => (pendingRequests(state).length > 0 ? 'declineSelection' : 'commitRequest'),
    commitRequest: () => (commitable(scene).length > 0 || (intent.flaw >= 66 && intent.flaw < 72) ? 'commitRequest' : 'submitQuote'),
    withdrawQuote: () => (lastQuotes(state).length > 0 ? 'withdrawQuote' : 'submitQuote'),
    submitQuote: () => (!hasOpen ? 'createRequest' : hasFault && intent.flaw < 60 ? 'setFault' : 'submitQuote'),
    updateRequest: () => (hasOpen || intent.flaw >= 60 ? 'updateRequest' : 'createRequest'),
    cancelRequest: () => (hasOpen ? 'cancelRequest' : 'createRequest'),
    createRequest: () => (liveMarkets(scene).length < 5 ? 'listMarket' : hasMany && intent.flaw < 60 ? 'submitQuote' : 'createRequest'),
  }
  const kind = standsIn[intent.kind]?.() ?? intent.kind
  return kind === intent.kind ? kind : possible({ ...intent, kind }, scene)
}

const OPERATOR = 0

const MAKERS: Readonly<Partial<Record<IntentKind, (intent: Intent, scene: Scene) => Fields>>> = {
  createRequest: (intent, scene) => [ParlayOp.createRequest, accountOf(intent), bodyOf(intent, scene)],
  updateRequest(intent, scene) {
    const ended = intent.flaw >= 60 && intent.flaw < 80 ? endedFor(intent, scene) : undefined
    const request = ended ?? requestFor(intent, scene, isOpen)
    const body = bodyOf({ ...intent, flaw: intent.flaw < 85 ? 0 : intent.flaw }, scene)
    const fields = { request: request?.number ?? NEVER_NUMBER, ...body }
    return [ParlayOp.updateRequest, ownerOr(intent, request), intent.flaw === 84 ? { ...fields, request: 0.5 } : fields]
  },
  cancelRequest(intent, scene) {
    const request = requestFor(intent, scene, isOpen)
    const number = request?.number ?? NEVER_NUMBER
    return [ParlayOp.cancelRequest, ownerOr(intent, request), { request: intent.flaw === 99 ? NaN : number }]
  },
  commitRequest,
  submitQuote,
  withdrawQuote,
  confirmSelection: (intent, scene) => answerSelection(ParlayOp.confirmSelection, intent, scene),
  declineSelection: (intent, scene) => answerSelection(ParlayOp.declineSelection, intent, scene),
  deposit(intent, scene) {
    const bad = [0, -5, 1.5, NaN, scene.profile.depositMaxMicros + 1]
    const amountMicros = intent.flaw < 85 ? 1 + intent.amount * 300 : bad[intent.flaw % bad.length]!
    return [ParlayOp.deposit, accountOf(intent), { amountMicros }]
  },
  withdraw(intent, scene) {
    const account = accountOf(intent)
    const free = freeOf(scene.state, account)
    const bad = [0, -1, 0.5, NaN, scene.profile.withdrawMaxMicros + 1]
    const amountMicros = intent.flaw < 40 ? 1 + Math.floor((free * intent.amount) / 4_000_000)
      : intent.flaw < 60 ? Math.max(1, free) : intent.flaw < 85 ? free + 1 : bad[intent.flaw % bad.length]!
    return [ParlayOp.withdraw, account, { amountMicros }]
  },
  listMarket,
  haltMarket: (intent, scene) => [ParlayOp.haltMarket, OPERATOR, { market: marketFor(intent, scene) }],
  resumeMarket(intent, scene) {
    const isHalted = (number: number) => scene.state.markets.get(number)!.halted
    return [ParlayOp.resumeMarket, OPERATOR, { market: marketFor(intent, scene, isHalted) }]
  },
  delistMarket: (intent, scene) => [ParlayOp.delistMarket, OPERATOR, { market: marketFor(intent, scene) }],
  resolveMarket,
  setFees(intent) {
    const rates = [100, 0, 37, 250, 10_000, 100, 333]
    const bad = [-1, 10_001, 0.5, NaN]
    const value = rates[intent.pick % rates.length]!
    const value2 = rates[intent.who % rates.length]!
    const wrong = bad[intent.pick % bad.length]!
    const rateFields = intent.flaw < 90 ? { value, value2 } : intent.flaw < 95 ? { value, value2: wrong } : { value: wrong, value2 }
    return [ParlayOp.setFees, OPERATOR, rateFields]
  },
  setFault(intent, { state }) {
    if (intent.flaw >= 90) {
      const bad = [[0, 0], [3, 1], [1.5, 0], [1, 2], [2, NaN]] as const
      const [value, value2] = bad[intent.pick % bad.length]!
      return [ParlayOp.setFault, OPERATOR, { value, value2 }]
    }
    const on = [...(state.collateralFault ? [1] : []), ...(state.feeFault ? [2] : [])]
    const isSwitchedOn = on.length === 0 || intent.flaw >= 60
    const value = isSwitchedOn ? 1 + (intent.pick % 2) : pickOf(on, intent.pick)!
    return [ParlayOp.setFault, OPERATOR, { value, value2: isSwitchedOn ? 1 : 0 }]
  },
  unknownOp: (intent) => [[0, 8, 19, 22, 34, 44, 99][intent.pick % 7]!, accountOf(intent), { request: 1 }],
}

function commitRequest(intent: Intent, scene: Scene): Fields {
  const { state } = scene
  const ready = commitable(scene)
  const pending = intent.flaw % 10 === 6 ? pickOf(pendingRequests(state), intent.amount) : undefined
  const ended = intent.flaw >= 66 && intent.flaw < 72 ? endedFor(intent, scene) : undefined
  const request = pending ?? ended ?? requestFor(intent, scene, (one) => (intent.flaw < 75 ? ready.includes(one) : isOpen(one)))
  const best = request === undefined ? null : bestQuoteOf(state, request.number)
  const odds = best?.oddsE4 ?? 20_000
  const fields = {
    request: request?.number ?? NEVER_NUMBER, version: request?.version ?? 1, quote: best?.number ?? 1, bookSeq: request?.bookSeq ?? 0,
    oddsE4: intent.amount % 4 === 0 ? odds : Math.max(10_001, Math.floor(odds / (1 + (intent.amount % 3)))),
    list: intent.amount % 5 === 4 ? [accountOf(intent), NEVER_NUMBER, accountOf(intent)] : [],
  }
  const flaws: Partial<ModelCommand>[] = [
    { version: fields.version + 1 }, { version: 0 }, { quote: 0 }, { quote: NEVER_NUMBER }, { bookSeq: NONE }, { oddsE4: 10_000 },
    { oddsE4: odds + 1 }, { oddsE4: 20_000_000 }, { oddsE4: 20_000.5 }, { request: 1.5 }, { version: NaN }, { bookSeq: 0 },
    { list: liveQuotesOf(state, fields.request).map((quote) => quote.maker) }, { list: best === null ? [] : [best.maker] },
  ]
  return [ParlayOp.commitRequest, ownerOr(intent, request), { ...fields, ...flawOf(intent, 75, flaws) }]
}

function submitQuote(intent: Intent, scene: Scene): Fields {
  const { profile } = scene
  const request = requestFor(intent, scene, isOpen)
  const validities = [NONE, profile.quoteValidityMinMs, 15_000, 7_000, profile.quoteValidityMaxMs]
  const steps = [10_001, 15_000, 20_000, 20_000, 25_000, 33_333, 40_000, 123_457]
  const fields = {
    request: request?.number ?? NEVER_NUMBER, version: request?.version ?? 1,
    contentTag: request === undefined ? 0 : tagOf(request.legs, request.betMicros),
    oddsE4: steps[intent.amount % steps.length]!, validMs: validities[intent.pick % validities.length]!,
  }
  const flaws: Partial<ModelCommand>[] = [
    { version: fields.version + 1 }, { version: 0 }, { version: 1.5 }, { contentTag: fields.contentTag + 1 }, { contentTag: NONE },
    { contentTag: NaN }, { oddsE4: 10_000 }, { oddsE4: profile.oddsE4Max }, { oddsE4: profile.oddsE4Max + 1 }, { oddsE4: 20_000.5 },
    { validMs: profile.quoteValidityMinMs - 1 }, { validMs: profile.quoteValidityMaxMs + 1 }, { validMs: 0 }, { validMs: 7_000.5 },
    { request: 0.5 }, { request: 0 }, { version: Math.max(1, fields.version - 1) },
  ]
  return [ParlayOp.submitQuote, accountOf(intent), { ...fields, ...flawOf(intent, 80, flaws) }]
}

function withdrawQuote(intent: Intent, scene: Scene): Fields {
  const { state } = scene
  const wanted = intent.pick % 4 === 3 ? QuoteState.expired : QuoteState.live
  const last = lastQuotes(state)
  const candidates = last.filter((quote) => quote.state === wanted && state.requests.get(quote.request)!.state === RequestState.active)
  const quote = pickOf(intent.flaw < 85 && candidates.length > 0 ? candidates : last, intent.pick)
  const request = quote === undefined ? undefined : state.requests.get(quote.request)!
  const fields = {
    request: request?.number ?? NEVER_NUMBER,
    version: intent.amount % 2 === 0 || request === undefined ? NONE : request.version,
    contentTag: intent.amount % 3 === 0 || request === undefined ? NONE : tagOf(request.legs, request.betMicros),
  }
  const flaws: Partial<ModelCommand>[] = [
    { version: 0 }, { version: -2 }, { version: 0.5 }, { version: (request?.version ?? 1) + 1 }, { contentTag: 1 }, { contentTag: -2 },
    { request: NaN }, { request: NEVER_NUMBER },
  ]
  const maker = intent.flaw >= 95 ? accountOf(intent) : quote?.maker ?? accountOf(intent)
  return [ParlayOp.withdrawQuote, maker, { ...fields, ...(intent.flaw < 95 ? flawOf(intent, 80, flaws) : {}) }]
}

function answerSelection(op: number, intent: Intent, { state }: Scene): Fields {
  const request = pickOf(pendingRequests(state), intent.pick)
  if (request === undefined || intent.flaw >= 97) {
    const quote = pickOf([...state.quotes.values()], intent.pick)
    return [op, quote?.maker ?? accountOf(intent), { request: quote?.request ?? NEVER_NUMBER, quote: quote?.number ?? 1 }]
  }
  const quote = state.quotes.get(request.selection.quote)!
  const flaws: Partial<ModelCommand>[] = [
    { quote: quote.number + 1 }, { quote: NONE }, { quote: 0.5 }, { request: NEVER_NUMBER }, { request: NaN },
  ]
  const maker = intent.flaw >= 93 ? accountOf(intent) : quote.maker
  return [op, maker, { request: request.number, quote: quote.number, ...(intent.flaw < 93 ? flawOf(intent, 85, flaws) : {}) }]
}

function listMarket(intent: Intent, { state, nowUs }: Scene): Fields {
  const known = [...state.markets.keys()]
  const open = [...state.markets.values()].filter((market) => market.result === NONE)
  const isFresh = open.length < 6 || intent.flaw < 30
  const listedBefore = intent.flaw < 80 && open.length > 0 ? open.map((one) => one.number) : known
  const market = isFresh ? Math.max(-1, ...known) + 1 : pickOf(listedBefore, intent.pick)!
  const lifeUs = intent.amount % 7 === 6 ? intent.amount : 30_000_000 + intent.amount * 300
  const fields = { market, closeUs: nowUs + 1 + lifeUs, list: keysOf(intent) }
  const flaws: Partial<ModelCommand>[] = [
    { market: NONE }, { market: 1_048_576 }, { market: 0.5 }, { closeUs: 0 }, { closeUs: -1 }, { closeUs: nowUs + 0.5 }, { closeUs: NaN },
    { closeUs: 1 },
  ]
  return [ParlayOp.listMarket, OPERATOR, { ...fields, ...flawOf(intent, 90, flaws) }]
}

function resolveMarket(intent: Intent, scene: Scene): Fields {
  const unresolved = (leg: Leg) => scene.state.markets.get(leg.market)!.result === NONE
  const traded = [...openPositions(scene.state), ...pendingRequests(scene.state)]
  const legs = traded.flatMap(({ legs }) => legs).filter(unresolved)
  const leg = pickOf(legs, intent.pick)
  if (leg !== undefined && intent.flaw < 70) {
    const value = intent.amount % 10 < 7 ? leg.side : intent.amount % 10 < 9 ? 1 - leg.side : 2
    return [ParlayOp.resolveMarket, OPERATOR, { market: leg.market, value }]
  }
  const value = intent.flaw >= 92 ? [-1, 3, 0.5, NaN][intent.pick % 4]! : intent.amount % 3
  return [ParlayOp.resolveMarket, OPERATOR, { market: marketFor(intent, scene), value }]
}

/** Exclusion keys from a small set, so that markets often share one. */
function keysOf(intent: Intent): number[] {
  const keys = [intent.who % 9, intent.pick % 9, intent.who % 9]
  return keys.slice(0, intent.amount % 4)
}

/** Legs and bet: disjoint legs on live markets while the intent has no flaw. */
function bodyOf(intent: Intent, scene: Scene): Partial<ModelCommand> {
  const { state, profile } = scene
  const live = liveMarkets(scene)
  const sideOf = (i: number) => (intent.amount >> i) & 1
  const wanted = profile.legsMin + (intent.amount % 2)
  const legs: Leg[] = []
  for (let i = 0; i < live.length && legs.length < wanted; i++) {
    const leg = { market: live[(intent.pick + i) % live.length]!.number, side: sideOf(i) }
    if (areLegsDisjoint(state, [...legs, leg])) legs.push(leg)
  }
  const whole = Math.min(profile.betMaxMicros, Math.max(profile.betMinMicros, freeOf(state, accountOf(intent))))
  const bets = [1_000_000, 5_000_000, 25_000_000, 1_000_001 + intent.amount, 100_000_000, 12_345_679, whole]
  const fields = { legs, betMicros: bets[intent.who % bets.length]! }
  const any = [...state.markets.keys()]
  const stride = 1 + (intent.who % 3)
  const randomLegs = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ market: pickOf(any, intent.pick + i * stride) ?? 0, side: sideOf(i) }))
  const first = legs.slice(0, 1)
  const flaws: Partial<ModelCommand>[] = [
    { legs: first },
    { legs: randomLegs(2) }, { legs: randomLegs(3) }, { legs: randomLegs(4) }, { legs: randomLegs(5) }, { legs: randomLegs(6) },
    { legs: [...legs, { market: 999, side: 0 }] }, { legs: [...legs, { market: NONE, side: 1 }] },
    { legs: legs.map((leg) => ({ ...leg, side: 2 })) }, { legs: [...first, ...first] },
    { legs: [...first, ...first.map((leg) => ({ ...leg, side: 1 - leg.side }))] },
    { betMicros: profile.betMinMicros - 1 }, { betMicros: profile.betMaxMicros + 1 }, { betMicros: 5_000_000.5 }, { betMicros: NaN },
  ]
  return { ...fields, ...flawOf(intent, 80, flaws) }
}

/** The flaw that the intent has from `threshold` on, if any. */
const flawOf = (intent: Intent, threshold: number, flaws: readonly Partial<ModelCommand>[]): Partial<ModelCommand> =>
  intent.flaw < threshold ? {} : flaws[(intent.flaw + intent.pick) % flaws.length]!

const liveMarkets = ({ state, nowUs }: Scene): Market[] =>
  [...state.markets.values()].filter((one) => one.listed && one.result === NONE && nowUs < one.closeUs && !one.halted)

/** Requests whose best quote a commit would select. */
const commitable = (scene: Scene): Request[] => {
  const { state } = scene
  const live = new Set(liveMarkets(scene).map((market) => market.number))
  return [...state.requests.values()].filter((request) => {
    const best = bestQuoteOf(state, request.number)
    return isOpen(request) && best !== null && request.legs.every((leg) => live.has(leg.market)) &&
      freeOf(state, request.owner) >= request.betMicros && freeOf(state, best.maker) >= best.riskMicros
  })
}

/** Each maker's last quote on each request. */
const lastQuotes = (state: State): Quote[] =>
  [...state.quotes.values()].filter((quote) => lastQuoteOf(state, quote.request, quote.maker) === quote)

const isOpen = (request: Request): boolean => request.state === RequestState.active && request.selection === null

/** A request that is fit, when none is any; now and then one that has ended. */
function requestFor(intent: Intent, scene: Scene, isFit: (request: Request) => boolean): Request | undefined {
  const all = [...scene.state.requests.values()]
  const fit = all.filter(isFit)
  if (intent.flaw % 8 === 7) return endedFor(intent, scene) ?? pickOf(all, intent.pick)
  return pickOf(fit.length > 0 ? fit : all, intent.pick)
}

/** A known request that has ended, most often not by expiry, if there is such a one. */
function endedFor(intent: Intent, { state }: Scene): Request | undefined {
  const { committed, cancelled, expired } = RequestState
  const ended = [committed, committed, cancelled, cancelled, expired]
    .map((end) => [...state.requests.values()].filter((request) => request.state === end))
    .filter((some) => some.length > 0)
  return pickOf(pickOf(ended, intent.amount) ?? [], intent.pick)
}

function marketFor(intent: Intent, { state }: Scene, isWanted: (number: number) => boolean = () => true): number {
  if (intent.flaw >= 96) return [NONE, 500_000, 0.5, NaN][intent.pick % 4]!
  const all = [...state.markets.keys()]
  const open = all.filter((number) => state.markets.get(number)!.listed && state.markets.get(number)!.result === NONE)
  const wanted = open.filter(isWanted)
  return pickOf(intent.flaw >= 80 ? all : wanted.length > 0 ? wanted : open, intent.pick) ?? 0
}

/** The rich accounts act more often. */
const ACTORS = [0, 1, 2, 3, 0, 1, 2, 4, 3, 1_100] as const

const accountOf = (intent: Intent): number => ACTORS[intent.who % ACTORS.length]!

const ownerOr = (intent: Intent, request: Request | undefined): number =>
  request === undefined || intent.flaw % 25 === 24 ? accountOf(intent) : request.owner

const pickOf = <T>(items: readonly T[], pick: number): T | undefined => (items.length === 0 ? undefined : items[pick % items.length])
