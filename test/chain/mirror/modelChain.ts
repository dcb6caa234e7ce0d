import type {
  AdmittedAccount, Bundle, BundleStatus, ChainFaultPort, ChainPosition, SettlementChain, VaultTokens,
} from '../../../src/chain/settlementChain.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'

/** What a parlay vault is told when it is set up. */
export interface ModelTerms {
  readonly profitFeeOnTransfer: boolean
  readonly profitFeeOnMaker: boolean
}

interface ModelPosition {
  readonly holder: number
  readonly backer: number
  readonly stake: bigint
  readonly risk: bigint
  readonly takerFee: bigint
  /** What the holder's profit counts from. */
  readonly basis: bigint
  readonly profitFeeBps: bigint
}

/** Everything that the chain is. Replaced, never changed. */
interface ModelState {
  readonly clockS: number
  readonly wallets: ReadonlyMap<number, bigint>
  readonly balances: ReadonlyMap<number, bigint>
  readonly positions: ReadonlyMap<number, ModelPosition>
  readonly house: bigint
  readonly tokens: bigint
  /** Deposits and withdrawals by row, positions by number, which have been. */
  readonly done: ReadonlySet<string>
  /** What became of transactions that reached the chain. */
  readonly transactions: ReadonlyMap<string, BundleStatus>
}

/** The vault said no. */
class Refusal extends Error {
  readonly done: boolean

  constructor(reason: string, done = false) {
    super(reason)
    this.done = done
  }
}

/** How the model misbehaves by itself. */
export interface ModelManners {
  readonly callsPerBundle?: number
  /** A bundle can land as long as at most so many were signed after it. Default: for ever. */
  readonly lifeBundles?: number
  /**
   * In which order bundles land: as sent (default), those of one broadcast last first, or as signed. As signed one that is missing holds up
   * the later ones; after a reorganisation what was sent and is missing goes out before whatever was signed after it.
   */
  readonly order?: 'sent' | 'reversed' | 'signed'
}

const EMPTY: ModelState = {
  clockS: 0, wallets: new Map(), balances: new Map(), positions: new Map(), house: 0n, tokens: 0n, done: new Set(), transactions: new Map(),
}

/** A chain in a few maps: a parlay vault written from its calls and the specification of fees, with nothing of the engine's. */
export class ModelChain implements SettlementChain {
  readonly name = 'svm'
  readonly callsPerBundle: number
  readonly landsInOrder: boolean
  readonly patienceMs = 90_000
  readonly faults: ChainFaultPort
  readonly terms: ModelTerms
  isClosed = false
  /** Every call that has had its effect, in order, undone ones too. */
  readonly landed: VaultCall[] = []
  /** The chain's clock at each of them. */
  readonly landedAtS: number[] = []
  /** Named once more by every reorganisation. */
  undone = 0
  private readonly manners: ModelManners
  private state = EMPTY
  private readonly signedAt = new Map<string, number>()
  private signed = 0
  private isDropping = false
  private isFunded = true
  private readonly quoteSigners = new Map<number, number>()
  private readonly given = new Map<number, bigint>()
  /** What was ever sent, and what waits for its turn, by number. */
  private readonly sent = new Map<number, Bundle>()
  private readonly queue = new Map<number, Bundle>()

  constructor(terms: ModelTerms = { profitFeeOnTransfer: true, profitFeeOnMaker: false }, manners: ModelManners = {}) {
    this.terms = terms
    this.manners = manners
    this.callsPerBundle = manners.callsPerBundle ?? 1
    this.landsInOrder = manners.order !== 'reversed'
    this.faults = {
      checkpoint: async () => {
        const { state } = this
        return async () => {
          this.undone++
          this.state = state
          this.queue.clear()
        }
      },
      drop: (on) => { this.isDropping = on },
      sponsor: async (funded) => { this.isFunded = funded },
    }
  }

  /** The same for two chains that hold the same, whatever their wallets were given. */
  holdings(): unknown {
    const { wallets, balances, positions, house, tokens } = this.state
    const sorted = <V>(map: ReadonlyMap<number, V>) => [...map].sort(([a], [b]) => a - b)
    const moved = new Map([...wallets].map(([account, micros]) => [account, micros - this.given.get(account)!]))
    return { wallets: sorted(moved), balances: sorted(balances), positions: sorted(positions), house, tokens }
  }

