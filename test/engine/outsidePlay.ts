import type { Latency } from '../../src/agent/latency.ts'
import { Action, Refusal } from '../../src/agent/vocabulary.ts'
import type { MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import type { ExternalCall } from '../../src/engine/externalCalls.ts'
import * as outcome from '../../src/engine/outcome/translation.ts'
import * as parlay from '../../src/engine/parlay/translation.ts'
import { Session } from '../../src/engine/session.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import type { Sink } from '../../src/record/sink.ts'
import { externalMaker, type SeatMessage } from '../../src/scenario/externalSeats.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { type Row, rowAs } from '../../src/venue/eventCells.ts'
import type { EventRows } from '../../src/venue/eventRows.ts'
import { OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import * as outcomeRows from '../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../src/venue/outcome/protocol/profile.ts'
import * as parlayRows from '../../src/venue/parlay/protocol/events.ts'
import { hearing } from './hearing.ts'
import { OutcomeWords, PARLAY_WORDS, type Words } from './makerWords.ts'
import { type Deed, OutsideMaker, type Told, toldOf } from './outsideMaker.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

/** What an answer tells a maker: numbers that it does not name are NaN. */
export interface ToldAnswer {
  readonly refusal: Refusal
  readonly request: number
  readonly quote: number
  readonly auction: number
}

/** What is particular to a service for makers that play outside in the session's own numbers. */
export interface Dialect {
  readonly service: 'parlay' | 'outcome'
  wordsOf(session: Session, account: number, terms: { readonly latency: Latency; readonly profile: OutcomeProfile | undefined }): Words
  /** What the maker is told, with what its service's messages say besides. */
  toldOf(session: Session, message: SeatMessage): Told
  actionOf(call: ExternalCall, session: Session): Action
  answerOf(rows: EventRows, row: Row, call: ExternalCall, action: Action): ToldAnswer
}

const known = (value: number): number => (value < 0 ? NaN : value)
const numberOf = (view: object, name: string): number => (view as Readonly<Record<string, number | undefined>>)[name] ?? -1

export const PARLAY: Dialect = {
  service: 'parlay',
  wordsOf: () => PARLAY_WORDS,
  toldOf: ({ parlay: played }, message) =>
    toldOf(message, message.kind === 'onRequest' || message.kind === 'onBest' ? played!.venue.view.request(numberOf(message.view, 'request'))?.contentTag ?? -1 : -1),
  actionOf: ({ op }) => parlay.actionOf(op),
  answerOf(rows, anyRow, _, action) {
    const row = anyRow as Row<'parlay.reply'>
    const reply = rowAs(parlayRows.MakerReply, row)
    return {
      refusal: parlay.refusalOf(action, rows.read(row, parlayRows.Reply.code), true),
      request: known(rows.read(row, parlayRows.Reply.request)), quote: known(rows.read(reply, parlayRows.MakerReply.quote)), auction: known(rows.read(reply, parlayRows.MakerReply.auction)),
    }
  },
}

export const OUTCOME: Dialect = {
  service: 'outcome',
  wordsOf: ({ outcome: played }, account, { latency: { submit }, profile }) =>
    new OutcomeWords({ account, profile: profile!, termsTag: played!.termsTag, slowestUs: submit.baseUs + submit.jitterUs }),
  toldOf({ outcome: played }, message) {
    const told = toldOf(message, -1)
    const { view } = played!.venue
    // An auction is told when it begins.
    if (message.kind === 'onCashOut') return { ...told, numbers: { ...told.numbers, version: 1 } }
    if (message.kind !== 'onSelected' && message.kind !== 'onBidTaken') return told
    return { ...told, numbers: { ...told.numbers, selection: view.acceptanceOfQuote(message.view.quote)?.number ?? -1 } }
  },
  actionOf({ op, fields }, { outcome: played }) {
    const { view } = played!.venue
    const rfq = fields['rfq'] ?? view.quote(fields['quote'] ?? -1)?.rfq ?? -1
    return outcome.actionOf(op, (view.rfq(rfq)?.position ?? -1) >= 0)!
  },
  answerOf(rows, anyRow, { fields }, action) {
    const row = anyRow as Row<'outcome.reply'>
    const code = rows.read(row, outcomeRows.Reply.code)
    const field = code === OutcomeCode.invalidRequest ? rows.read(rowAs(outcomeRows.FieldRefusal, row), outcomeRows.FieldRefusal.invalidField) : -1
    const rfq = fields['rfq'] ?? NaN
    return {
      refusal: outcome.refusalOf(action, code, true, field), quote: known(rows.read(rowAs(outcomeRows.MakerReply, row), outcomeRows.MakerReply.quote)),
      request: action === Action.submitBid ? NaN : rfq, auction: action === Action.submitBid ? rfq : NaN,
    }
  },
}

/** Plays a session with its makers outside: the loop stands at each message for one of them, and what it does comes back as calls. Returns how many turns each had. */
export function playedOutside(
  { service, wordsOf, toldOf: told, actionOf, answerOf }: Dialect, configOf: (entries: readonly MakerEntry[]) => SessionConfig, entries: readonly MakerEntry[], sinks: readonly Sink[], chunk = 7,
): number[] {
  let waiting: { readonly seat: number; readonly deeds: () => readonly Deed[] } | null = null
  const turns = entries.map(() => 0)
  const begin = (seat: number, deeds: () => readonly Deed[]): void => {
    if (waiting !== null) throw new Error('one turn at a time')
    waiting = { seat, deeds }
    turns[seat]!++
    session.beginTurn(service)
  }
  const hear = (seat: number) => (message: SeatMessage): void => {
    const what = told(session, message)
    begin(seat, () => makers[seat]!.hear(what))
  }
  const config = configOf(entries.map((entry, seat) => ({ ...entry, strategy: externalMaker(hear(seat)) })))
  const results = new PublishedResults(config.marketCount)
  const session: Session = new Session({ ...config, sinks: [...sinks, hearing(results)] })
  const accountOf = (seat: number): number => session[service]!.desks()[seat]!.account
  const makers = entries.map((entry, seat) => new OutsideMaker({
    name: entry.name, seed: config.seed, strategy: entry.strategy, values: entry.values, capitalMicros: entry.capitalMicros, feedUs: entry.latency.feedUs,
    ticks: wholeTicks(config.ticks), marketCount: config.marketCount, results, words: wordsOf(session, accountOf(seat), { latency: entry.latency, profile: config.outcome?.profile }),
  }))
  const act = (seat: number, deed: Deed): void => {
    if ('wakeUs' in deed) return session.wake(deed.wakeUs, () => begin(seat, () => makers[seat]!.hear(deed.told)))
    const action = actionOf(deed.call, session)
    let answer: ToldAnswer = { refusal: Refusal.none, request: NaN, quote: NaN, auction: NaN }
    session.sendCall(service, accountOf(seat), deed.call, {
      answered: (rows, row) => { answer = answerOf(rows, row, deed.call, action) },
      told: () => begin(seat, () => makers[seat]!.answered(session.nowUs, action, answer.refusal, answer.request, answer.quote, answer.auction)),
    })
  }
  for (;;) {
    const more = session.run(chunk)
    if (waiting !== null) {
      const { seat, deeds } = waiting as { seat: number; deeds: () => readonly Deed[] }
      waiting = null
      for (const deed of deeds()) act(seat, deed)
      session.endTurn(NEVER_US)
    } else if (!more) return turns
  }
}
