import { assert } from '../../unit/assert.ts'
import type { DepositCall, OpenCall, TransferCall, WithdrawCall } from '../vaultCall.ts'

interface Parties {
  readonly backer: number
  holder: number
  /** Transfers so far, each by the event row that it comes from. */
  readonly transfers: Map<number, TransferTerms>
}

/** A transfer's number among those of its position, from 1, and who sells. */
export interface TransferTerms {
  readonly sequence: number
  readonly seller: number
}

/**
 * What instructions need besides their calls: running numbers of deposits, withdrawals and transfers, and the parties of a
 * position. They follow from the order in which calls are first prepared. A call that is prepared again (with the same event row)
 * keeps its numbers, so that the vault recognises it.
 */
export class CallTerms {
  /** Numbers of each account's deposits and withdrawals, by kind and event row. */
  private readonly sequences = new Map<number, Map<string, number>>()
  private readonly positions = new Map<number, Parties>()

  /** Number of a deposit or withdrawal among those of its account, from 1. */
  sequence({ account, kind, seq }: DepositCall | WithdrawCall): number {
    let ofAccount = this.sequences.get(account)
    if (ofAccount === undefined) this.sequences.set(account, (ofAccount = new Map()))
    const name = `${kind}:${seq}`
    let sequence = ofAccount.get(name)
    if (sequence === undefined) ofAccount.set(name, (sequence = ofAccount.size + 1))
    return sequence
  }

  open({ position, holder, backer }: OpenCall): void {
    if (!this.positions.has(position)) this.positions.set(position, { backer, holder, transfers: new Map() })
  }

  transfer({ position, buyer, seq }: TransferCall): TransferTerms {
    const parties = this.partiesOf(position)
    let terms = parties.transfers.get(seq)
    if (terms === undefined) {
      terms = { sequence: parties.transfers.size + 1, seller: parties.holder }
      parties.transfers.set(seq, terms)
      parties.holder = buyer
    }
    return terms
  }

  /** Who holds the position after all transfers that were prepared, and who backs it. */
  partiesOf(position: number): Parties {
    const parties = this.positions.get(position)
    assert(parties !== undefined, 'a position is opened on the chain before anything else befalls it')
    return parties
  }
}
