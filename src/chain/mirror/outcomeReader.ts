import { AccountKind } from '../../ledger/ledger.ts'
import { PostingField, type PostingRows } from '../../ledger/postingRows.ts'
import type { Batch } from '../../record/sink.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { SECOND_US } from '../../unit/time.ts'
import { type Row, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import {
  FeesChanged, FundsDeposited, FundsWithdrawn, OperationKind, OperationRow, OperationStatus, OperationUpdated, OUTCOME_EVENT_NAMES,
  OutcomeEvent, type OutcomeKind, OutcomeListed, PositionClosed, PositionOpened, PositionOutcome, PositionSettled, PositionTransferred,
  QuoteAccepted, QuoteFailed, QuoteRow, ReductionStarted, SignerChanged,
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

/** A call without its cause, which the row has. */
type Uncaused<C> = C extends VaultCall ? Omit<C, 'seq' | 'atUs'> : never

const OUTCOMES: Readonly<Record<number, SettleCall['outcome']>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}

/** Commands whose signed terms have more than the rows. */
const isTold = (op: number): boolean => op === OutcomeOp.acceptQuote || op === OutcomeOp.withdraw || op === OutcomeOp.reduceCollateral

/**
 * What the rows of the outcome service mean to its vault. An operation of the service reaches the chain when it is done. A failed one never
 * does. Keeps what is under way, and the origins of ids (`identity`), which signatures name.
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

  happened(rows: EventRows, row: Row, log: MirrorLog): void {
    this.origins.take(rows.rowCells(row), { acceptance: () => this.acceptanceOf(rows, row) })
    const made = this.callOf(rows, row)
    if (made !== null) log.call({ ...made, seq: rows.read(row, EventCell.seq), atUs: rows.read(row, EventCell.atUs) } as VaultCall)
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

  /** The command that caused the row. */
  private commandOf(rows: EventRows, row: Row): JournalCommand {
    const at = this.commands.get(rows.read(row, EventCell.cause))
    assert(at !== undefined, 'the journal has the command of every row of the batch')
    return new JournalCommand(this.journal!, at)
  }

  private acceptanceOf(rows: EventRows, row: Row): AcceptanceOrigin {
    const command = this.commandOf(rows, row)
    return { taker: command.get('account'), key: command.get('key') }
  }

  /** The vault's call for the row, or null. For a trade it has the signed terms, not the amounts of the row. */
  private callOf(rows: EventRows, row: Row): Uncaused<VaultCall> | null {
    const kind = rows.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.fundsDeposited: return deposited(rows, rowOfKind(row, kind))
      case OutcomeEvent.fundsWithdrawn: return this.withdrawn(rows, rowOfKind(row, kind))
      case OutcomeEvent.reductionStarted: return this.reduced(rows, rowOfKind(row, kind))
      case OutcomeEvent.positionOpened: return this.opened(rows, rowOfKind(row, kind))
      case OutcomeEvent.positionTransferred: return this.transferred(rows, rowOfKind(row, kind))
      case OutcomeEvent.positionClosed: return this.closed(rows, rowOfKind(row, kind))
      case OutcomeEvent.positionSettled: return this.settled(rows, rowOfKind(row, kind))
      default:
        this.note(rows, row)
        return null
    }
  }

  /** Keeps what later calls need from a row without a call of its own. */
  private note(rows: EventRows, row: Row): void {
    const { trades } = this
    const kind = rows.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.outcomeListed: return this.listed(rows, rowOfKind(row, kind))
      case OutcomeEvent.feesChanged: return this.feesChanged(rows, rowOfKind(row, kind))
      case OutcomeEvent.signerChanged: return this.signerChanged(rows, rowOfKind(row, kind))
      case OutcomeEvent.quoteCreated: return trades.quoted(rows, rowOfKind(row, kind))
      case OutcomeEvent.quoteReplaced: case OutcomeEvent.quoteCancelled: case OutcomeEvent.quoteExpired: case OutcomeEvent.quoteDead:
      case OutcomeEvent.quoteFilled: return trades.quoteEnded(rows.read(rowOfKind(row, kind), QuoteRow.quote))
      case OutcomeEvent.quoteFailed: {
        const failed = rowOfKind(row, kind)
        trades.quoteEnded(rows.read(failed, QuoteFailed.quote))
        return trades.failed(rows.read(failed, QuoteFailed.acceptance))
      }
      case OutcomeEvent.quoteAccepted: {
        const accepted = rowOfKind(row, kind)
        return trades.accepted(rows, accepted, this.commandOf(rows, row), this.signerChangesOf(rows.read(accepted, QuoteAccepted.maker)))
      }
      case OutcomeEvent.operationStarted: return this.operationStarted(rows, rowOfKind(row, kind))
      case OutcomeEvent.operationUpdated: return this.operationUpdated(rows, rowOfKind(row, kind))
      default:
    }
  }

  private listed(rows: EventRows, row: Row<'outcome.outcomeListed'>): void {
    const first = rows.read(row, EventCell.listStart)
    const limbs = rows.pool.subarray(first, first + rows.read(row, EventCell.listLength))
    this.outcomeIds.set(rows.read(row, OutcomeListed.outcome), decimalOfLimbs(limbs))
  }

  private feesChanged(rows: EventRows, row: Row<'outcome.feesChanged'>): void {
    this.inForce.takerFeeBps = rows.read(row, FeesChanged.takerFeeBps)
    this.inForce.feeBps = rows.read(row, FeesChanged.profitFeeBps)
  }

  private signerChanged(rows: EventRows, row: Row<'outcome.signerChanged'>): void {
    const account = rows.read(row, SignerChanged.account)
    const change = { signer: rows.read(row, SignerChanged.signer), sinceS: Math.floor(rows.read(row, EventCell.atUs) / SECOND_US) }
    this.signerChanges.set(account, [...this.signerChangesOf(account), change])
  }

  private operationStarted(rows: EventRows, row: Row<'outcome.operationStarted' | 'outcome.operationUpdated'>): void {
    if (rows.read(row, OperationRow.operationKind) !== OperationKind.withdrawal) return
    this.withdrawals.set(rows.read(row, OperationRow.operation), payoutTerms(TermsKind.withdrawal, this.commandOf(rows, row), this.inForce))
  }

  private operationUpdated(rows: EventRows, row: Row<'outcome.operationUpdated'>): void {
    if (rows.read(row, OperationUpdated.status) !== OperationStatus.failed) return
    this.trades.failed(rows.read(row, OperationUpdated.acceptance))
    this.withdrawals.delete(rows.read(row, OperationUpdated.operation))
  }

  private reduced(rows: EventRows, row: Row<'outcome.reductionStarted'>): Uncaused<VaultCall> {
    const { reduction, account, amountMicros } = ReductionStarted
    return {
      kind: 'reduce', reduction: rows.read(row, reduction), account: rows.read(row, account), amountMicros: rows.read(row, amountMicros),
      signed: payoutTerms(TermsKind.reduction, this.commandOf(rows, row), this.inForce),
    }
  }

  private withdrawn(rows: EventRows, row: Row<'outcome.fundsWithdrawn'>): Uncaused<VaultCall> {
    const [account, amountMicros] = [rows.read(row, FundsWithdrawn.account), rows.read(row, FundsWithdrawn.amountMicros)]
    const operation = rows.read(row, FundsWithdrawn.operation)
    if (operation === NONE) return { kind: 'release', reduction: rows.read(row, FundsWithdrawn.reduction), account, amountMicros }
    const signed = this.withdrawals.get(operation)
    assert(signed !== undefined, `withdrawal ${operation} is not pending`)
    this.withdrawals.delete(operation)
    return { kind: 'withdraw', account, amountMicros, signed }
  }

  private opened(rows: EventRows, row: Row<'outcome.positionOpened'>): Uncaused<VaultCall> {
    const position = rows.read(row, PositionOpened.position)
    const signed = this.trades.take(rows.read(row, PositionOpened.acceptance))
    const { quote: { stakeMicros, payoutMicros }, acceptance: { stakeMicros: grossMicros, takerFeeBps, feeBps, coreMicros } } = signed
    this.trades.positionOpened(position, feeBps)
    return {
      kind: 'open', position, holder: rows.read(row, PositionOpened.holder), backer: rows.read(row, PositionOpened.backer), stakeMicros,
      riskMicros: payoutMicros - stakeMicros, takerFeeMicros: grossMicros - stakeMicros, takerFeeBps, profitFeeBps: feeBps, coreMicros, signed,
    }
  }

  private transferred(rows: EventRows, row: Row<'outcome.positionTransferred'>): Uncaused<VaultCall> {
    const signed = this.trades.take(rows.read(row, PositionTransferred.acceptance))
    const [position, buyer] = [rows.read(row, PositionTransferred.position), rows.read(row, PositionTransferred.buyer)]
    return { kind: 'transfer', position, buyer, priceMicros: signed.quote.payoutMicros, signed }
  }

  private closed(rows: EventRows, row: Row<'outcome.positionClosed'>): Uncaused<VaultCall> {
    const position = rows.read(row, PositionClosed.position)
    const signed = this.trades.take(rows.read(row, PositionClosed.acceptance))
    this.trades.positionEnded(position)
    return { kind: 'buyback', position, priceMicros: signed.quote.payoutMicros, signed }
  }

  private settled(rows: EventRows, row: Row<'outcome.positionSettled'>): Uncaused<VaultCall> {
    const position = rows.read(row, PositionSettled.position)
    this.trades.positionEnded(position)
    return { kind: 'settle', position, outcome: OUTCOMES[rows.read(row, PositionSettled.outcome)]! }
  }
}

/** A core part comes in with its fill, which no command causes. */
function deposited(rows: EventRows, row: Row<'outcome.fundsDeposited'>): Uncaused<VaultCall> | null {
  if (rows.read(row, EventCell.cause) === NONE) return null
  return { kind: 'deposit', account: rows.read(row, FundsDeposited.account), amountMicros: rows.read(row, FundsDeposited.amountMicros) }
}
