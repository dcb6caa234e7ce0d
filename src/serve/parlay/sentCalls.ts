import { assert } from '../../unit/assert.ts'
import type { LimitView } from '../../venue/callWindows.ts'
import { type Row, rowAs, type RowCells } from '../../venue/eventCells.ts'
import { type EventRows, readCell } from '../../venue/eventRows.ts'
import { PARLAY_CODES, ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { ParlayCommand, ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import { Reply, RequestReply } from '../../venue/parlay/protocol/events.ts'
import { type ErrorAnswer, errorAnswer, errorOfReply } from '../../venue/parlay/wire/errors.ts'
import type { MarketName } from '../../venue/parlay/wire/legBody.ts'
import type { Answer, HeaderPairs } from '../exchange.ts'
import type { HandlerSite } from '../serviceHandler.ts'
import { issuesBehindGate, type Outcome, outcomeOf } from './answers.ts'
import type { Caller } from './caller.ts'
import { Addresses } from '../addresses.ts'
import { answerWith } from '../jsonAnswer.ts'
import { errorOfCode, errorWith, limitPairs } from './edge.ts'
import type { Call } from './calls.ts'
import { DEFAULT_VENUE } from './commands.ts'
import { externalCallOf } from './externalCall.ts'
import type { Incoming } from './incoming.ts'
import type { SentLegs } from './inputLegs.ts'
import { legErrorsOf } from './legErrors.ts'
import type { Served } from './served.ts'

/** What became of an exchange. */
export interface Finished {
  /** Whether the channel that was asked for may be opened. Otherwise the answer stands in its place. */
  readonly mayOpen: boolean
  readonly answer: Answer
  /** Headers that say what the call's limit has left. */
  readonly limits: HeaderPairs
}

type CallsSite = Pick<HandlerSite, 'nowUs' | 'send'>
type Verdict = Omit<Finished, 'limits' | 'answer'> & { readonly answer: (limits: HeaderPairs) => Answer }

/** Refusals of the gate, which come before anything that is wrong with a call. */
const GATE_CODES: ReadonlySet<number> = new Set([ParlayCode.unauthorized, ParlayCode.wrongApiKeyType, ParlayCode.insufficientScope, ParlayCode.rateLimited])
/** Numbers of sources outside of the session begin here: accounts call from addresses of their own, which are smaller. */
const FIRST_SOURCE = 1_000_000_000

const refusal = (error: ErrorAnswer): Verdict => ({ mayOpen: false, answer: (limits) => errorWith(error, limits) })
const opening: Verdict = { mayOpen: true, answer: (limits) => answerWith(200, null, limits) }

/** Where the markets of a call's legs are looked up. */
const venuesOf = ({ body }: Call): readonly MarketName['venue'][] =>
  ((body as { readonly legs?: readonly { readonly venue?: MarketName['venue'] }[] } | null)?.legs ?? []).map(({ venue = DEFAULT_VENUE }) => venue)

/** Exchanges on their way to the service and back. */
export class SentCalls {
  private declare readonly site: CallsSite
  private declare readonly served: Served
  private readonly command = new ParlayCommand()
  private readonly addresses = new Addresses()
  /** What gives up a call that waits. */
  private readonly waiting = new Set<() => void>()

  constructor(site: CallsSite, served: Served) {
    this.site = site
    this.served = served
  }

  /** Sends the command of an exchange, and calls `finish` once, when its answer has come down the way to the client. */
  send(incoming: Incoming, caller: Caller, remote: string, finish: (finished: Finished) => void): void {
    const { site, command, served: { gate } } = this
    incoming.write(command, caller.account)
    command.credential = caller.credential
    if (caller.account < 0) command.source = FIRST_SOURCE + this.addresses.numberOf(remote)
    const sent = externalCallOf(command)
    const legs = this.sentLegs(incoming, caller)
    let limit: LimitView | null = null
    let verdict: Verdict | null = null
    const end = (): void => {
      // A second end is that of an answer that comes after the session was given up.
      if (!this.waiting.delete(end)) return
      const limits = limit === null ? [] : limitPairs(limit, this.served.identity.shiftUs)
      const { mayOpen, answer } = verdict ?? refusal(errorAnswer('SERVICE_UNAVAILABLE'))
      finish({ mayOpen, answer: answer(limits), limits })
    }
    this.waiting.add(end)
    site.send(caller.account, sent, {
      taken: () => { limit ??= gate.lastLimit() },
      answered: (rows: EventRows, row: Row<'parlay.reply'>) => {
        limit ??= gate.lastLimit()
        assert(limit !== null, 'every call counts')
        const reply = rows.rowCells(row)
        if (legs !== null) this.settleLegs(legs, reply)
        verdict = this.verdictOf(incoming, caller, reply, sent.legs!.map(([market]) => market))
      },
      told: end,
    })
  }

  /** The connection of an account's last stream as a maker has ended. */
  closeStream(account: number): void {
    this.site.send(account, { op: ParlayOp.closeStream, fields: {} }, { answered: () => {}, told: () => {} })
  }

  /** The session is over: calls that wait are told that the service is unavailable. */
  drain(): void {
    for (const end of this.waiting) end()
  }

  private verdictOf(incoming: Incoming, caller: Caller, reply: RowCells<'parlay.reply'>, markets: readonly number[]): Verdict {
    const { identity, records } = this.served
    const code = readCell(reply, Reply.code)
    const isRefusedByGate = incoming.kind === 'unknown' ? code === ParlayCode.rateLimited : GATE_CODES.has(code)
    switch (incoming.kind) {
      case 'unknown': return refusal(isRefusedByGate ? errorOfReply(identity, reply) : incoming.error)
      case 'misshapen': return refusal(isRefusedByGate ? errorOfReply(identity, reply) : incoming.error)
      // A socket may be opened without a credential: its first frame says whose it is.
      case 'socket': return isRefusedByGate && (caller.isNamed || code === ParlayCode.rateLimited) ? refusal(errorOfReply(identity, reply)) : opening
      case 'call': {
        const issues = isRefusedByGate ? null : issuesBehindGate(incoming.route.name, incoming.call)
        if (issues !== null) return refusal(errorAnswer('VALIDATION_ERROR', { issues }))
        if (PARLAY_CODES[code]!.code !== '') {
          const legErrors = legErrorsOf(code, markets, venuesOf(incoming.call), records.markets.at(this.site.nowUs))
          return refusal(errorOfReply(identity, reply, legErrors && { leg_errors: legErrors }))
        }
        const { route, call } = incoming
        if (route.channel !== 'body') return opening
        const admitted = { account: caller.account, call, reply, nowUs: this.site.nowUs }
        return this.verdictOfOutcome(outcomeOf(route.name, this.served, admitted), route.successes[0].status)
      }
    }
  }

  private verdictOfOutcome(outcome: Outcome, usual: number): Verdict {
    if ('refused' in outcome) return refusal(errorOfCode(outcome.refused))
    if ('issues' in outcome) return refusal(errorAnswer('VALIDATION_ERROR', { issues: outcome.issues }))
    const status = 'status' in outcome ? outcome.status ?? usual : usual
    return { mayOpen: false, answer: (limits) => answerWith(status, outcome.body, limits) }
  }

  /** What a call that makes a version of a request says, or null. The command has been written. */
  private sentLegs(incoming: Incoming, { account }: Caller): SentLegs | null {
    const { op, betMicros, legCount, legMarkets, legSides } = this.command
    if (incoming.kind !== 'call' || (op !== ParlayOp.createRequest && op !== ParlayOp.updateRequest)) return null
    const legs: SentLegs = {
      account, betMicros, legs: Array.from({ length: legCount }, (_, i) => [legMarkets[i]!, legSides[i]!] as const),
      asSent: (incoming.call.rawBody as { readonly legs: readonly unknown[] }).legs,
    }
    this.served.inputLegs.waitFor(legs)
    return legs
  }

  private settleLegs(legs: SentLegs, reply: RowCells<'parlay.reply'>): void {
    const made = rowAs(RequestReply, reply)
    this.served.inputLegs.settle(legs, readCell(reply, Reply.code) !== ParlayCode.ok ? null
      : { request: readCell(made, RequestReply.request), version: readCell(made, RequestReply.version) })
  }
}
