import { assert, Bug } from '../unit/assert.ts'
import { SERVICE_NAMES } from '../unit/services.ts'

/** One participant, by account number. */
export interface DirectoryAccount {
  readonly name: string
  readonly role: 'bettor' | 'maker' | 'both'
  /** The name by which results are grouped: the cohort of a bettor, the name of a maker. */
  readonly group: string
  /** Services on which a maker quotes. Absent when it quotes on all of the session. */
  readonly services?: readonly (typeof SERVICE_NAMES)[number][]
}

/** One market, by the number that venues know it by. */
export interface DirectoryMarket {
  readonly ticker: string
  /** Label of the settlement cluster, the game or the day as YYYY-MM-DD (docs/metrics.md). */
  readonly cluster: string
  /** When the market settles, µs. The leg of a parlay that settles last decides its cluster. Without this instant the order of labels decides. */
  readonly settledUs?: number
  /** Kind of the market, absent when none is known. */
  readonly category?: string
  /** Name of a set of markets of which at most one comes true, absent when none is known. */
  readonly exclusive?: string
}

/** The category of legs in several categories, and of a market without one. */
const MIXED = 'mixed'
const UNCATEGORISED = 'none'

/** Who and what can appear in a session's tables: dictionaries are fixed at the start. */
export interface Directory {
  /** Index = account number. */
  readonly accounts: readonly DirectoryAccount[]
  /** Index = market number. */
  readonly markets: readonly DirectoryMarket[]
}

/** The dictionaries of a directory, and the codes of its accounts and markets in them. */
export class DirectoryCodes {
  declare readonly makerNames: readonly string[]
  declare readonly groups: readonly string[]
  declare readonly tickers: readonly string[]
  /** In the order of their labels, so that the later of two days has the higher code. */
  declare readonly clusters: readonly string[]
  declare readonly categories: readonly string[]
  /** Tickers of the markets of which at most one comes true, for every set with several. */
  declare readonly exclusive: readonly (readonly string[])[]
  /** Account numbers that may quote, ascending. */
  declare readonly makerAccounts: readonly number[]
  /** By account: index in `makerNames`, −1 for a bettor. */
  private declare readonly makers: Int32Array
  private declare readonly groupCodes: Int32Array
  /** By account: one bit for each service on which it quotes. */
  private declare readonly services: Uint8Array
  private declare readonly clusterCodes: Int32Array
  private declare readonly categoryCodes: Int32Array
  private declare readonly settledUs: Float64Array

  constructor(directory: Directory) {
    const mayQuote = (account: DirectoryAccount): boolean => account.role !== 'bettor'
    this.makerAccounts = directory.accounts.flatMap((account, number) => (mayQuote(account) ? [number] : []))
    this.makerNames = this.makerAccounts.map((number) => directory.accounts[number]!.name)
    this.groups = distinct(directory.accounts.map((account) => account.group))
    this.tickers = directory.markets.map((market) => market.ticker)
    this.clusters = distinct(directory.markets.map((market) => market.cluster)).sort()
    const categories = directory.markets.map((market) => market.category || UNCATEGORISED)
    this.categories = distinct([...categories.toSorted(), MIXED])
    this.categoryCodes = codesIn(this.categories, categories)
    this.exclusive = exclusiveTickers(directory.markets)
    this.makers = new Int32Array(directory.accounts.length).fill(-1)
    this.makerAccounts.forEach((number, code) => { this.makers[number] = code })
    this.services = Uint8Array.from(directory.accounts, (account) => serviceBits(account))
    this.groupCodes = codesIn(this.groups, directory.accounts.map((account) => account.group))
    this.clusterCodes = codesIn(this.clusters, directory.markets.map((market) => market.cluster))
    this.settledUs = Float64Array.from(directory.markets, (market) => market.settledUs ?? 0)
  }

  /** Code of a maker's name. An account that is no maker of the directory stops the run. */
  maker(account: number): number {
    const code = this.makers[account] ?? -1
    if (code < 0) throw new Bug(`account ${account} quotes but is no maker of the directory`)
    return code
  }

  /** Whether a maker quotes on a service. */
  quotesOn(account: number, service: number): boolean {
    return (this.services[account]! >> service & 1) === 1
  }

  group(account: number): number {
    const code = this.groupCodes[account]
    if (code === undefined) throw new Bug(`account ${account} is not in the directory`)
    return code
  }

  /** Whether an account number is in the directory; operators and unknown callers are not. */
  has(account: number): boolean {
    return this.groupCodes[account] !== undefined
  }

  /** The code of a parlay's cluster: that of the leg that settles last, and among equals the later label. */
  cluster(markets: ArrayLike<number>, from: number, legCount: number): number {
    let latest = this.clusterOf(markets[from]!)
    let latestUs = this.settledUs[markets[from]!]!
    for (let i = from + 1; i < from + legCount; i++) {
      const cluster = this.clusterOf(markets[i]!)
      const settledUs = this.settledUs[markets[i]!]!
      if (settledUs < latestUs || (settledUs === latestUs && cluster < latest)) continue
      latest = cluster
      latestUs = settledUs
    }
    return latest
  }

  /** How many clusters the legs lie in. */
  clusterCount(markets: ArrayLike<number>, from: number, legCount: number): number {
    let count = 0
    for (let i = from; i < from + legCount; i++) {
      const cluster = this.clusterOf(markets[i]!)
      let earlier = from
      while (earlier < i && this.clusterOf(markets[earlier]!) !== cluster) earlier++
      if (earlier === i) count++
    }
    return count
  }

  /** The category that the markets of all legs share, or else `mixed`. */
  category(markets: ArrayLike<number>, from: number, legCount: number): number {
    const first = this.categoryCodes[markets[from]!]!
    for (let i = from + 1; i < from + legCount; i++) {
      if (this.categoryCodes[markets[i]!] !== first) return this.categories.indexOf(MIXED)
    }
    return first
  }

  /** Whether an account is a maker of the directory. */
  isMaker(account: number): boolean {
    return (this.makers[account] ?? -1) >= 0
  }

  private clusterOf(market: number): number {
    const cluster = this.clusterCodes[market]
    assert(cluster !== undefined, 'a leg is on a market that is not in the directory')
    return cluster
  }
}

const serviceBits = ({ services = SERVICE_NAMES }: DirectoryAccount): number =>
  services.reduce((bits, name) => bits | 1 << SERVICE_NAMES.indexOf(name), 0)

function exclusiveTickers(markets: readonly DirectoryMarket[]): string[][] {
  const sets = new Map<string, string[]>()
  for (const { ticker, exclusive = '' } of markets) {
    if (exclusive === '') continue
    const set = sets.get(exclusive)
    if (set === undefined) sets.set(exclusive, [ticker])
    else set.push(ticker)
  }
  return [...sets.values()].filter((tickers) => tickers.length > 1)
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)]

function codesIn(names: readonly string[], of: readonly string[]): Int32Array {
  const codes = new Map(names.map((name, code) => [name, code]))
  return Int32Array.from(of, (name) => codes.get(name)!)
}
