import { CountedColumns } from '../../../unit/countedColumns.ts'
import { Field, NONE } from '../../eventRows.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { isListCount, type ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'
import { RequestWord } from './requestRows.ts'

export const MARKET_NUMBER_MAX = 1_048_575

const NEVER_LISTED = 0
const LISTED = 1
const DELISTED = 2

/** Markets by their number, which the operator chooses. */
export class MarketColumns extends CountedColumns {
  /** One more than the highest number listed so far. */
  count = 0
  status = new Uint8Array(this.capacity)
  halted = new Uint8Array(this.capacity)
  resolved = new Uint8Array(this.capacity)
  /** A `MarketResult` once resolved. */
  result = new Uint8Array(this.capacity)
  closeUs = new Float64Array(this.capacity)
  /** Node of the lowest exclusion key, or −1. */
  firstKey = new Int32Array(this.capacity)
  /** Leg node of the position linked last, or −1; see positions.ts. */
  firstLeg = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  /** Whether the number was ever listed. */
  known(market: number): boolean {
    return market >= 0 && market < this.count && this.status[market] !== NEVER_LISTED
  }

  listed(market: number): boolean {
    return market >= 0 && market < this.count && this.status[market] === LISTED
  }

  /** Whether the market is past its close, or resolved. */
  over(market: number, nowUs: number): boolean {
    return nowUs >= this.closeUs[market]! || this.resolved[market] === 1
  }
}

/** Exclusion keys of markets: ascending linked lists over recycled nodes. */
export class KeyNodes extends CountedColumns {
  used = 0
  /** First recycled node, or −1. */
  free = NONE
  key = new Int32Array(this.capacity)
  next = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.used
  }

  /** Puts `key` into the ascending list that starts at `first`; returns the list's new first node. */
  insert(first: number, key: number): number {
    let node = this.free
    if (node === NONE) {
      node = this.used++
      this.ensure(this.used)
    } else this.free = this.next[node]!
    this.key[node] = key
    let before = NONE
    let after = first
    while (after !== NONE && this.key[after]! < key) {
      before = after
      after = this.next[after]!
    }
    this.next[node] = after
    if (before === NONE) return node
    this.next[before] = node
    return first
  }

  /** Gives the nodes of a list back. */
  release(first: number): void {
    let node = first
    while (node !== NONE) {
      const next = this.next[node]!
      this.next[node] = this.free
      this.free = node
      node = next
    }
  }

  /** Whether two ascending lists have a key in common. */
  intersect(a: number, b: number): boolean {
    while (a !== NONE && b !== NONE) {
      const difference = this.key[a]! - this.key[b]!
      if (difference === 0) return true
      if (difference < 0) a = this.next[a]!
      else b = this.next[b]!
    }
    return false
  }
}

/** The first error of the command's legs, or ok (PQ-356…358): existence and life leg by leg, then every pair. */
export function codeOfLegs(s: ParlayState, c: ParlayCommand): number {
  const { markets, keys } = s
  for (let i = 0; i < c.legCount; i++) {
    const market = c.legMarkets[i]!
    if (!markets.listed(market)) return ParlayCode.legMarketNotFound
    if (markets.over(market, s.nowUs)) return ParlayCode.legMarketExpired
  }
  for (let i = 1; i < c.legCount; i++) {
    const market = c.legMarkets[i]!
    for (let j = 0; j < i; j++) {
      const other = c.legMarkets[j]!
      if (market === other || keys.intersect(markets.firstKey[market]!, markets.firstKey[other]!)) return ParlayCode.legsExcluded
    }
  }
  return ParlayCode.ok
}

/** Whether every leg of the request can still be traded (PQ-181, PQ-360). */
export function legsLive(s: ParlayState, r: number): boolean {
  const { markets, requests } = s
  const from = requests.legsFrom(r)
  for (let i = from; i < from + requests.words[r + RequestWord.legCount]!; i++) {
    const market = requests.legMarkets[i]!
    if (!markets.listed(market) || markets.halted[market] === 1 || markets.over(market, s.nowUs)) return false
  }
  return true
}

export function listMarket(s: ParlayState, c: ParlayCommand): void {
  const { markets, keys, events } = s
  const { market, closeUs } = c
  if (!(Number.isInteger(market) && market >= 0 && market <= MARKET_NUMBER_MAX)) return reply(s, c, ParlayCode.invalid)
  if (!(Number.isInteger(closeUs) && closeUs > 0 && isListCount(c.listCount))) return reply(s, c, ParlayCode.invalid)
  const known = markets.known(market)
  if (known && markets.resolved[market] === 1) return reply(s, c, ParlayCode.conflict)

  if (market >= markets.count) {
    markets.count = market + 1
    markets.ensure(markets.count)
  }
  if (known) keys.release(markets.firstKey[market]!)
  else {
    markets.resolved[market] = markets.result[market] = 0
    markets.firstLeg[market] = NONE
  }
  markets.status[market] = LISTED
  markets.halted[market] = 0
  markets.closeUs[market] = closeUs
  let first = NONE
  for (let i = 0; i < c.listCount; i++) first = keys.insert(first, c.list[i]!)
  markets.firstKey[market] = first
  openMarketRow(s, ParlayEvent.marketListed, market)
  events.set(Field.untilUs, closeUs)
  for (let i = 0; i < c.listCount; i++) events.push(c.list[i]!)
  reply(s, c, ParlayCode.ok)
}

/** Halts, resumes or delists a market, as the opcode's event says. */
export function changeMarket(s: ParlayState, c: ParlayCommand, event: number): void {
  const { markets } = s
  const market = c.market
  if (!Number.isInteger(market)) return reply(s, c, ParlayCode.invalid)
  if (!markets.listed(market)) return reply(s, c, ParlayCode.notFound)
  if (markets.resolved[market] === 1) return reply(s, c, ParlayCode.conflict)

  if (event === ParlayEvent.marketDelisted) markets.status[market] = DELISTED
  else markets.halted[market] = event === ParlayEvent.marketHalted ? 1 : 0
  openMarketRow(s, event, market)
  reply(s, c, ParlayCode.ok)
}

/** Opens a row about a market. */
export function openMarketRow(s: ParlayState, event: number, market: number): void {
  s.events.open(s.nowUs, event, s.cause)
  // A market of −0 is market 0, whose bits the digest sees.
  s.events.set(Field.amountA, market + 0)
}
