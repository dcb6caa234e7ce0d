import type { VaultSettings } from '../../../src/chain/evm/abi.ts'

const BPS = 10_000n

interface ModelPosition {
  readonly netStake: bigint
  readonly payout: bigint
  readonly feeBps: bigint
  readonly backer: string
  holder: string
  basis: bigint
  state: 'open' | 'won' | 'over'
}

/** A plain account of what a vault must hold, written from docs/conformance/outcome.md; each step says whether it may be. */
export class VaultModel {
  readonly balances = new Map<string, bigint>()
  readonly wallets = new Map<string, bigint>()
  readonly positions = new Map<number, ModelPosition>()
  readonly reductions = new Map<number, { account: string; amount: bigint; atS: number }>()
  house = 0n
  private readonly settings: Pick<VaultSettings, 'feeOnCashout' | 'profitOverGross'>

  constructor(settings: Pick<VaultSettings, 'feeOnCashout' | 'profitOverGross'>) {
    this.settings = settings
  }

  free(account: string): bigint {
    return this.balances.get(account) ?? 0n
  }

  /** Balance and reductions that wait. */
  money(account: string): bigint {
    const waiting = [...this.reductions.values()].filter((reduction) => reduction.account === account)
    return waiting.reduce((sum, { amount }) => sum + amount, this.free(account))
  }

  owed(): bigint {
    const pots = [...this.positions.values()].reduce((sum, { state, payout }) => sum + (state === 'over' ? 0n : payout), 0n)
    return [...this.balances.keys()].reduce((sum, account) => sum + this.money(account), this.house + pots)
  }

  deposit(account: string, amount: bigint): boolean {
    if (amount > this.wallets.get(account)!) return false
    this.pay(account, amount)
    this.gain(account, -amount)
    return true
  }

  withdraw(account: string, amount: bigint): boolean {
    if (amount > this.free(account)) return false
    this.pay(account, -amount)
    this.gain(account, amount)
    return true
  }

  fill(number: number, taker: string, maker: string, { stake, payout, takerFeeBps, feeBps, core }: {
    stake: bigint; payout: bigint; takerFeeBps: bigint; feeBps: bigint; core: bigint
  }): boolean {
    const fee = (stake * takerFeeBps) / BPS
    const netStake = stake - fee
    if (stake - core > this.free(taker) || payout - netStake > this.free(maker) || core > this.wallets.get(taker)!) return false
    this.pay(taker, core - stake)
    this.gain(taker, -core)
    this.pay(maker, netStake - payout)
    this.house += fee
    const basis = this.settings.profitOverGross ? stake : netStake
    this.positions.set(number, { netStake, payout, feeBps, backer: maker, holder: taker, basis, state: 'open' })
    return true
  }

  sell(number: number, buyer: string, price: bigint): boolean {
    const position = this.positions.get(number)!
    const { holder, backer } = position
    if (position.state !== 'open' || (buyer !== backer && price > this.free(buyer))) return false
    const fee = this.settings.feeOnCashout ? profitFee(price, position) : 0n
    this.pay(holder, price - fee)
    this.house += fee
    if (buyer === backer) {
      this.pay(backer, position.payout - price)
      position.state = 'over'
      return true
    }
    this.pay(buyer, -price)
    position.holder = buyer
    if (this.settings.feeOnCashout) position.basis = price
    return true
  }

  resolve(number: number, outcome: 'lost' | 'won' | 'void'): boolean {
    const position = this.positions.get(number)!
    if (position.state !== 'open') return false
    position.state = outcome === 'won' ? 'won' : 'over'
    if (outcome === 'lost') this.pay(position.backer, position.payout)
    if (outcome === 'void') {
      this.pay(position.holder, position.netStake)
      this.pay(position.backer, position.payout - position.netStake)
    }
    return true
  }

  claim(number: number): boolean {
    const position = this.positions.get(number)!
    if (position.state !== 'won') return false
    const fee = profitFee(position.payout, position)
    this.pay(position.holder, position.payout - fee)
    this.house += fee
    position.state = 'over'
    return true
  }

  reduce(number: number, account: string, amount: bigint, nowS: number, delayS: number): boolean {
    if (amount > this.free(account)) return false
    this.pay(account, -amount)
    this.reductions.set(number, { account, amount, atS: nowS + delayS })
    return true
  }

  release(number: number, nowS: number): boolean {
    const reduction = this.reductions.get(number)
    if (reduction === undefined || nowS < reduction.atS) return false
    this.gain(reduction.account, reduction.amount)
    this.reductions.delete(number)
    return true
  }

  collect(amount: bigint): boolean {
    if (amount > this.house) return false
    this.house -= amount
    return true
  }

  private pay(account: string, amount: bigint): void {
    this.balances.set(account, this.free(account) + amount)
  }

  private gain(account: string, amount: bigint): void {
    this.wallets.set(account, this.wallets.get(account)! + amount)
  }
}

const profitFee = (amount: bigint, { basis, feeBps }: ModelPosition): bigint => (amount > basis ? ((amount - basis) * feeBps) / BPS : 0n)
