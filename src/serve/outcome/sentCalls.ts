import { NONE } from '../../unit/none.ts'
import type { Row, RowCells } from '../../venue/eventCells.ts'
import { EventCell, type EventRows, readCell } from '../../venue/eventRows.ts'
import { Credential } from '../../venue/outcome/protocol/access.ts'
import { OUTCOME_CODES, OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'
import { Reply } from '../../venue/outcome/protocol/events.ts'
import { successOfReply } from '../../venue/outcome/wire/answers.ts'
import { answerHeaders, type ErrorAnswer, errorAnswer, type ErrorDetails, errorOfReply, isReplayed } from '../../venue/outcome/wire/errors.ts'
import type { Answer, Exchange, HeaderPairs } from '../exchange.ts'
import { answerWith } from '../jsonAnswer.ts'
import type { HandlerSite } from '../serviceHandler.ts'
import { outcomeOf } from './answers.ts'
import type { Caller } from './caller.ts'
import type { Fault } from './calls.ts'
import { externalCallOf } from './externalCall.ts'
import type { Incoming, IncomingReader } from './incoming.ts'
import type { Served } from './served.ts'

type ReplyCells = RowCells<'outcome.reply'>
/** Who sends a command. */
type Sender = Pick<Caller, 'account' | 'isKnown'>
type CallsSite = Pick<HandlerSite, 'nowUs' | 'send'>

const textOf = ({ status, headers, body }: ErrorAnswer): Answer => answerWith(status, body, Object.entries(headers))

/** Calls on their way to the service and back. */
export class SentCalls {
  private declare readonly site: CallsSite
  private declare readonly served: Served
  private declare readonly reader: IncomingReader
  private readonly command = new OutcomeCommand()
  /** What gives up a call that waits. */
  private readonly waiting = new Set<() => void>()
  private refused = 0

  constructor(site: CallsSite, served: Served, reader: IncomingReader) {
    this.site = site
    this.served = served
    this.reader = reader
  }

  /** Sends the command of a call, and calls `answer` once, when its answer has come down the way to the client. */
  send(read: NonNullable<ReturnType<IncomingReader['read']>>, exchange: Exchange, caller: Caller, answer: (answer: Answer) => void): void {
    const { command } = this
    const fault = this.reader.write(command, read, exchange, caller)
    const { key } = command
    this.sendAnswered(command, caller, (reply) => {
      const { keys, gate } = this.served
      keys.answered(caller.account, key, readCell(reply, Reply.op), gate.remembers(caller.account, key), readCell(reply, EventCell.atUs))
      return this.answerOf(read, caller, key, fault, reply)
    }, answer)
  }

  /** Sends a command and answers with what `answered` makes of its reply; when the session is given up before, that the service drains. */
  sendAnswered(command: OutcomeCommand, caller: Sender, answered: (reply: ReplyCells) => Answer, answer: (answer: Answer) => void): void {
    this.sendCommand(command, caller, answered, (made) => { answer(made ?? this.refusal(OutcomeCode.connectionDrain)) })
  }

  /**
   * Sends a command. `answered` makes of its reply what `finish` is given, once, when it has come down the way; null for a command that waits
   * when the session is given up.
   */
  sendCommand<T>(command: OutcomeCommand, caller: Sender, answered: (reply: ReplyCells) => T, finish: (made: T | null) => void): void {
    let made: T | null = null
    const end = (): void => {
      // A second end is that of an answer that comes after the session was given up.
      if (this.waiting.delete(end)) finish(made)
    }
    this.waiting.add(end)
    // Who is no participant has no way of a participant's.
    this.site.send(caller.isKnown ? caller.account : NONE, externalCallOf(command, caller.isKnown), {
      answered: (rows: EventRows, row: Row<'outcome.reply'>) => { made = answered(rows.rowCells(row)) },
      told: end,
    })
  }

  /** What the reply to a command without a key is answered with. */
  answerOfReply(incoming: Incoming, account: number, reply: RowCells<'outcome.reply'>): Answer {
    return this.answerOf({ incoming }, { account }, NONE, null, reply)
  }

  /** The headers of an answer to a call that became no command. */
  requestId(): HeaderPairs {
    return Object.entries(answerHeaders(this.served.identity.refusedCall(++this.refused), false))
  }

  /** The answer to a call that became no command. */
  refusal(code: number, details?: ErrorDetails): Answer {
    return textOf(errorAnswer(code, this.served.identity.refusedCall(++this.refused), details))
  }

  /** The session is over. */
  drain(): void {
    for (const end of this.waiting) end()
  }

  private answerOf({ incoming }: { readonly incoming: Incoming }, { account }: Pick<Caller, 'account'>, key: number, fault: Fault | null, reply: RowCells<'outcome.reply'>): Answer {
    const { identity } = this.served
    const code = readCell(reply, Reply.code)
    const isRefused = OUTCOME_CODES[code]!.code !== ''
    // What is wrong with a call is told where the service found something wrong with it, and of reads where it was let through.
    if (fault !== null && (!isRefused || code === OutcomeCode.invalidRequest)) {
      const requestId = identity.request(readCell(reply, EventCell.cause))
      const { status, headers, body } = errorAnswer(fault.code, requestId, { violations: fault.violations })
      return textOf({ status, headers: { ...headers, ...answerHeaders(requestId, isReplayed(reply)) }, body })
    }
    if (isRefused) return textOf(errorOfReply(identity, reply, this.served.profile))
    return this.successOf(incoming, account, key, reply)
  }

  private successOf({ route, call }: Incoming, account: number, key: number, reply: RowCells<'outcome.reply'>): Answer {
    const { served } = this
    const former = isReplayed(reply) ? served.keys.kept(account, key) : null
    const { status, headers } = successOfReply(served.identity, reply, null)
    if (former !== null) return answerWith(former.status, former.body, Object.entries(headers))
    const outcome = outcomeOf(served, { route, account, call: call!, reply, nowUs: this.site.nowUs })
    if ('refused' in outcome) return textOf(errorAnswer(outcome.refused, served.identity.request(readCell(reply, EventCell.cause))))
    served.keys.keep(account, key, { status, body: outcome.resource })
    return answerWith(status, outcome.resource, Object.entries(headers))
  }

  /** Sends a command of the service's own accord: nobody waits for its answer. */
  order(account: number, op: number, fields: Readonly<Record<string, number>>, credential: number = Credential.app): void {
    this.site.send(account, { op, fields, credential }, { answered: () => {}, told: () => {} })
  }
}
