import { type PostingRows, PostingField } from '../../ledger/postingRows.ts'
import { assert } from '../../unit/assert.ts'
import { type EventRows, Field, NONE } from '../../venue/eventRows.ts'
import { PARLAY_EVENT_NAMES, ParlayEvent, PositionOutcome, VaultEffect, VaultStatus } from '../../venue/parlay/protocol/events.ts'
import type { OpenCall, SettleCall } from '../vaultCall.ts'
import { isInPosition } from './parties.ts'
import { ParlayTerms } from './parlayTerms.ts'
import type { MirrorLog, ServiceReader } from './serviceReader.ts'

const OUTCOMES: Readonly<Record<number, SettleCall['outcome']>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}

/**
 * Rows of the parlay service as calls of its vault. A fill, deposit or withdrawal lands when the service says that the chain has it: at
 * once while the chain is well, else when its transaction is `balance_pending`.
 */
export class ParlayReader implements ServiceReader {
  readonly eventNames = PARLAY_EVENT_NAMES
  private readonly terms: ParlayTerms
  /** By position. */
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

  happened(events: EventRows, row: number, log: MirrorLog): void {
    switch (events.get(row, Field.kind)) {
      case ParlayEvent.positionOpened: return this.opened(events, row, log)
      case ParlayEvent.positionSettled: return settled(events, row, log)
      case ParlayEvent.positionBoughtBack: return this.boughtBack(events, row, log)
      case ParlayEvent.positionTransferred: return this.transferred(events, row, log)
      case ParlayEvent.fundsDeposited: return this.fundsMoved(events, row, 'deposit', log)
      case ParlayEvent.fundsWithdrawn: return this.fundsMoved(events, row, 'withdraw', log)
      case ParlayEvent.vaultTransactionStarted:
      case ParlayEvent.vaultTransactionChanged:
        return isFill(events, row) ? this.fillChanged(events, row, log) : this.fundsChanged(events, row, log)
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

  private opened(events: EventRows, row: number, log: MirrorLog): void {
    const call: OpenCall = {
      kind: 'open', ...causeOf(events, row), position: events.get(row, Field.position), ...this.terms.takeFill(events.get(row, Field.quote)),
      coreMicros: 0, signed: null,
    }
    if (startsPending(events, row)) this.pendingFills.set(call.position, call)
    else log.call(call)
  }

  private boughtBack(events: EventRows, row: number, log: MirrorLog): void {
    const { priceMicros } = this.terms.takeSale(events.get(row, Field.auction))
    log.call({ kind: 'buyback', ...causeOf(events, row), position: events.get(row, Field.position), priceMicros, signed: null })
  }

  private transferred(events: EventRows, row: number, log: MirrorLog): void {
    const { buyer, priceMicros } = this.terms.takeSale(events.get(row, Field.auction))
    log.call({ kind: 'transfer', ...causeOf(events, row), position: events.get(row, Field.position), buyer, priceMicros, signed: null })
  }

  private fillChanged(events: EventRows, row: number, log: MirrorLog): void {
    const position = events.get(row, Field.position)
    const call = this.pendingFills.get(position)
    if (call === undefined) return
    const status = events.get(row, Field.code)
    if (status === VaultStatus.chainPending) return log.waits(position)
    this.pendingFills.delete(position)
    if (status === VaultStatus.failed) log.failed(position)
    else log.call({ ...call, ...causeOf(events, row) })
  }

  private fundsChanged(events: EventRows, row: number, log: MirrorLog): void {
    const transaction = events.get(row, Field.amountC)
    switch (events.get(row, Field.code)) {
      case VaultStatus.balancePending: {
        const isDeposit = events.get(row, Field.amountB) === VaultEffect.deposit
        const amountMicros = events.get(row, Field.amountA)
        this.landed.add(transaction)
        moveFunds(events, row, isDeposit ? 'deposit' : 'withdraw', log)
        return log.ahead(transaction, events.get(row, Field.account), isDeposit ? amountMicros : -amountMicros)
      }
      case VaultStatus.completed:
        assert(this.landed.delete(transaction), `transaction ${transaction} was completed before the chain had it`)
        this.isCompleting = true
        return log.caughtUp(transaction)
      default:
    }
  }

  private fundsMoved(events: EventRows, row: number, kind: 'deposit' | 'withdraw', log: MirrorLog): void {
    if (!this.isCompleting) moveFunds(events, row, kind, log)
    this.isCompleting = false
  }
}

const causeOf = (events: EventRows, row: number): { readonly seq: number; readonly atUs: number } =>
  ({ seq: events.get(row, Field.seq), atUs: events.get(row, Field.atUs) })

function moveFunds(events: EventRows, row: number, kind: 'deposit' | 'withdraw', log: MirrorLog): void {
  const call = { ...causeOf(events, row), account: events.get(row, Field.account), amountMicros: events.get(row, Field.amountA) }
  log.call(kind === 'deposit' ? { kind, ...call } : { kind, ...call, signed: null })
}

function settled(events: EventRows, row: number, log: MirrorLog): void {
  const outcome = OUTCOMES[events.get(row, Field.code)]
  assert(outcome !== undefined, `no outcome ${events.get(row, Field.code)}`)
  log.call({ kind: 'settle', ...causeOf(events, row), position: events.get(row, Field.position), outcome })
}

/** Whether a transaction row is of a fill, whatever it waits for. */
const isFill = (events: EventRows, row: number): boolean => events.get(row, Field.amountB) >= VaultEffect.fill

/** Whether the chain is yet to fund the position that a row opens: the row after it starts its transaction. */
const startsPending = (events: EventRows, row: number): boolean =>
  row + 1 < events.count && events.get(row + 1, Field.kind) === ParlayEvent.vaultTransactionStarted && isFill(events, row + 1)
  && events.get(row + 1, Field.position) === events.get(row, Field.position)
