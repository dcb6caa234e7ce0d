import { NONE } from '../../../src/unit/none.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { type Kind, type Row, rowAs } from '../../../src/venue/eventCells.ts'
import { type EventRows } from '../../../src/venue/eventRows.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole, type OutcomeCommand, OUTCOME_OP_NAMES, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { AcceptReply, FieldRefusal, OutcomeEvent, Reply } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeView } from '../../../src/venue/outcome/protocol/view.ts'
import type { OutcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { cellNamed } from '../namedCells.ts'
import { kindNames, replyNames } from './cellNames.ts'

/** Whom the rows that the double writes are about. */
const ABOUT = {
  outcomeListed: [], outcomeDelisted: [], rfqCreated: ['owner'], rfqClosed: ['owner'], rfqFilled: ['owner'],
  quoteCreated: ['maker', 'owner'], quoteReplaced: ['maker', 'owner'], quoteExpired: ['maker', 'owner'], quoteDead: ['maker', 'owner'],
  quoteAccepted: ['maker', 'owner'], quoteFailed: ['maker', 'owner'],
  operationStarted: ['account', 'maker'], operationUpdated: ['account', 'maker'],
} as const

/** A row that a test has the double write, with the accounts that it is about. */
export type ScriptRow = readonly [event: keyof typeof ABOUT, account?: number, other?: number]

/** What an answer shows of what the command has made: here the number of effects. */
const MADE: Readonly<Record<number, string>> = {
  [OutcomeOp.createRfq]: 'rfq', [OutcomeOp.cancelRfq]: 'rfq', [OutcomeOp.openCashout]: 'rfq', [OutcomeOp.submitQuote]: 'quote',
  [OutcomeOp.cancelQuote]: 'quote', [OutcomeOp.acceptQuote]: 'operation', [OutcomeOp.confirmQuote]: 'operation',
  [OutcomeOp.declineQuote]: 'operation', [OutcomeOp.deposit]: 'accountBalanceMicros', [OutcomeOp.withdraw]: 'operation',
  [OutcomeOp.reduceCollateral]: 'reduction',
}

/** The same row several times. */
export const times = (count: number, row: ScriptRow): ScriptRow[] => Array.from({ length: count }, () => row)

interface PendingAccept {
  readonly seq: number
  readonly account: number
  readonly quote: number
}

/** How many items of each class the double's view names for an account, and the legs of its RFQs and positions. */
export interface Items {
  rfqs?: number
  positions?: number
  operations?: number
  quotes?: number
  legs?: number
}

/**
 * A venue that does as it is told: every command is an effect and is answered ok with the number of effects so far, or with
 * the code that the test sets; an accept of quote 1 or above waits for its confirmation, decline or deadline. Accounts below 20 are
 * participants, below 40 makers, the others not bound. Outcomes below 1000 are listed until the delisting or close that a test sets.
 */
export class VenueDouble implements OutcomeVenue {
  readonly view: OutcomeView
  /** Commands that reached it. */
  effects = 0
  /** Answers by opcode, in place of ok. */
  readonly codes = new Map<number, number>()
  /** Rows that the next command writes before its reply. */
  next: readonly ScriptRow[] = []
  /** Rows that the deadline at `dueUs` writes; accepts that are pending time out at it. */
  due: readonly ScriptRow[] = []
  dueUs: number = NEVER_US
  closeUs: number = NEVER_US
  readonly items = new Map<number, Items>()
  pending: PendingAccept[] = []
  nowUs = 0
  private readonly events: EventRows

  constructor(events: EventRows) {
    this.events = events
    this.view = this.viewOf()
  }

  apply(nowUs: number, c: OutcomeCommand): void {
    this.pulse(c.op < 20 ? nowUs - 1 : nowUs)
    this.nowUs = nowUs
    this.effects++
    this.write(nowUs, this.next, c.seq)
    this.next = []
    const code = this.codes.get(c.op)
    if (code === undefined) {
      if (c.op === OutcomeOp.acceptQuote && c.quote >= 1) {
        this.pending.push({ seq: c.seq, account: c.account, quote: c.quote })
        return this.write(nowUs, [['quoteAccepted', 20, c.account]], c.seq)
      }
      if (c.op === OutcomeOp.confirmQuote) this.resolve(c.quote, OutcomeCode.ok, c.seq)
      if (c.op === OutcomeOp.declineQuote) this.resolve(c.quote, OutcomeCode.declined, c.seq)
      if (c.op === OutcomeOp.listOutcome) this.write(nowUs, [['outcomeListed']], c.seq)
      if (c.op === OutcomeOp.delistOutcome) this.write(nowUs, [['outcomeDelisted']], c.seq)
    }
    const isKnown = Object.hasOwn(OUTCOME_OP_NAMES, c.op) && c.op < 60
    const row = this.reply(c.seq, c.account, c.op, code ?? (isKnown ? OutcomeCode.ok : OutcomeCode.invalidRequest))
    const made = code === undefined ? MADE[c.op] : undefined
    if (made !== undefined) this.events.write(row, cellNamed(replyNames(c.op, OutcomeCode.ok), made), this.effects)
    if (!isKnown) this.events.write(rowAs(FieldRefusal, row), FieldRefusal.invalidField, InvalidField.op)
  }

  nextDeadlineUs(): number {
    return this.dueUs
  }

  pulse(nowUs: number): void {
    this.nowUs = Math.max(this.nowUs, nowUs)
    if (this.dueUs > nowUs) return
    this.nowUs = this.dueUs
    this.write(this.dueUs, this.due, NONE)
    const { pending } = this
    this.pending = []
    for (const { seq, account } of pending) this.reply(seq, account, OutcomeOp.acceptQuote, OutcomeCode.timedOut)
    this.nowUs = Math.max(this.nowUs, nowUs)
    this.dueUs = NEVER_US
  }

  stateHash(): string {
    return JSON.stringify(this.snapshot())
  }

  snapshot(): Image {
    const { effects, nowUs, dueUs, due, pending } = this
    return { effects, nowUs, dueUs, due: due.map((row) => [...row] as Image), pending: pending.map((each) => ({ ...each })) }
  }

  restore(image: Image): void {
    Object.assign(this, structuredClone(image))
  }

  private resolve(quote: number, code: number, cause: number): void {
    const { pending } = this
    this.pending = pending.filter((each) => each.quote !== quote)
    for (const { seq, account } of pending.filter((each) => each.quote === quote)) {
      if (code === OutcomeCode.ok) this.write(this.nowUs, [['operationStarted', account, 20]], cause)
      this.events.write(rowAs(AcceptReply, this.reply(seq, account, OutcomeOp.acceptQuote, code)), AcceptReply.quote, quote)
    }
  }

  private reply(cause: number, account: number, op: number, code: number): Row<'outcome.reply'> {
    const row = this.events.open(this.nowUs, OutcomeEvent.reply, cause)
    this.events.write(row, Reply.account, account)
    this.events.write(row, Reply.op, op)
    this.events.write(row, Reply.code, code)
    return row
  }

  private write(atUs: number, rows: readonly ScriptRow[], cause: number): void {
    for (const [event, ...accounts] of rows) {
      const kind: Kind = OutcomeEvent[event]
      const row = this.events.open(atUs, kind, cause)
      accounts.forEach((account, i) => this.events.write(row, cellNamed(kindNames(kind), ABOUT[event][i]!), account!))
    }
  }

  private viewOf(): OutcomeView {
    const numbers = (count = 0): number[] => Array.from({ length: count }, (_, i) => i + 1)
    const itemsOf = (account: number): Items => this.items.get(account) ?? {}
    const legCount = () => Math.max(0, ...[...this.items.values()].map((items) => items.legs ?? 0))
    const legs = () => ({ legs: Array.from({ length: legCount() }, () => ({ outcome: 1, side: 1 })) })
    const roleOf = (account: number): number | null =>
      account < 20 ? AccountRole.participant : account < 40 ? AccountRole.maker : null
    return {
      balance: (account: number) => ({ role: roleOf(account) }),
      isListed: (outcome: number) => outcome < 1_000 && this.nowUs < this.closeUs,
      openRfqsOf: (account: number) => numbers(itemsOf(account).rfqs),
      positionsOf: (account: number) => numbers(itemsOf(account).positions),
      operationsOf: (account: number) => numbers(itemsOf(account).operations),
      liveQuotesOf: (account: number) => numbers(itemsOf(account).quotes),
      rfq: legs,
      position: legs,
    } as unknown as OutcomeView
  }
}
