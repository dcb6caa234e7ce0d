import type { VaultErrorName } from '../../../src/chain/svm/layout.ts'

interface ModelUser {
  balance: bigint
  wallet: bigint
  sequence: bigint
  /** Kind and amount of the step that had it. */
  last: string
  delegatedUntilS: bigint
}

interface ModelPosition {
  holder: string
  readonly backer: string
  readonly stake: bigint
  readonly risk: bigint
  readonly takerFee: bigint
  readonly profitFeeBps: bigint
  readonly feeOnMaker: boolean
  readonly feeOnTransfer: boolean
  basis: bigint
  transfers: bigint
  lastTransfer: string
  end: 'open' | 'lost' | 'won' | 'void' | 'boughtBack'
  price: bigint
}

export type ModelCommand =
  | { readonly kind: 'deposit' | 'withdraw'; readonly user: string; readonly amount: bigint; readonly sequence: bigint }
  | { readonly kind: 'delegate'; readonly user: string; readonly on: boolean }
  | { readonly kind: 'wait'; readonly seconds: bigint }
  | {
    readonly kind: 'open'; readonly name: string; readonly holder: string; readonly backer: string; readonly gross: bigint; readonly risk: bigint
    readonly takerFeeBps: bigint; readonly profitFeeBps: bigint; readonly flags: number
  }
  | { readonly kind: 'settle'; readonly name: string; readonly holder: string; readonly backer: string; readonly outcome: 'lost' | 'won' | 'void' }
  | { readonly kind: 'buyback'; readonly name: string; readonly holder: string; readonly backer: string; readonly price: bigint }
  | {
    readonly kind: 'transfer'; readonly name: string; readonly seller: string; readonly buyer: string; readonly price: bigint
    readonly sequence: bigint
  }
  | { readonly kind: 'collect'; readonly amount: bigint; readonly sequence: bigint }

const U64_MAX = 2n ** 64n - 1n
const FOREVER_S = 2n ** 63n - 1n
const DAY_S = 86_400n

const feeOf = (amount: bigint, bps: bigint): bigint => (amount > 0n ? (amount * bps) / 10_000n : 0n)

/** The vault as one would explain it: who owns what, in plain sums. It says which commands the vault takes, and what they do. */
export class VaultModel {
  readonly users = new Map<string, ModelUser>()
  readonly positions = new Map<string, ModelPosition>()
  house = 0n
  treasury = 0n
  collections = 0n
  deposits = 0n
  nowS = 0n
  private collected = 0n

  addUser(name: string, walletMicros: bigint): void {
    this.users.set(name, { balance: 0n, wallet: walletMicros, sequence: 0n, last: '', delegatedUntilS: FOREVER_S })
  }

  /** All that wallets have put in less what was paid out. */
  owed(): bigint {
    let sum = this.house
    for (const user of this.users.values()) sum += user.balance
    for (const p of this.positions.values()) if (p.end === 'open') sum += p.stake + p.risk + p.takerFee
    return sum
  }

  /** Applies a command, or gives the reason why the vault refuses it, with nothing changed. */
  apply(command: ModelCommand): VaultErrorName | null {
    switch (command.kind) {
      case 'deposit':
      case 'withdraw': return this.move(command)
      case 'delegate':
        this.delegate(this.users.get(command.user)!, command.on)
        return null
      case 'wait':
        this.nowS += command.seconds
        return null
      case 'open': return this.open(command)
      case 'settle': return this.settle(command)
      case 'buyback': return this.buyback(command)
      case 'transfer': return this.transfer(command)
      case 'collect': return this.collect(command)
    }
  }

  private delegate(user: ModelUser, on: boolean): void {
    const endS = this.nowS + DAY_S
    user.delegatedUntilS = on ? FOREVER_S : user.delegatedUntilS < endS ? user.delegatedUntilS : endS
  }

  isDelegated(...names: readonly string[]): boolean {
    return names.every((name) => this.nowS < this.users.get(name)!.delegatedUntilS)
  }

  private move({ kind, user: name, amount, sequence }: ModelCommand & { kind: 'deposit' | 'withdraw' }): VaultErrorName | null {
    const user = this.users.get(name)!
    const refusal = refusalOfStep(amount, sequence, user.sequence, user.last === `${kind} ${amount}`)
    if (refusal !== null) return refusal
    if (kind === 'deposit' && amount > user.wallet) return 'insufficientTokens'
    if (kind === 'withdraw' && amount > user.balance) return 'insufficientBalance'
    const signed = kind === 'deposit' ? amount : -amount
    user.balance += signed
    user.wallet -= signed
    user.sequence = sequence
    user.last = `${kind} ${amount}`
    if (kind === 'deposit') this.deposits++
    return null
  }

