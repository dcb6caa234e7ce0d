import { AccountKind } from '../../ledger/ledger.ts'
import { PostingField, type PostingRows } from '../../ledger/postingRows.ts'
import type { Batch } from '../../record/sink.ts'
import { assert } from '../../unit/assert.ts'
import { SECOND_US } from '../../unit/time.ts'
import { EVENT_STRIDE, type EventRows, NONE } from '../../venue/eventRows.ts'
import { OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import {
  OperationKind, OperationStatus, OUTCOME_EVENT_NAMES, OutcomeEvent, OutcomeField as Field, PositionOutcome,
} from '../../venue/outcome/protocol/events.ts'
import { JOURNAL_STRIDE, JournalField, type OutcomeJournal } from '../../venue/outcome/protocol/journal.ts'
import { decimalOfLimbs } from '../../venue/outcome/protocol/outcomeId.ts'
import { type SignedTerms, TermsKind } from '../../venue/outcome/protocol/terms.ts'
import { type AcceptanceOrigin, WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { OriginLog } from '../../venue/outcome/wire/originLog.ts'
import type { OutcomeIdOf } from '../../venue/outcome/wire/typedData.ts'
import type { SettleCall, SignerChange, VaultCall } from '../vaultCall.ts'
import { JournalCommand, OutcomeTrades, payoutTerms, type Rates } from './outcomeTrades.ts'
import type { MirrorLog, ServiceReader } from './serviceReader.ts'

/** A call without what caused it, which the row tells. */
type Uncaused<C> = C extends VaultCall ? Omit<C, 'seq' | 'atUs'> : never

const OUTCOMES: Readonly<Record<number, SettleCall['outcome']>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}

/** Commands whose signed terms hold more than the rows tell. */
const isTold = (op: number): boolean => op === OutcomeOp.acceptQuote || op === OutcomeOp.withdraw || op === OutcomeOp.reduceCollateral

/**
 * What the rows of the outcome service mean to its vault. An operation of the service reaches the chain when it is done, one that fails never
 * does. Keeps what is under way, and what ids are made of (`identity`), which signatures name.
 */
export class OutcomeReader implements ServiceReader {
  readonly eventNames = OUTCOME_EVENT_NAMES
  /** Ids of the session, of everything that rows have told of. */
  readonly identity: WireIdentity
  /** outcome_id of each outcome that was listed. */
  readonly outcomeIdOf: OutcomeIdOf
  private readonly origins = new OriginLog()
  private readonly inForce: Rates
  private readonly trades: OutcomeTrades
  private readonly outcomeIds = new Map<number, string>()
  private readonly signerChanges = new Map<number, readonly SignerChange[]>()
  /** Terms of withdrawals that are pending, by operation. */
  private readonly withdrawals = new Map<number, SignedTerms>()
  private journal: OutcomeJournal | null = null
  /** Rows of the journal, by the command's seq. */
  private readonly commands = new Map<number, number>()

  /** @param rates of the deployment at the begin of the session, before any row */
  constructor(seed: string, rates: Rates) {
    this.inForce = { takerFeeBps: rates.takerFeeBps, feeBps: rates.feeBps }
    this.trades = new OutcomeTrades(this.inForce)
    this.identity = new WireIdentity(seed, this.origins)
    this.outcomeIdOf = (outcome) => {
      const id = this.outcomeIds.get(outcome)
      assert(id !== undefined, `outcome ${outcome} was never listed`)
      return id
    }
  }

  /** How much is kept of what is under way: quotes, trades, positions, withdrawals. */
  get size(): number {
    return this.trades.size + this.withdrawals.size
  }

  begin({ outcome }: Batch): void {
    assert(outcome !== null, 'the session has no outcome service')
    const { journal } = outcome
    this.journal = journal
    this.commands.clear()
    for (let row = 0; row < journal.count; row++) {
      const at = row * JOURNAL_STRIDE
      if (isTold(journal.cells[at + JournalField.op]!)) this.commands.set(journal.cells[at + JournalField.seq]!, row)
    }
  }

  happened(rows: EventRows, row: number, log: MirrorLog): void {
    this.origins.take({ cells: rows.cells, first: row * EVENT_STRIDE }, { acceptance: () => this.acceptanceOf(rows, row) })
    const made = this.callOf(rows, row)
    if (made !== null) log.call({ ...made, seq: rows.get(row, Field.seq), atUs: rows.get(row, Field.atUs) } as VaultCall)
  }

  positionOf(postings: PostingRows, row: number): number {
    if (postings.get(row, PostingField.debitKind) === AccountKind.pot) return postings.get(row, PostingField.debitOwner)
    return postings.get(row, PostingField.creditKind) === AccountKind.pot ? postings.get(row, PostingField.creditOwner) : NONE
  }

  /** The first one is its wallet. */
  quoteSignerOf(account: number): number {
    return account
  }

  private signerChangesOf(account: number): readonly SignerChange[] {
    return this.signerChanges.get(account) ?? []
  }

  private signerChanged(account: number, signer: number, atUs: number): void {
    this.signerChanges.set(account, [...this.signerChangesOf(account), { signer, sinceS: Math.floor(atUs / SECOND_US) }])
  }

  /** The command that caused the row. */
  private commandOf(rows: EventRows, row: number): JournalCommand {
    const at = this.commands.get(rows.get(row, Field.cause))
    assert(at !== undefined, 'the journal has the command of every row of the batch')
    return new JournalCommand(this.journal!, at)
  }

  private acceptanceOf(rows: EventRows, row: number): AcceptanceOrigin {
    const command = this.commandOf(rows, row)
    return { taker: command.get('account'), key: command.get('key') }
  }

  /** What the vault is told for the row, or null: of a trade what was signed for it, not what the row has come to. */
  private callOf(rows: EventRows, row: number): Uncaused<VaultCall> | null {
    const of = (field: number): number => rows.get(row, field)
    switch (of(Field.kind)) {
      case OutcomeEvent.fundsDeposited:
        // A core part comes in with its fill, which no command causes.
        return of(Field.cause) === NONE ? null : { kind: 'deposit', account: of(Field.account), amountMicros: of(Field.amountA) }
      case OutcomeEvent.fundsWithdrawn: return this.withdrawn(rows, row)
      case OutcomeEvent.reductionStarted: return {
        kind: 'reduce', reduction: of(Field.amountC), account: of(Field.account), amountMicros: of(Field.amountA),
        signed: payoutTerms(TermsKind.reduction, this.commandOf(rows, row), this.inForce),
      }
      case OutcomeEvent.positionOpened: case OutcomeEvent.positionTransferred: case OutcomeEvent.positionClosed: case OutcomeEvent.positionSettled:
        return this.positionCallOf(rows, row)
      default:
        this.note(rows, row)
        return null
    }
  }

  /** Keeps what later calls need of a row that the vault is not told. */
  private note(rows: EventRows, row: number): void {
    const of = (field: number): number => rows.get(row, field)
    const { trades, inForce } = this
    switch (of(Field.kind)) {
      case OutcomeEvent.outcomeListed: {
        const first = of(Field.listStart)
        this.outcomeIds.set(of(Field.amountA), decimalOfLimbs(rows.pool.subarray(first, first + of(Field.listLength))))
        break
      }
      case OutcomeEvent.feesChanged:
        inForce.takerFeeBps = of(Field.amountA)
        inForce.feeBps = of(Field.amountB)
        break
      case OutcomeEvent.signerChanged: this.signerChanged(of(Field.account), of(Field.amountA), of(Field.atUs)); break
      case OutcomeEvent.quoteCreated: trades.quoted(rows, row); break
      case OutcomeEvent.quoteReplaced: case OutcomeEvent.quoteCancelled: case OutcomeEvent.quoteExpired: case OutcomeEvent.quoteDead:
      case OutcomeEvent.quoteFilled: trades.quoteEnded(of(Field.quote)); break
      case OutcomeEvent.quoteFailed:
        trades.quoteEnded(of(Field.quote))
        trades.failed(of(Field.acceptance))
        break
      case OutcomeEvent.quoteAccepted:
        trades.accepted(rows, row, this.commandOf(rows, row), of(Field.other), this.signerChangesOf(of(Field.account)))
        break
      case OutcomeEvent.operationStarted:
        if (of(Field.code) !== OperationKind.withdrawal) break
        this.withdrawals.set(of(Field.operation), payoutTerms(TermsKind.withdrawal, this.commandOf(rows, row), inForce))
        break
      case OutcomeEvent.operationUpdated:
        if (of(Field.amountB) !== OperationStatus.failed) break
        trades.failed(of(Field.acceptance))
        this.withdrawals.delete(of(Field.operation))
        break
      default:
    }
  }

  private withdrawn(rows: EventRows, row: number): Uncaused<VaultCall> {
    const of = (field: number): number => rows.get(row, field)
    const [account, amountMicros, operation] = [of(Field.account), of(Field.amountA), of(Field.operation)]
    if (operation === NONE) return { kind: 'release', reduction: of(Field.amountC), account, amountMicros }
    const signed = this.withdrawals.get(operation)
    assert(signed !== undefined, `withdrawal ${operation} is not pending`)
    this.withdrawals.delete(operation)
    return { kind: 'withdraw', account, amountMicros, signed }
  }

  private positionCallOf(rows: EventRows, row: number): Uncaused<VaultCall> {
    const of = (field: number): number => rows.get(row, field)
    const { trades } = this
    const [kind, position, account, other] = [of(Field.kind), of(Field.position), of(Field.account), of(Field.other)]
    if (kind === OutcomeEvent.positionOpened) {
      const signed = trades.take(of(Field.acceptance))
      const { quote: { stakeMicros, payoutMicros }, acceptance: { stakeMicros: grossMicros, takerFeeBps, feeBps, coreMicros } } = signed
      trades.positionOpened(position, feeBps)
      return {
        kind: 'open', position, holder: account, backer: other, stakeMicros, riskMicros: payoutMicros - stakeMicros,
        takerFeeMicros: grossMicros - stakeMicros, takerFeeBps, profitFeeBps: feeBps, coreMicros, signed,
      }
    }
    if (kind === OutcomeEvent.positionTransferred) {
      const signed = trades.take(of(Field.acceptance))
      return { kind: 'transfer', position, buyer: other, priceMicros: signed.quote.payoutMicros, signed }
    }
    trades.positionEnded(position)
    if (kind === OutcomeEvent.positionSettled) return { kind: 'settle', position, outcome: OUTCOMES[of(Field.code)]! }
    const signed = trades.take(of(Field.acceptance))
    return { kind: 'buyback', position, priceMicros: signed.quote.payoutMicros, signed }
  }
}
