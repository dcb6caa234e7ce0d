import { type OfferedIn, offerAt, probabilityGiving, type QuotedPrice } from '../../unit/quotedPrice.ts'
import { ODDS_ONE } from '../../unit/odds.ts'
import { MS_US } from '../../unit/time.ts'
import type { ScriptedLeg } from '../bettors/scripted.ts'
import { maker, type MakerStrategy } from '../maker.ts'
import type { MakerDesk } from '../makerDesk.ts'
import type { RequestView, SelectionView } from '../views.ts'

/** A quote of a log. */
export interface RecordedOffer {
  readonly atUs: number
  readonly price: QuotedPrice
  /** First instant at which it was over; null: the log does not say. */
  readonly untilUs: number | null
}

/** What the maker said when its quote was chosen. */
export interface RecordedAnswer {
  readonly says: 'confirmed' | 'declined' | 'lapsed'
  /** From the selection to the answer. */
  readonly delayUs: number
}

/** What a maker did about one request of a log. */
export interface RecordedQuoting {
  /** What tells the request from others: its instant, its bet and its legs. */
  readonly atUs: number
  readonly betMicros: number
  readonly legs: readonly ScriptedLeg[]
  /** First instant at which the request took no quote any more; null: the log does not say. */
  readonly endUs: number | null
  /** In order of time. */
  readonly offers: readonly RecordedOffer[]
  /** To its selections, in their order. */
  readonly answers: readonly RecordedAnswer[]
}

/** How a service takes quotes. */
export interface QuotingTerms {
  readonly offeredIn: OfferedIn
  /** Shortest and longest validity. */
  readonly validMinUs: number
  readonly validMaxUs: number
  /** A quote is not listed for so long before its end; it is then made to end later, and withdrawn. */
  readonly unlistedUs: number
  /** Longest life of a request. */
  readonly requestLifeUs: number
}

/** It has a log in their place. */
type NoParameters = Readonly<Record<never, never>>

type Act = { readonly atUs: number } & ({ readonly price: QuotedPrice; readonly validUs: number } | { readonly price: null })

const NOTHING_SAID: RecordedAnswer = { says: 'confirmed', delayUs: 0 }

const NO_ACT_LEFT = Number.MAX_SAFE_INTEGER

/** What the maker keeps of a request that is open: which of the log it is, its next act, and its selections so far. */
type Open = [quoting: number, act: number, selections: number]

/**
 * Recorded: quotes what a maker quoted, when it did, and withdraws and answers as it did. Where the log says nothing of a last look, it confirms at
 * once. A quote that the service lets live no longer than its longest validity is made again until its recorded end; one that must live longer than
 * it did is withdrawn. The maker knows a request of the log by instant, bet and legs, so that it needs to be told of it without delay.
 */
export function recordedMaker(log: readonly RecordedQuoting[], terms: QuotingTerms): MakerStrategy<NoParameters> {
  const numbers = new Map<string, number[]>()
  for (const [i, { atUs, betMicros, legs }] of log.entries()) {
    const key = keyOf(atUs, betMicros, legs)
    const others = numbers.get(key)
    if (others === undefined) numbers.set(key, [i])
    else others.push(i)
  }
  return maker({}, () => {
    const seat = new RecordedSeat(log, numbers, terms)
    return {
      state: seat.state,
      onRequest: (request, desk) => { seat.requested(request, desk) },
      onLater: (request, desk) => { seat.act(request, desk) },
      onRequestEnded: (request) => { seat.ended(request) },
      onSelected: (selection, desk) => { seat.selected(selection, desk) },
      onDecision: (selection, desk) => { seat.decide(selection, desk) },
    }
  }, { about: ABOUT })
}

const ABOUT = 'a maker of a recorded log: quotes, withdraws, confirms and declines as it did; needs log and maker beside it'

/** A service may put the legs of a request in an order of its own. */
const keyOf = (atUs: number, betMicros: number, legs: Iterable<ScriptedLeg>): string =>
  `${atUs} ${betMicros} ${[...legs].toSorted((a, b) => a.market - b.market).map(({ market, side }) => `${market}:${side}`).join(' ')}`

const shownLegs = ({ legs }: RequestView): ScriptedLeg[] => Array.from({ length: legs.count }, (_, i) => ({ market: legs.market(i), side: legs.side(i) as 0 | 1 }))

class RecordedSeat {
  /** Open requests by their number, and how many requests of one key have come where there are several. */
  readonly state: { open: { [request: string]: Open }; seen: { [key: string]: number } } = { open: {}, seen: {} }
  private declare readonly log: readonly RecordedQuoting[]
  private declare readonly numbers: ReadonlyMap<string, readonly number[]>
  private declare readonly terms: QuotingTerms