  private open(c: ModelCommand & { kind: 'open' }): VaultErrorName | null {
    const [holder, backer] = [this.users.get(c.holder)!, this.users.get(c.backer)!]
    const takerFee = feeOf(c.gross, c.takerFeeBps)
    const stake = c.gross - takerFee
    const feeOnMaker = (c.flags & 1) !== 0
    const feeOnTransfer = (c.flags & 2) !== 0
    const known = this.positions.get(c.name)
    if (known !== undefined) {
      const same = known.stake === stake && known.risk === c.risk && known.takerFee === takerFee && known.profitFeeBps === c.profitFeeBps
        && known.backer === c.backer && known.feeOnMaker === feeOnMaker && known.feeOnTransfer === feeOnTransfer
        && (known.transfers > 0n || known.holder === c.holder)
      return same ? 'positionExists' : 'positionHasOtherTerms'
    }
    if (!this.isDelegated(c.holder, c.backer)) return 'notDelegated'
    if (stake === 0n) return 'zeroAmount'
    if (c.gross + c.risk > U64_MAX) return 'sumOverflow'
    const needed = c.holder === c.backer ? c.gross + c.risk : c.gross
    if (holder.balance < needed || backer.balance < c.risk) return 'insufficientBalance'
    holder.balance -= c.gross
    backer.balance -= c.risk
    this.positions.set(c.name, {
      holder: c.holder, backer: c.backer, stake, risk: c.risk, takerFee, profitFeeBps: c.profitFeeBps, feeOnMaker, feeOnTransfer,
      basis: stake, transfers: 0n, lastTransfer: '', end: 'open', price: 0n,
    })
    return null
  }

  private settle(c: ModelCommand & { kind: 'settle' }): VaultErrorName | null {
    const p = this.positions.get(c.name)
    if (p === undefined) return 'wrongOwner'
    if (p.end !== 'open') return p.end === c.outcome ? 'positionEnded' : 'positionEndedOtherwise'
    if (p.holder !== c.holder || p.backer !== c.backer) return 'wrongWallet'
    p.end = c.outcome
    if (c.outcome === 'void') return this.pay(p, p.stake + p.takerFee, p.risk, 0n)
    if (c.outcome === 'won') {
      const fee = feeOf(p.stake + p.risk - p.basis, p.profitFeeBps)
      return this.pay(p, p.stake + p.risk - fee, 0n, fee + p.takerFee)
    }
    const fee = p.feeOnMaker ? feeOf(p.stake, p.profitFeeBps) : 0n
    return this.pay(p, 0n, p.stake + p.risk - fee, fee + p.takerFee)
  }

  private buyback(c: ModelCommand & { kind: 'buyback' }): VaultErrorName | null {
    const p = this.positions.get(c.name)
    if (c.price === 0n) return 'zeroAmount'
    if (p === undefined) return 'wrongOwner'
    if (c.holder === c.backer) return 'sameAccount'
    if (p.end !== 'open') return p.end === 'boughtBack' && p.price === c.price ? 'positionEnded' : 'positionEndedOtherwise'
    if (p.holder !== c.holder || p.backer !== c.backer) return 'wrongWallet'
    if (!this.isDelegated(p.holder, p.backer)) return 'notDelegated'
    if (c.price > p.stake + p.risk) return 'priceAbovePayout'
    const fee = feeOf(c.price - p.basis, p.profitFeeBps)
    const makerFee = p.feeOnMaker ? feeOf(p.stake - c.price, p.profitFeeBps) : 0n
    p.end = 'boughtBack'
    p.price = c.price
    return this.pay(p, c.price - fee, p.stake + p.risk - c.price - makerFee, fee + makerFee + p.takerFee)
  }

  private pay(p: ModelPosition, toHolder: bigint, toBacker: bigint, toHouse: bigint): null {
    this.users.get(p.holder)!.balance += toHolder
    this.users.get(p.backer)!.balance += toBacker
    this.house += toHouse
    return null
  }

  private transfer(c: ModelCommand & { kind: 'transfer' }): VaultErrorName | null {
    const p = this.positions.get(c.name)
    if (c.price === 0n) return 'zeroAmount'
    if (p === undefined) return 'wrongOwner'
    if (c.seller === c.buyer) return 'sameAccount'
    const refusal = refusalOfStep(c.price, c.sequence, p.transfers, p.lastTransfer === `${c.buyer} ${c.price}`)
    if (refusal !== null) return refusal
    if (p.end !== 'open') return 'positionEndedOtherwise'
    if (p.holder !== c.seller) return 'wrongWallet'
    if (p.backer === c.buyer) return 'buyerIsBacker'
    const [seller, buyer] = [this.users.get(c.seller)!, this.users.get(c.buyer)!]
    if (!this.isDelegated(c.seller, c.buyer)) return 'notDelegated'
    if (c.price > p.stake + p.risk) return 'priceAbovePayout'
    if (buyer.balance < c.price) return 'insufficientBalance'
    const fee = p.feeOnTransfer ? feeOf(c.price - p.basis, p.profitFeeBps) : 0n
    buyer.balance -= c.price
    seller.balance += c.price - fee
    this.house += fee
    if (p.feeOnTransfer) p.basis = c.price
    p.holder = c.buyer
    p.transfers = c.sequence
    p.lastTransfer = `${c.buyer} ${c.price}`
    return null
  }

  private collect({ amount, sequence }: ModelCommand & { kind: 'collect' }): VaultErrorName | null {
    const refusal = refusalOfStep(amount, sequence, this.collections, amount === this.collected)
    if (refusal !== null) return refusal
    if (amount > this.house) return 'insufficientBalance'
    this.house -= amount
    this.treasury += amount
    this.collections = sequence
    this.collected = amount
    return null
  }
}

function refusalOfStep(amount: bigint, sequence: bigint, last: bigint, isLast: boolean): VaultErrorName | null {
  if (amount === 0n) return 'zeroAmount'
  if (sequence === last && !isLast) return 'sequenceHasOtherTerms'
  if (sequence <= last) return 'sequenceDone'
  return sequence === last + 1n ? null : 'sequenceGap'
}
