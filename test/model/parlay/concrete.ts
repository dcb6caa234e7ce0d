import { NONE } from '../../../src/unit/none.ts'
import { ParlayFault, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { commandOf, type ModelCommand, tagOf } from './command.ts'
import * as cashout from './concreteCashOut.ts'
import * as funds from './concreteFunds.ts'
import * as operator from './concreteOperator.ts'
import type { Intent, IntentKind } from './intents.ts'
import { areLegsDisjoint } from './requests.ts'
import {
  accountOf, commitable, endedFor, type Fields, flawOf, isOpen, lastQuotes, liveMarkets, NEVER_NUMBER, ownerOr, pickOf, requestFor,
  type Scene,
} from './scene.ts'
import { bestQuoteOf, chainFaultOf, freeOf, isFaultOn, isFenced, type Leg, liveQuotesOf, pendingRequests } from './state.ts'

/** Accounts that do not exist, or are nobody's. */
const STRANGERS = [-1, -2, 16_777_216, 400_000_000, 1e300, 0.5, NaN, Infinity]

/** The command that an intent means now; null for the kinds that are none. */
export function concrete(intent: Intent, scene: Scene): ModelCommand | null {
  const make = MAKERS[possible(intent, scene)]
  if (make === undefined) return null
  const [op, account, fields] = make(intent, scene)
  return commandOf(op, intent.flaw >= 97 && intent.who % 8 === 7 ? STRANGERS[intent.amount % STRANGERS.length]! : account, fields)
}

/** Most intents that nothing is there for become the one that makes it: a quote needs a request, a request markets. */
function possible(intent: Intent, scene: Scene): IntentKind {
  const { state } = scene
  if (intent.flaw >= 90) return intent.kind
  const openCount = [...state.requests.values()].filter(isOpen).length
  const hasOpen = openCount > 0
  const hasMany = openCount >= 4
  const { collateralUnavailable, feeUnavailable, chainDisabled } = ParlayFault
  const hasFault = [collateralUnavailable, feeUnavailable, chainDisabled].some((fault) => isFaultOn(state, fault))
  const hasChainFault = chainFaultOf(state) !== null
  const standsIn: Partial<Record<IntentKind, () => IntentKind>> = {
    confirmSelection: () => (pendingRequests(state).length > 0 ? 'confirmSelection' : 'commitRequest'),
    declineSelection: () => (pendingRequests(state).length > 0 ? 'declineSelection' : 'commitRequest'),
    commitRequest: () => (commitable(scene).length > 0 || (intent.flaw >= 66 && intent.flaw < 72) ? 'commitRequest' : 'submitQuote'),
    withdrawQuote: () => (lastQuotes(state).length > 0 ? 'withdrawQuote' : 'submitQuote'),
    submitQuote: () => (!hasOpen ? 'createRequest' : hasFault && intent.flaw < 60 ? 'setFault' : 'submitQuote'),
    updateRequest: () => (hasOpen || intent.flaw >= 60 ? 'updateRequest' : 'createRequest'),
    cancelRequest: () => (hasOpen ? 'cancelRequest' : 'createRequest'),
    openCashout: () => (cashout.biddable(scene).length > 1 && intent.flaw < 40 ? 'submitBid'
      : cashout.sellable(scene).length > 0 || intent.flaw >= 75 ? 'openCashout' : 'confirmSelection'),
    submitBid: () => (cashout.biddable(scene).length > 0 || (intent.flaw >= 60 && intent.flaw < 67) ? 'submitBid' : 'openCashout'),
    commitCashout: () => (hasChainFault && intent.flaw < 50 ? 'setFault'
      : (intent.flaw < 70 ? cashout.soldByCommit(scene) : cashout.salable(scene)).length > 0 ? 'commitCashout'
        : intent.flaw >= 62 && intent.flaw < 67 ? 'commitCashout' : 'submitBid'),
    cancelCashout: () => (cashout.activeAuctions(state).length > 0 || intent.flaw >= 60 ? 'cancelCashout' : 'openCashout'),
    createRequest: () => (liveMarkets(scene).length < 5 ? 'listMarket' : hasMany && intent.flaw < 60 ? 'submitQuote' : 'createRequest'),
  }
  const kind = standsIn[intent.kind]?.() ?? intent.kind
  return kind === intent.kind ? kind : possible({ ...intent, kind }, scene)
}

const MAKERS: Readonly<Partial<Record<IntentKind, (intent: Intent, scene: Scene) => Fields>>> = {
  createRequest: (intent, scene) => [ParlayOp.createRequest, accountOf(intent), bodyOf(intent, scene)],
  updateRequest(intent, scene) {
    const ended = intent.flaw >= 60 && intent.flaw < 80 ? endedFor(intent, scene) : undefined
    const request = ended ?? requestFor(intent, scene, isOpen)
    const body = bodyOf({ ...intent, flaw: intent.flaw < 85 ? 0 : intent.flaw }, scene)
    const fields = { request: request?.number ?? NEVER_NUMBER, ...body }
    return [ParlayOp.updateRequest, ownerOr(intent, request?.owner), intent.flaw === 84 ? { ...fields, request: 0.5 } : fields]
  },
  cancelRequest(intent, scene) {
    const request = requestFor(intent, scene, isOpen)
    const number = request?.number ?? NEVER_NUMBER
    return [ParlayOp.cancelRequest, ownerOr(intent, request?.owner), { request: intent.flaw === 99 ? NaN : number }]
  },
  commitRequest,
  submitQuote,
  withdrawQuote,
  confirmSelection: (intent, scene) => answerSelection(ParlayOp.confirmSelection, intent, scene),
  declineSelection: (intent, scene) => answerSelection(ParlayOp.declineSelection, intent, scene),
  deposit: funds.deposit,
  withdraw: funds.withdraw,
  walletWithdraw: funds.walletWithdraw,
  submitTransaction: funds.submitTransaction,
  openCashout: cashout.openCashout,
  submitBid: cashout.submitBid,
  commitCashout: cashout.commitCashout,
  cancelCashout: cashout.cancelCashout,
  listMarket: operator.listMarket,
  haltMarket: operator.haltMarket,
  resumeMarket: operator.resumeMarket,
  delistMarket: operator.delistMarket,
  resolveMarket: operator.resolveMarket,
  setFees: operator.setFees,
  setFault: operator.setFault,
  setWallet: operator.setWallet,
  unknownOp: (intent) => [[0, 9, 19, 24, 37, 45, 60, 67, 99][intent.pick % 9]!, accountOf(intent), { request: 1 }],
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
    { listCount: Infinity }, { listCount: 3e8 }, { listCount: 1_025 }, { listCount: -1 }, { listCount: 0.5 },
  ]
  return [ParlayOp.commitRequest, ownerOr(intent, request?.owner), { ...fields, ...flawOf(intent, 75, flaws) }]
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
  const account = accountOf(intent)
  const open = [...scene.state.accounts.keys()].filter((one) => !isFenced(scene.state, one))
  const maker = intent.flaw < 70 && isFenced(scene.state, account) ? pickOf(open, intent.who) ?? account : account
  return [ParlayOp.submitQuote, maker, { ...fields, ...flawOf(intent, 80, flaws) }]
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

