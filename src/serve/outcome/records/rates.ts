import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import { FeesChanged, OutcomeEvent, type OutcomeKind, SignerChanged } from '../../../venue/outcome/protocol/events.ts'

/** The fees in force and who signs for whom, as rows tell them. */
export class RateRecords {
  /** Basis points. */
  takerFeeBps: number
  feeBps: number
  private readonly signers = new Map<number, number>()

  /** @param begin the fees before any row. */
  constructor(begin: { readonly takerFeeBps: number; readonly feeBps: number }) {
    this.takerFeeBps = begin.takerFeeBps
    this.feeBps = begin.feeBps
  }

  /** The current quote signer of a maker: its wallet, which has the account's number, until it names another. */
  signerOf(account: number): number {
    return this.signers.get(account) ?? account
  }

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.feesChanged: {
        const changed = rowOfKind(row, kind)
        this.takerFeeBps = events.read(changed, FeesChanged.takerFeeBps)
        this.feeBps = events.read(changed, FeesChanged.profitFeeBps)
        break
      }
      case OutcomeEvent.signerChanged: {
        const changed = rowOfKind(row, kind)
        this.signers.set(events.read(changed, SignerChanged.account), events.read(changed, SignerChanged.signer))
        break
      }
      default:
    }
  }
}