  async admit(accounts: readonly AdmittedAccount[]): Promise<void> {
    const wallets = new Map(this.state.wallets)
    for (const { account, fundsMicros, quoteSigner } of accounts) {
      wallets.set(account, (wallets.get(account) ?? 0n) + BigInt(fundsMicros))
      this.given.set(account, (this.given.get(account) ?? 0n) + BigInt(fundsMicros))
      this.quoteSigners.set(account, quoteSigner)
    }
    this.state = { ...this.state, wallets }
  }

  async advance(atS: number): Promise<void> {
    if (atS < this.state.clockS) throw new Error(`the clock went back from ${this.state.clockS} to ${atS}`)
    this.state = { ...this.state, clockS: atS }
  }

  async prepare(calls: readonly VaultCall[]): Promise<readonly Bundle[]> {
    const bundles: Bundle[] = []
    for (let from = 0; from < calls.length; from += this.callsPerBundle) {
      const id = `bundle ${++this.signed}`
      this.signedAt.set(id, this.signed)
      bundles.push({ id, calls: calls.slice(from, from + this.callsPerBundle), bytes: new TextEncoder().encode(id) })
    }
    return bundles
  }

  async broadcast(bundles: readonly Bundle[]): Promise<void> {
    if (this.isDropping || !this.isFunded) return
    if (this.manners.order === 'signed') return this.takeAsSigned(bundles)
    for (const bundle of this.manners.order === 'reversed' ? bundles.toReversed() : bundles) this.take(bundle)
  }

  async statuses(bundles: readonly Bundle[]): Promise<readonly BundleStatus[]> {
    return bundles.map((bundle) => this.state.transactions.get(bundle.id) ?? { state: this.isAlive(bundle) ? 'absent' : 'expired' })
  }

  async balances(accounts: readonly number[]): Promise<readonly bigint[]> {
    for (const account of accounts) if (!this.state.wallets.has(account)) throw new Error(`account ${account} was never admitted`)
    return accounts.map((account) => this.state.balances.get(account) ?? 0n)
  }

  async positions(positions: readonly number[]): Promise<readonly ChainPosition[]> {
    return positions.map((number) => {
      const position = this.state.positions.get(number)
      return position === undefined
        ? { potMicros: 0n, escrowMicros: 0n, holder: -1 }
        : { potMicros: position.stake + position.risk, escrowMicros: position.takerFee, holder: position.holder }
    })
  }

  async house(): Promise<bigint> {
    return this.state.house
  }

  async tokens(): Promise<VaultTokens> {
    return { owedMicros: this.state.tokens, heldMicros: this.state.tokens }
  }

  async wallets(accounts: readonly number[]): Promise<readonly bigint[]> {
    return accounts.map((account) => this.state.wallets.get(account) ?? 0n)
  }

  async close(): Promise<void> {
    if (this.isClosed) throw new Error('closed twice')
    this.isClosed = true
  }

  private isAlive({ id }: Bundle): boolean {
    return this.signed - this.signedAt.get(id)! <= (this.manners.lifeBundles ?? Infinity)
  }

  private takeAsSigned(bundles: readonly Bundle[]): void {
    const numberOf = ({ id }: Bundle): number => this.signedAt.get(id)!
    const first = Math.min(...bundles.map(numberOf))
    for (const [number, bundle] of this.sent) if (number < first) this.queue.set(number, bundle)
    for (const bundle of bundles) {
      this.sent.set(numberOf(bundle), bundle)
      this.queue.set(numberOf(bundle), bundle)
    }
    for (;;) {
      const next = this.queue.get(this.state.transactions.size + 1)
      if (next === undefined) return
      this.take(next)
    }
  }

  /** A transaction lands whole or is refused, once. */
  private take(bundle: Bundle): void {
    if (this.state.transactions.has(bundle.id) || !this.isAlive(bundle)) return
    let next = this.state
    let status: BundleStatus = { state: 'final' }
    for (const [i, call] of bundle.calls.entries()) {
      try {
        next = effectOf(next, call, this.terms)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        next = this.state
        status = { state: 'refused', call: i, reason: error.message, done: error.done }
        break
      }
    }
    for (const call of status.state === 'final' ? bundle.calls : []) {
      this.landed.push(call)
      this.landedAtS.push(this.state.clockS)
    }
    this.state = { ...next, transactions: new Map(next.transactions).set(bundle.id, status) }
  }
}

