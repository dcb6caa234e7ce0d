import { NONE } from '../../../src/unit/none.ts'
import { KEY_MAX, OutcomeFault, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import { areInForce } from './acceptances.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { netStakeOf } from './money.ts'
import { usOfMs } from './numbers.ts'
import { isOpenToFill } from './openOutcomes.ts'
import {
  type Fields, flawOf, makerOf, NEVER_NUMBER, openOutcomes, ownerOr, participantOf, pickOf, type Scene, secondAfter, secondBefore,
} from './scene.ts'
import { acceptanceTag, quoteSignerOf } from './signatures.ts'
import {
  coreOf, freeOf, isCashOut, isFaultOn, isLive, isUnresolved, itemsOf, type Leg, type Position, type Quote, type Rfq, type State,
} from './state.ts'

/** Commands of those who ask and accept that intents become. */

export function createRfq(intent: Intent, scene: Scene): Fields {
  const { state, profile } = scene
  const account = participantOf(intent, scene)
  const open = openOutcomes(scene)
  const sideOf = (i: number) => (intent.amount >> i) & 1
  const wanted = profile.legsMin + (intent.amount % 3 === 0 ? 1 : 0)
  const from = intent.pick % Math.max(1, open.length - wanted + 1)
  const legs = open.slice(from, from + wanted).map(({ number }, i): Leg => ({ outcome: number, side: sideOf(i) }))
  const least = leastStakeOf(state.takerFeeBps, profile.netStakeMinMicros)
  const stakes = [25_000_000, 5_000_000, least, 100_000_000, 2_000_000 + intent.amount, Math.max(least, freeOf(state, account)), 12_345_679]
  const fields = { legs, stakeMicros: Math.max(least, stakes[intent.who % stakes.length]!) }
  const any = itemsOf(state.outcomes).map((outcome) => outcome.number)
  const first = legs.slice(0, 1)
  const many = Array.from({ length: 51 }, () => first).flat()
  const flaws: Partial<ModelCommand>[] = [
    { stakeMicros: least - 1 }, { stakeMicros: 0 }, { stakeMicros: 1e15 + 1 }, { stakeMicros: 25_000_000.5 }, { stakeMicros: NaN },
    { legs: [] }, { legs: many }, { legs: open.slice(0, profile.legsMax + 1).map(({ number }) => ({ outcome: number, side: 1 })) },
    { legs: open.map(({ number }) => ({ outcome: number, side: 0 })).toReversed() }, { legs: [...legs, ...first] },
    { legs: [...legs, { outcome: 999, side: 0 }] }, { legs: [{ outcome: NONE, side: 1 }, ...legs] },
    { legs: legs.map((leg) => ({ ...leg, side: 2 })) }, { legs: [...first, ...first.map((leg) => ({ ...leg, side: 1 - leg.side }))] },
    { legs: any.slice(intent.who % 3).map((outcome) => ({ outcome, side: 1 })).slice(0, Math.max(2, profile.legsMin)) },
    { legs: [{ outcome: pickOf(any, intent.amount) ?? 0, side: 0 }, ...legs.slice(1)] },
  ]
  return [OutcomeOp.createRfq, intent.flaw % 25 === 24 ? makerOf(intent, scene) : account, { ...fields, ...flawOf(intent, 80, flaws) }]
}

/** The smallest stake whose net stake is at least so much; a fee of everything has none. */
export function leastStakeOf(takerFeeBps: number, netStakeMinMicros: number): number {
  if (takerFeeBps === 10_000) return netStakeMinMicros
  let stakeMicros = Math.max(1, Math.floor((netStakeMinMicros * 10_000) / (10_000 - takerFeeBps)) - 2)
  while (netStakeOf(stakeMicros, takerFeeBps) < netStakeMinMicros) stakeMicros++
  return stakeMicros
}

export function cancelRfq(intent: Intent, scene: Scene): Fields {
  const all = itemsOf(scene.state.rfqs)
  const open = all.filter((rfq) => rfq.state === RfqState.open)
  const rfq = pickOf(intent.flaw < 70 && open.length > 0 ? open : all, intent.pick)
  const number = intent.flaw === 99 ? 0.5 : intent.flaw === 98 ? 1e300 : intent.flaw === 97 ? NaN : rfq?.number ?? NEVER_NUMBER
  return [OutcomeOp.cancelRfq, ownerOr(intent, rfq?.owner, participantOf(intent, scene)), { rfq: number }]
}

/** Positions for which a cash-out RFQ can be opened now. */
export const sellable = ({ state }: Scene): Position[] => itemsOf(state.positions, ({ closing, settlesAtUs, lastRfq }) => {
  const last = state.rfqs.get(lastRfq)
  return !closing && settlesAtUs === null && (last === undefined || !isUnresolved(last))
})

export function openCashout(intent: Intent, scene: Scene): Fields {
  const ready = sellable(scene)
  const position = pickOf(intent.flaw < 75 && ready.length > 0 ? ready : itemsOf(scene.state.positions), intent.pick)
  const fields = { position: position?.number ?? NEVER_NUMBER }
  const flaws: Partial<ModelCommand>[] = [{ position: NaN }, { position: 0.5 }, { position: 1e300 }, { position: NEVER_NUMBER }]
  return [OutcomeOp.openCashout, ownerOr(intent, position?.holder, makerOf(intent, scene)), { ...fields, ...flawOf(intent, 95, flaws) }]
}

/** Live quotes that their taker could accept now, fault aside. */
export const acceptable = (scene: Scene): Quote[] => {
  const { state, nowUs, profile } = scene
  const isFit = (rfq: Rfq): boolean => rfq.state !== RfqState.inFlight && !(profile.strictWindow === 1 && nowUs >= rfq.openUntilUs) &&
    (isCashOut(rfq) || (rfq.legs.every((leg) => isOpenToFill(state, leg, nowUs)) && freeOf(state, rfq.owner) >= rfq.stakeMicros))
  return itemsOf(state.quotes, (quote) => quote.state === QuoteState.live && freeOf(state, quote.maker) >= quote.riskMicros &&
    quoteSignerOf(state, quote.maker) === quote.signer && isFit(state.rfqs.get(quote.rfq)!) &&
    (isCashOut(state.rfqs.get(quote.rfq)!) || areInForce(state, quote)))
}

export function acceptQuote(intent: Intent, scene: Scene): Fields {
  const { state, nowUs, profile } = scene
  const quote = quoteToAccept(intent, scene)
  const rfq = quote === undefined ? undefined : state.rfqs.get(quote.rfq)
  const account = ownerOr(intent, rfq?.owner, participantOf(intent, scene))
  const generations = [NONE, rfq?.generation ?? 1]
  const fields = {
    key: freshKeyOf(intent, state, account), quote: quote?.number ?? NEVER_NUMBER, generation: generations[intent.pick % 2]!,
    ...fundingOf(intent, scene, rfq),
  }
  const usedKeys = [...state.acceptKeys.keys()].filter((key) => key.startsWith(`${account}/`)).map((key) => Number(key.split('/')[1]))
  const stake = rfq?.stakeMicros ?? 1
  const { validAfterS, validBeforeS } = fields
  const flaws: Partial<ModelCommand>[] = [
    { key: NONE }, { key: -2 }, { key: 0 }, { key: 0.5 }, { key: NaN }, { key: KEY_MAX + 1 }, { key: pickOf(usedKeys, intent.amount) ?? 1 },
    { key: pickOf(usedKeys, intent.amount) ?? 1 }, { quote: 0.5 }, { quote: NaN }, { generation: 0 }, { generation: 0.5 }, { generation: -2 },
    { generation: Math.max(1, (rfq?.generation ?? 1) - 1) }, { generation: (rfq?.generation ?? 1) + 1 },
    { coreMicros: stake + 1 }, { coreMicros: -2 }, { coreMicros: 0.5 }, { coreMicros: NaN }, { validAfterS: NONE }, { validAfterS: 0.5 },
    { validAfterS: secondBefore(nowUs) + 1 }, { validBeforeS: secondAfter(nowUs + usOfMs(profile.fundingAheadMinMs)) - 1 },
    { validBeforeS: validAfterS + secondBefore(usOfMs(profile.fundingSpanMaxMs)) + 1 }, { validBeforeS: NaN },
    { validBeforeS: validBeforeS + 0.5 },
  ]
  const sent = { ...fields, ...flawOf(intent, 84, flaws) }
  const tag = quote === undefined || rfq === undefined ? 0 : acceptanceTag(state, rfq, quote, sent)
  return [OutcomeOp.acceptQuote, account, { ...sent, ...signed(intent, account, tag) }]
}

function quoteToAccept(intent: Intent, scene: Scene): Quote | undefined {
  const { state } = scene
  const ready = acceptable(scene)
  const busy = ready.filter((quote) => coreOf(state, state.rfqs.get(quote.rfq)!.owner) !== 'idle')
  if (intent.flaw >= 45 && intent.flaw < 55 && busy.length > 0) return pickOf(busy, intent.pick)
  const cashouts = ready.filter((quote) => isCashOut(state.rfqs.get(quote.rfq)!))
  if (intent.flaw < 62 && ready.length > 0) return pickOf(cashouts.length > 0 && intent.amount % 2 === 0 ? cashouts : ready, intent.pick)
  const all = itemsOf(state.quotes)
  if (intent.flaw >= 62 && intent.flaw < 66) {
    const stuck = all.filter((quote) => isLive(quote) && !ready.includes(quote))
    const short = stuck.filter(({ maker, riskMicros }) => freeOf(state, maker) < riskMicros)
    return pickOf(short.length > 0 && intent.amount % 2 === 0 ? short : stuck, intent.pick) ?? pickOf(all, intent.pick)
  }
  if (intent.flaw >= 66 && intent.flaw < 74) {
    const ends = [QuoteState.expired, QuoteState.cancelled, QuoteState.replaced, QuoteState.failed, QuoteState.dead, QuoteState.filled]
    return pickOf(all.filter((quote) => quote.state === ends[intent.amount % ends.length]), intent.pick) ?? pickOf(all, intent.pick)
  }
  return pickOf(all.filter((quote) => quote.state === QuoteState.live), intent.pick) ?? pickOf(all, intent.pick)
}

/** A key that the account has not used; the highest now and then. */
function freshKeyOf(intent: Intent, state: State, account: number): number {
  if (intent.amount % 50 === 49 && !state.acceptKeys.has(`${account}/${KEY_MAX}`)) return KEY_MAX
  let key = 1 + (intent.amount % 1_000)
  while (state.acceptKeys.has(`${account}/${key}`)) key++
  return key
}

/** Where the stake comes from, and since and until when it can be taken, mostly at the edges. */
function fundingOf(intent: Intent, scene: Scene, rfq: Rfq | undefined) {
  const { nowUs, profile, state } = scene
  const nowS = secondBefore(nowUs)
  const validAfterS = Math.max(0, [nowS, nowS, nowS - 1, 0][intent.pick % 4]!)
  const leastS = secondAfter(nowUs + usOfMs(profile.fundingAheadMinMs))
  const recentS = validAfterS === 0 ? nowS : validAfterS
  const mostS = recentS + secondBefore(usOfMs(profile.fundingSpanMaxMs))
  const validBeforeS = [mostS, leastS, leastS + 1, mostS][intent.amount % 4]!
  const stake = rfq === undefined ? 1 : rfq.stakeMicros
  const free = rfq === undefined ? 0 : freeOf(state, rfq.owner)
  const isIdle = rfq !== undefined && coreOf(state, rfq.owner) === 'idle' && !isFaultOn(state, OutcomeFault.coreFundingUnavailable)
  const cores = [NONE, 0, 1, stake, Math.floor(stake / 2), Math.max(0, stake - free), Math.max(0, stake - free - 1), -0]
  const wanted = cores[intent.who % cores.length]!
  const isFree = isIdle || intent.flaw >= 55
  const coreMicros = !isFree && intent.flaw < 45 ? NONE : Math.max(isFree ? NONE : 1, Math.min(wanted, stake))
  return { coreMicros, validAfterS: recentS, validBeforeS }
}

/** Signed by the authority, now and then by another or for other terms. */
export const signed = (intent: Intent, authority: number, termsTag: number): Partial<ModelCommand> => {
  const flaws = [
    { signer: NONE }, { signer: authority + 1 }, { signer: 901 }, { termsTag: termsTag + 1 }, { termsTag: NONE }, { signer: NaN },
    { signer: 0.5 }, { termsTag: NaN },
  ]
  const isFlawed = intent.flaw % 10 === 9 && intent.flaw > 60
  return { signer: authority, termsTag, ...(isFlawed ? flaws[intent.amount % flaws.length] : {}) }
}
