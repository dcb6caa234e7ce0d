import { Intents } from '../../agent/intents.ts'
import type { MarketKeys } from '../../market/exclusion.ts'
import { LiveMarkets } from '../../market/liveMarkets.ts'
import type { MarketNames, PublicList } from '../../market/publicList.ts'
import { MINUTE_US, SECOND_US } from '../../unit/time.ts'
import type { ListedMarket } from './bettorWords.ts'

/** Markets of one session that a client can number. */
export const MARKETS_MAX = 2 ** 16
/** How often a client reads the public list. */
const LIST_EVERY_US = MINUTE_US
/** The same while nothing can be bet on: before the first market opens, and between two evenings. */
const LIST_SOON_US = 10 * SECOND_US

/** How long after it has read the list a client reads it again, µs. */
export const listAgainUs = (listed: readonly ListedMarket[]): number => (listed.some(({ isOpen }) => isOpen) ? LIST_EVERY_US : LIST_SOON_US)

/** Markets by numbers of the client's own, in the order in which it first heard of them, and which of them can be bet on. */
export class ListedMarkets implements MarketKeys, PublicList {
  readonly texts: string[] = []
  start = new Int32Array(1)
  keys = new Int32Array(0)
  readonly live = new LiveMarkets(MARKETS_MAX)
  private readonly names: string[] = []
  private readonly numbers = new Map<string, number>()
  private readonly keyNumbers = new Map<string, number>()
  /** By market. */
  private readonly keysOf: (readonly number[])[] = []
  private readonly shown: MarketNames[] = []
  private readonly named: (name: string, number: number) => void

  /** @param named is told of each market that is numbered. */
  constructor(named: (name: string, number: number) => void) {
    this.named = named
  }

  get count(): number {
    return this.names.length
  }

  nameOf(market: number): string {
    return this.names[market]!
  }

  namesOf(market: number): MarketNames | null {
    return this.shown[market] ?? null
  }

  /** Whether a market has a number, which a new one gets while there are not too many. */
  private isNumbered(name: string): boolean {
    if (this.numbers.has(name)) return true
    if (this.names.length === MARKETS_MAX) return false
    const number = this.names.push(name) - 1
    this.numbers.set(name, number)
    this.named(name, number)
    return true
  }

  /** Takes the whole public list. What it has not, or has as not open, cannot be bet on any more. */
  follow(listed: readonly ListedMarket[]): void {
    const open = new Set<number>()
    for (const { name, exclusionKeys, isOpen, names } of listed.filter((market) => this.isNumbered(market.name))) {
      const number = this.numbers.get(name)!
      this.keysOf[number] = exclusionKeys.map((text) => this.keyNumberOf(text)).sort((a, b) => a - b)
      this.shown[number] = names
      if (isOpen) open.add(number)
    }
    for (let market = 0; market < this.count; market++) if (!open.has(market)) this.live.remove(market)
    for (const market of open) this.live.add(market)
    this.layOut()
  }

  private keyNumberOf(text: string): number {
    let number = this.keyNumbers.get(text)
    if (number === undefined) this.keyNumbers.set(text, number = this.texts.push(text) - 1)
    return number
  }

  private layOut(): void {
    this.start = new Int32Array(this.count + 1)
    for (let market = 0; market < this.count; market++) this.start[market + 1] = this.start[market]! + this.keysOf[market]!.length
    this.keys = Int32Array.from(this.keysOf.flat())
  }
}

/** Intents on the markets that a client knows, which become more. */
export class ListedIntents extends Intents {
  private readonly markets: ListedMarkets

  constructor(markets: ListedMarkets) {
    super(MARKETS_MAX)
    this.markets = markets
  }

  override hasMarket(market: number): boolean {
    return super.hasMarket(market) && market < this.markets.count
  }
}