function effectOf(state: ModelState, call: VaultCall, terms: ModelTerms): ModelState {
  if (Math.floor(call.atUs / 1e6) > state.clockS) throw new Refusal('it has not happened yet')
  switch (call.kind) {
    case 'deposit': return moved(once(state, `deposit ${call.seq}`), call.account, -BigInt(call.amountMicros))
    case 'withdraw': return moved(once(state, `withdraw ${call.seq}`), call.account, BigInt(call.amountMicros))
    case 'open': {
      const [stake, risk, takerFee] = [BigInt(call.stakeMicros), BigInt(call.riskMicros), BigInt(call.takerFeeMicros)]
      // The fee is a share of the gross bet, rounded down (PQ-418).
      if (takerFee !== ((stake + takerFee) * BigInt(call.takerFeeBps)) / 10_000n) throw new Refusal('taker fee')
      const position: ModelPosition = {
        holder: call.holder, backer: call.backer, stake, risk, takerFee, basis: stake, profitFeeBps: BigInt(call.profitFeeBps),
      }
      const funded = paid(paid(once(state, `open ${call.position}`), call.holder, -stake - takerFee), call.backer, -risk)
      return { ...funded, positions: new Map(funded.positions).set(call.position, position) }
    }
    case 'settle': return settled(state, call.position, call.outcome, terms)
    case 'buyback': {
      const { holder, backer, stake, risk, takerFee, basis, profitFeeBps } = positionOf(state, call.position)
      const price = BigInt(call.priceMicros)
      const fee = feeOf(price - basis, profitFeeBps)
      const makerFee = terms.profitFeeOnMaker ? feeOf(stake - price, profitFeeBps) : 0n
      if (price > stake + risk) throw new Refusal('price above the payout')
      return ended(paid(paid(state, holder, price - fee), backer, stake + risk - price - makerFee), call.position, fee + makerFee + takerFee)
    }
    case 'transfer': {
      const position = positionOf(state, call.position)
      const price = BigInt(call.priceMicros)
      if (state.done.has(`transfer ${call.seq}`)) throw new Refusal('transferred before', true)
      const fee = terms.profitFeeOnTransfer ? feeOf(price - position.basis, position.profitFeeBps) : 0n
      const traded = paid(paid(once(state, `transfer ${call.seq}`), call.buyer, -price), position.holder, price - fee)
      const next = { ...position, holder: call.buyer, basis: terms.profitFeeOnTransfer ? price : position.basis }
      return { ...traded, house: traded.house + fee, positions: new Map(traded.positions).set(call.position, next) }
    }
    default: throw new Error(`no call of the parlay service: ${call.kind}`)
  }
}

/** A win pays the pot less the profit fee, a loss gives it to the backing maker, a void undoes everything (PQ-419, PQ-426). */
function settled(state: ModelState, number: number, outcome: 'lost' | 'won' | 'void', terms: ModelTerms): ModelState {
  const { holder, backer, stake, risk, takerFee, basis, profitFeeBps } = positionOf(state, number)
  if (outcome === 'void') return ended(paid(paid(state, holder, stake + takerFee), backer, risk), number, 0n)
  if (outcome === 'won') {
    const fee = feeOf(stake + risk - basis, profitFeeBps)
    return ended(paid(state, holder, stake + risk - fee), number, fee + takerFee)
  }
  const fee = terms.profitFeeOnMaker ? feeOf(stake, profitFeeBps) : 0n
  return ended(paid(state, backer, stake + risk - fee), number, fee + takerFee)
}

const feeOf = (profit: bigint, bps: bigint): bigint => (profit > 0n ? (profit * bps) / 10_000n : 0n)

function positionOf(state: ModelState, number: number): ModelPosition {
  const position = state.positions.get(number)
  if (position === undefined) throw new Refusal(`no position ${number}`, state.done.has(`open ${number}`))
  return position
}

function once(state: ModelState, what: string): ModelState {
  if (state.done.has(what)) throw new Refusal(`${what} is done`, true)
  return { ...state, done: new Set(state.done).add(what) }
}

/** Between the vault and a wallet; above zero out of the vault. */
function moved(state: ModelState, account: number, micros: bigint): ModelState {
  const wallet = (state.wallets.get(account) ?? 0n) + micros
  if (wallet < 0n) throw new Refusal('wallet is short')
  const next = paid(state, account, -micros)
  return { ...next, wallets: new Map(next.wallets).set(account, wallet), tokens: next.tokens - micros }
}

function paid(state: ModelState, account: number, micros: bigint): ModelState {
  const balance = (state.balances.get(account) ?? 0n) + micros
  if (balance < 0n) throw new Refusal(`balance of ${account} is short`)
  return { ...state, balances: new Map(state.balances).set(account, balance) }
}

function ended(state: ModelState, number: number, fees: bigint): ModelState {
  const positions = new Map(state.positions)
  positions.delete(number)
  return { ...state, positions, house: state.house + fees }
}
