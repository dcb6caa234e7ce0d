import { type PostingRows, PostingField } from '../../ledger/postingRows.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { type KindOf, type Row, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import {
  FundsMoved, PARLAY_EVENT_NAMES, ParlayEvent, type ParlayKind, PositionBoughtBack, PositionOpened, PositionOutcome, PositionSettled, PositionTransferred,
  VaultEffect, VaultStatus, VaultTransactionChanged,
} from '../../venue/parlay/protocol/events.ts'
import type { OpenCall, SettleCall, VaultCall } from '../vaultCall.ts'
import { isInPosition } from './parties.ts'
import { ParlayTerms } from './parlayTerms.ts'
import type { MirrorLog, ServiceReader } from './serviceReader.ts'

type TransactionRow = Row<KindOf<typeof VaultTransactionChanged>>
type FundsRow = Row<KindOf<typeof FundsMoved>>

const OUTCOMES: Readonly<Record<number, SettleCall['outcome']>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}

/**
 * Rows of the parlay service as calls of its vault. A fill, deposit or withdrawal lands when the service says that the chain has it: at
 * once on a healthy chain, otherwise when its transaction is `balance_pending`.
 */
export class ParlayReader implements ServiceReader {
  readonly eventNames = PARLAY_EVENT_NAMES
  private readonly terms: ParlayTerms
  /** The openings of fills that the chain has not answered yet, by position. */
  private readonly pendingFills = new Map<number, OpenCall>()
  /** Deposits and withdrawals that the chain has and the ledger has not, by number of the transaction. */
  private readonly landed = new Set<number>()
  /** The row before completed a transaction that has landed: its funds row tells nothing new. */
  private isCompleting = false

  /** @param rates.profitFeeBps in force at the begin of the session, before any row */
  constructor({ profitFeeBps }: { readonly profitFeeBps: number }) {
    this.terms = new ParlayTerms(profitFeeBps)
  }

  /** How much is kept of what is under way. */
  get size(): number {
    return this.terms.size + this.pendingFills.size + this.landed.size
  }

  begin(): void {}

