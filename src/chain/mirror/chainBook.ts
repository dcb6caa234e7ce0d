import { assert } from '../../unit/assert.ts'
import type { VaultCall } from '../vaultCall.ts'
import { BalanceSheet, type PositionMoney } from './balanceSheet.ts'
import { accountsOf, isBalance, isInPosition } from './parties.ts'
import type { Movement, SettlementStep, StepEntry } from './settlementStep.ts'

/** Money that ledger and chain have at different places for now. */
export type Pending =
  /** The ledger has moved a fill's money that the chain has not. */
  | { readonly kind: 'fill'; readonly position: number; readonly movements: readonly Movement[] }
  /** The chain has a deposit (above zero) or withdrawal (below) that the ledger has not. */
  | { readonly kind: 'ahead'; readonly transaction: number; readonly account: number; readonly amountMicros: number }

/** What a step changed, or was meant to change, on the chain. */
export class Touched {
  readonly accounts = new Set<number>()
  readonly positions = new Set<number>()

  movement({ debitKind, debitOwner, creditKind, creditOwner }: Movement): void {
    this.side(debitKind, debitOwner)
    this.side(creditKind, creditOwner)
  }

  private side(kind: number, owner: number): void {
    if (isBalance(kind)) this.accounts.add(owner)
    else if (isInPosition(kind)) this.positions.add(owner)
  }
}

export const NOBODY = -1

/**
 * What a vault's chain must hold, kept from the ledger's postings alone. Amounts in events or calls do not go in. Calls only say when a
 * position exists: its postings wait until its `open`. A deposit or withdrawal that the chain has first counts until its posting comes,
 * which has to cancel it to the micro-unit (`assertPending`).
 */
export class ChainBook {
  /** What the chain must have. */
  readonly chain = new BalanceSheet()
  /** What the ledger has. */
  readonly ledger = new BalanceSheet()
  /** The holders of positions that are open on the chain. */
  private readonly holders = new Map<number, number>()
  private readonly waiting = new Map<number, Movement[]>()
  private readonly pendingFills = new Set<number>()
  private readonly ahead = new Map<number, { readonly account: number; readonly amountMicros: number }>()

  /** Takes a step in. Afterwards the book says what the chain must hold once the step's calls have landed. */
  take(step: SettlementStep): Touched {
    const touched = new Touched()
    for (const entry of step.entries) this.enter(entry, touched)
    for (const position of this.waiting.keys()) if (!this.pendingFills.has(position)) this.drop(position, touched)
    return touched
  }

  /** The holder of a position, −1 for one that is over or is not on the chain. */
  holder(position: number): number {
    return this.holders.get(position) ?? NOBODY
  }

  positionMoney(position: number): PositionMoney {
    return this.chain.positionMoney(position)
  }

  /** Numbers of the positions that are open on the chain. */
  openPositions(): number[] {
    return [...this.holders.keys()]
  }

  /** Accounts that ever had money here. */
  accounts(): number[] {
    return [...this.chain.balances.keys()]
  }

  pending(): Pending[] {
    return [
      ...[...this.waiting].map(([position, movements]): Pending => ({ kind: 'fill', position, movements })),
      ...[...this.ahead].map(([transaction, money]): Pending => ({ kind: 'ahead', transaction, ...money })),
    ]
  }

  /** Asserts that ledger and chain differ by nothing but what is pending, and that each adds up. */
  assertPending(): void {
    const rest = new BalanceSheet()
    for (const entry of this.pending()) {
      if (entry.kind === 'ahead') rest.deposit(entry.account, -entry.amountMicros)
      else for (const movement of entry.movements) rest.move(movement)
    }
    for (const account of new Set([...this.ledger.balances.keys(), ...this.chain.balances.keys()])) {
      const difference = this.ledger.balanceMicros(account) - this.chain.balanceMicros(account)
      assert(difference === rest.balanceMicros(account), `what is pending of account ${account} is not what ledger and chain differ by`)
    }
    for (const position of new Set([...this.ledger.positions.keys(), ...this.chain.positions.keys()])) {
      const [ofLedger, ofChain, ofRest] = [this.ledger, this.chain, rest].map((sheet) => sheet.positionMoney(position))
      const isExplained = ofLedger!.potMicros - ofChain!.potMicros === ofRest!.potMicros
        && ofLedger!.escrowMicros - ofChain!.escrowMicros === ofRest!.escrowMicros
      assert(isExplained, `what is pending of position ${position} is not what ledger and chain differ by`)
    }
    const isHouseExplained = this.ledger.houseMicros - this.chain.houseMicros === rest.houseMicros
    assert(isHouseExplained, 'what is pending of the house is not what ledger and chain differ by')
    assert(this.chain.sumMicros() === this.chain.heldMicros, 'the book does not add up')
  }

  private enter(entry: StepEntry, touched: Touched): void {
    switch (entry.kind) {
      case 'posting': return this.post(entry.movement, touched)
      case 'call': return this.call(entry.call, touched)
      case 'waits':
        this.pendingFills.add(entry.position)
        return
      case 'failed': return this.drop(entry.position, touched)
      case 'ahead':
        this.ahead.set(entry.transaction, { account: entry.account, amountMicros: entry.amountMicros })
        this.chain.deposit(entry.account, entry.amountMicros)
        touched.accounts.add(entry.account)
        return
      case 'caughtUp': {
        const caught = this.ahead.get(entry.transaction)
        assert(caught !== undefined, `transaction ${entry.transaction} was not ahead of the ledger`)
        this.ahead.delete(entry.transaction)
        this.chain.deposit(caught.account, -caught.amountMicros)
        touched.accounts.add(caught.account)
      }
    }
  }

  private post(movement: Movement, touched: Touched): void {
    const { position } = movement
    this.ledger.move(movement)
    if (position !== NOBODY && !this.holders.has(position)) {
      const waiting = this.waiting.get(position)
      if (waiting === undefined) this.waiting.set(position, [movement])
      else waiting.push(movement)
      return
    }
    this.chain.move(movement)
    touched.movement(movement)
  }

  private call(call: VaultCall, touched: Touched): void {
    for (const account of accountsOf(call)) touched.accounts.add(account)
    if (!('position' in call)) return
    const { position } = call
    touched.positions.add(position)
    switch (call.kind) {
      case 'open':
        this.holders.set(position, call.holder)
        this.pendingFills.delete(position)
        this.moveWaiting(position, touched)
        return
      case 'transfer':
        this.holders.set(position, call.buyer)
        return
      default:
        this.holders.delete(position)
    }
  }

  /**
   * Money that waits for a position that the chain will never have, or no longer has, counts as money that the chain must hold. The chain
   * moves none of it, so that it shows as a difference unless the ledger has moved it back.
   */
  private drop(position: number, touched: Touched): void {
    this.moveWaiting(position, touched)
    this.pendingFills.delete(position)
  }

  private moveWaiting(position: number, touched: Touched): void {
    for (const movement of this.waiting.get(position) ?? []) {
      this.chain.move(movement)
      touched.movement(movement)
    }
    this.waiting.delete(position)
  }
}