  constructor(log: readonly RecordedQuoting[], numbers: ReadonlyMap<string, readonly number[]>, terms: QuotingTerms) {
    this.log = log
    this.numbers = numbers
    this.terms = terms
  }

  requested(request: RequestView, desk: MakerDesk): void {
    const quoting = this.numberOf(request)
    if (quoting === undefined) return desk.pass('not in the log')
    this.state.open[request.request] = [quoting, 0, 0]
    if (this.log[quoting]!.offers.length === 0) return desk.pass('no quote in the log')
    this.act(request, desk)
  }

  ended(request: RequestView): void {
    const { open } = this.state
    // Its last look may still be under way.
    if (open[request.request]?.[2] === 0) delete open[request.request]
  }

  selected(selection: SelectionView, desk: MakerDesk): void {
    const open = this.state.open[selection.request]
    if (open !== undefined) open[2]++
    const answer = this.answerTo(selection)
    if (answer.delayUs > 0 && answer.says !== 'lapsed') desk.decideLater(selection, answer.delayUs)
    else this.decide(selection, desk)
  }

  decide(selection: SelectionView, desk: MakerDesk): void {
    const { says } = this.answerTo(selection)
    if (says === 'confirmed') {
      desk.confirm(selection)
      // A request that it has filled takes no quote any more, whatever the log has behind the fill.
      const open = this.state.open[selection.request]
      if (open !== undefined) open[1] = NO_ACT_LEFT
    } else if (says === 'declined') desk.decline(selection)
  }

  private answerTo({ request }: SelectionView): RecordedAnswer {
    const open = this.state.open[request]
    return open === undefined ? NOTHING_SAID : this.log[open[0]]!.answers[open[2] - 1] ?? NOTHING_SAID
  }

  private numberOf(request: RequestView): number | undefined {
    const key = keyOf(request.deliveredAtUs, request.betMicros, shownLegs(request))
    const numbers = this.numbers.get(key)
    if (numbers === undefined || numbers.length === 1) return numbers?.[0]
    const { seen } = this.state
    const before = seen[key] ?? 0
    seen[key] = before + 1
    return numbers[before]
  }

  /** Does what is due, and asks to be called for what comes next. */
  act(request: RequestView, desk: MakerDesk): void {
    const open = this.state.open[request.request]
    if (open === undefined) return
    const acts = actsOf(this.log[open[0]]!, this.terms)
    for (; open[1] < acts.length && acts[open[1]]!.atUs <= desk.nowUs; open[1]++) this.perform(acts[open[1]]!, request, desk)
    if (open[1] < acts.length) desk.later(request, acts[open[1]]!.atUs - desk.nowUs)
  }

  private perform(act: Act, request: RequestView, desk: MakerDesk): void {
    if (act.price === null) return desk.withdrawQuote(request)
    const { netStakeMicros } = request
    if (!(netStakeMicros > 0)) return desk.pass('no stake')
    const { offeredIn } = this.terms
    const { oddsE4, payoutMicros } = offerAt(act.price, netStakeMicros, offeredIn)
    const probability = offeredIn === 'odds' ? probabilityGiving(ODDS_ONE, oddsE4) : probabilityGiving(netStakeMicros, payoutMicros)
    desk.quote(request, { probability, validUs: act.validUs })
  }
}

/** What a maker of a log does about a request, in order of time. Every act needs the request to be there still. */
function actsOf({ atUs: beginUs, endUs, offers }: RecordedQuoting, { validMinUs, validMaxUs, unlistedUs, requestLifeUs }: QuotingTerms): Act[] {
  const acts: Act[] = []
  const overUs = Math.min(endUs ?? Infinity, beginUs + requestLifeUs)
  for (const [i, { atUs, price, untilUs }] of offers.entries()) {
    const replacedUs = offers[i + 1]?.atUs ?? Infinity
    const stopUs = Math.min(untilUs ?? Infinity, replacedUs, overUs)
    const longestUs = validMaxUs - unlistedUs
    let fromUs = atUs
    for (; fromUs + longestUs < stopUs; fromUs += longestUs) acts.push({ atUs: fromUs, price, validUs: validMaxUs })
    const wholeUs = Math.ceil(((untilUs ?? overUs) - fromUs) / MS_US) * MS_US + unlistedUs
    const validUs = Math.min(validMaxUs, Math.max(validMinUs, wholeUs))
    acts.push({ atUs: fromUs, price, validUs })
    // What replaces the quote, or ends its request, ends the quote as well.
    if (untilUs === stopUs && untilUs < replacedUs && untilUs < overUs && fromUs + validUs !== untilUs) acts.push({ atUs: untilUs, price: null })
  }
  return acts
}

/** A recorded maker without a log: it knows no request. */
export default recordedMaker([], { offeredIn: 'odds', validMinUs: MS_US, validMaxUs: MS_US, unlistedUs: 0, requestLifeUs: 0 })