  happened(events: EventRows, row: Row, log: MirrorLog): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.positionOpened: return this.opened(events, rowOfKind(row, kind), log)
      case ParlayEvent.positionSettled: return settled(events, rowOfKind(row, kind), log)
      case ParlayEvent.positionBoughtBack: return this.boughtBack(events, rowOfKind(row, kind), log)
      case ParlayEvent.positionTransferred: return this.transferred(events, rowOfKind(row, kind), log)
      case ParlayEvent.fundsDeposited: return this.fundsMoved(events, rowOfKind(row, kind), 'deposit', log)
      case ParlayEvent.fundsWithdrawn: return this.fundsMoved(events, rowOfKind(row, kind), 'withdraw', log)
      case ParlayEvent.vaultTransactionStarted:
      case ParlayEvent.vaultTransactionChanged: {
        const changed = rowOfKind(row, kind)
        return isFill(events, changed) ? this.fillChanged(events, changed, log) : this.fundsChanged(events, changed, log)
      }
      default: return this.terms.note(events, row)
    }
  }

  /** What moves a pot or an escrow belongs to its position. */
  positionOf(postings: PostingRows, row: number): number {
    if (isInPosition(postings.get(row, PostingField.debitKind))) return postings.get(row, PostingField.debitOwner)
    return isInPosition(postings.get(row, PostingField.creditKind)) ? postings.get(row, PostingField.creditOwner) : NONE
  }

  quoteSignerOf(account: number): number {
    return account
  }

  private opened(events: EventRows, row: Row<'parlay.positionOpened'>, log: MirrorLog): void {
    const { position, quote } = PositionOpened
    const call: OpenCall = {
      kind: 'open', ...causeOf(events, row), position: events.read(row, position), ...this.terms.takeFill(events.read(row, quote)),
      coreMicros: 0, signed: null,
    }
    if (startsPending(events, row)) this.pendingFills.set(call.position, call)
    else log.call(call)
  }

  private boughtBack(events: EventRows, row: Row<'parlay.positionBoughtBack'>, log: MirrorLog): void {
    const { position, auction } = PositionBoughtBack
    const { priceMicros } = this.terms.takeSale(events.read(row, auction))
    log.call({ kind: 'buyback', ...causeOf(events, row), position: events.read(row, position), priceMicros, signed: null })
  }

  private transferred(events: EventRows, row: Row<'parlay.positionTransferred'>, log: MirrorLog): void {
    const { position, auction } = PositionTransferred
    const { buyer, priceMicros } = this.terms.takeSale(events.read(row, auction))
    log.call({ kind: 'transfer', ...causeOf(events, row), position: events.read(row, position), buyer, priceMicros, signed: null })
  }

  private fillChanged(events: EventRows, row: TransactionRow, log: MirrorLog): void {
    const position = events.read(row, VaultTransactionChanged.position)
    const call = this.pendingFills.get(position)
    if (call === undefined) return
    const status = events.read(row, VaultTransactionChanged.status)
    if (status === VaultStatus.chainPending) return log.waits(position)
    this.pendingFills.delete(position)
    if (status === VaultStatus.failed) log.failed(position)
    else log.call({ ...call, ...causeOf(events, row) })
  }

  private fundsChanged(events: EventRows, row: TransactionRow, log: MirrorLog): void {
    const transaction = events.read(row, VaultTransactionChanged.transaction)
    switch (events.read(row, VaultTransactionChanged.status)) {
      case VaultStatus.balancePending: {
        const isDeposit = events.read(row, VaultTransactionChanged.effect) === VaultEffect.deposit
        const amountMicros = events.read(row, VaultTransactionChanged.amountMicros)
        const account = events.read(row, VaultTransactionChanged.account)
        this.landed.add(transaction)
        log.call(fundsCall(isDeposit ? 'deposit' : 'withdraw', { ...causeOf(events, row), account, amountMicros }))
        return log.ahead(transaction, account, isDeposit ? amountMicros : -amountMicros)
      }
      case VaultStatus.completed:
        assert(this.landed.delete(transaction), `transaction ${transaction} was completed before the chain had it`)
        this.isCompleting = true
        return log.caughtUp(transaction)
      default:
    }
  }

  private fundsMoved(events: EventRows, row: FundsRow, kind: 'deposit' | 'withdraw', log: MirrorLog): void {
    const [account, amountMicros] = [events.read(row, FundsMoved.account), events.read(row, FundsMoved.amountMicros)]
    if (!this.isCompleting) log.call(fundsCall(kind, { ...causeOf(events, row), account, amountMicros }))
    this.isCompleting = false
  }
}

interface Cause {
  readonly seq: number
  readonly atUs: number
}

const causeOf = (events: EventRows, row: Row): Cause => ({ seq: events.read(row, EventCell.seq), atUs: events.read(row, EventCell.atUs) })

const fundsCall = (kind: 'deposit' | 'withdraw', call: Cause & { readonly account: number; readonly amountMicros: number }): VaultCall =>
  (kind === 'deposit' ? { kind, ...call } : { kind, ...call, signed: null })

function settled(events: EventRows, row: Row<'parlay.positionSettled'>, log: MirrorLog): void {
  const outcome = OUTCOMES[events.read(row, PositionSettled.outcome)]
  assert(outcome !== undefined, `no outcome ${events.read(row, PositionSettled.outcome)}`)
  log.call({ kind: 'settle', ...causeOf(events, row), position: events.read(row, PositionSettled.position), outcome })
}

/** Whether a transaction row is of a fill, whatever it waits for. */
const isFill = (events: EventRows, row: TransactionRow): boolean => events.read(row, VaultTransactionChanged.effect) >= VaultEffect.fill

/** Whether the chain is yet to fund the position that a row opens: the row after it starts its transaction. */
function startsPending(events: EventRows, row: Row<'parlay.positionOpened'>): boolean {
  const index = events.indexOf(row) + 1
  if (index >= events.count) return false
  const next = events.row(index)
  const kind = events.kindOf(next) as ParlayKind
  if (kind !== ParlayEvent.vaultTransactionStarted) return false
  const started = rowOfKind(next, kind)
  return isFill(events, started) && events.read(started, VaultTransactionChanged.position) === events.read(row, PositionOpened.position)
}
