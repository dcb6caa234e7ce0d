import { expect } from 'vitest'
import { type LegsView, type MakerDesk, type MarketNames, Side } from '../../src/index.ts'
import type { Ticks } from '../../src/market/ticks.ts'

/*
 * What both contracts of desks need (makerContract.ts, bettorContract.ts): what strategies may rely on, whatever plays them. That is a session
 * on either service, a fake, or a seat that is played from afar. A desk that passes is asked through the interface of strategies alone.
 */

/** A price type of no kind, as plain JavaScript may give it. */
export const ASKS = { priceType: 'asks' as 'ask', maxAgeUs: 1e15 }
export const NO_KIND = "a priceType is bid, mid or ask, not 'asks'"
export const HIDDEN = /is shown during its handler only|a view holds during its handler only/

/** The handlers, which note in `used` that they are called, and what is asked of their desks. */
export function noting<H extends object>(handlers: H, used: Set<string>): H {
  const desks = new WeakMap<object, object>()
  const noted = (desk: object): object => {
    let proxy = desks.get(desk)
    if (proxy === undefined) {
      proxy = new Proxy(desk, {
        get(target, name) {
          if (typeof name === 'string') used.add(name)
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (...given: unknown[]): unknown => Reflect.apply(value, target, given) : value
        },
      })
      desks.set(desk, proxy)
    }
    return proxy
  }
  const called: Record<string, unknown> = {}
  for (const [name, handler] of Object.entries(handlers) as [string, unknown][]) {
    if (typeof handler !== 'function') {
      used.add(name)
      called[name] = handler
      continue
    }
    called[name] = (...given: object[]): unknown => {
      used.add(name)
      return Reflect.apply(handler, called, [...given.slice(0, -1), noted(given.at(-1)!)])
    }
  }
  return called as H
}

export const missing = (members: readonly object[], used: ReadonlySet<string>): string[] => members.flatMap((names) => Object.keys(names)).filter((name) => !used.has(name))

/** What a desk shows of a market's names is frozen, a copy, and the six texts alone. */
export function checkNames(desk: Pick<MakerDesk, 'market'>, market: number, expected: MarketNames): void {
  const shown = desk.market(market)
  expect(shown).toEqual(expected)
  expect([Object.isFrozen(shown), Object.keys(shown!)]).toEqual([true, ['ticker', 'title', 'event', 'game', 'category', 'venue']])
}

/** Numbers that no market has. */
export function checkNoMarkets(desk: Pick<MakerDesk, 'market'>): void {
  expect(desk.market(1_000_000)).toBeNull()
  for (const none of [-1, 0.5, NaN, '0' as unknown as number]) expect(refusalOf(() => desk.market(none))).toBe(`a market has a whole number from 0 on, not ${none}`)
}

/** Levels of a book begin with its best prices. Where no levels are shown, the desk refuses by name. */
export function checkDepth(desk: Pick<MakerDesk, 'depth'>, market: number, touch?: (side: number) => Touch): void {
  for (const none of [-1, 0.5, NaN, '0' as unknown as number]) expect(refusalOf(() => desk.depth(none))).toBe(`a market has a whole number from 0 on, not ${none}`)
  const refusal = refusalOf(() => desk.depth(market))
  if (refusal !== 'not refused') return expect(refusal).toContain('history.depth')
  expect(desk.depth(1_000_000)).toBeUndefined()
  const shown = desk.depth(market)
  if (shown === undefined || touch === undefined) return
  for (const side of [Side.yes, Side.no]) {
    const [best] = shown.asks(side)
    expect([best?.price, best?.size]).toEqual([touch(side).price, touch(side).depth])
    expect(shown.depthOf(side, best!.size)).toBeCloseTo(best!.price, 12)
    expect(shown.bids(1 - side)[0]!.price).toBeCloseTo(1 - best!.price, 12)
  }
}

/** The message with which something is refused, or that it was not. */
export function refusalOf(act: () => unknown): string {
  try {
    act()
    return 'not refused'
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Tries every call that a desk must refuse, one after the other, wherever `play` makes an attempt, in one session, which is played when it is
 * first asked for. Resolves to what was said each time, by the name of the call.
 */
export function triedOnce<Act>(
  cases: readonly (readonly [name: string, message: string, act: Act])[], play: (attempt: (trial: (act: Act) => void) => void) => Promise<void>,
): () => Promise<ReadonlyMap<string, readonly string[]>> {
  const tried = async (): Promise<Map<string, string[]>> => {
    const said = new Map(cases.map(([name]): [string, string[]] => [name, []]))
    await play((trial) => { for (const [name, , act] of cases) said.get(name)!.push(refusalOf(() => { trial(act) })) })
    return said
  }
  let played: ReturnType<typeof tried> | undefined
  return () => (played ??= tried())
}

export const pricesOf = (legs: LegsView, of: (i: number) => number): number[] => Array.from({ length: legs.count }, (_, i) => of(i))
export const product = (prices: readonly number[]): number => prices.reduce((so, price) => so * price, 1)

export function checkLegs(legs: LegsView): void {
  expect(legs.count).toBeGreaterThan(0)
  for (let i = 0; i < legs.count; i++) {
    expect(Number.isInteger(legs.market(i)) && legs.market(i) >= 0).toBe(true)
    expect([Side.no, Side.yes]).toContain(legs.side(i))
  }
  expect([legs.markets, legs.sides]).toEqual([pricesOf(legs, (i) => legs.market(i)), pricesOf(legs, (i) => legs.side(i))])
  for (const leg of [-1, 0.5, legs.count, NaN]) expect(refusalOf(() => legs.market(leg))).toContain('there is no leg')
}

/** What buying a leg costs, how much there is of it, and since when, µs. What is not known is NaN, and of a market without any tick the instant too. */
export interface Touch {
  readonly price: number
  readonly depth: number
  readonly atUs: number
}

/** Touches by the ticks of a session, for a seat that each tick reaches `feedUs` after its instant. A market without a book has none. */
export function touchesOf({ count, atUs, market, bidE6, askE6, bidSize, askSize }: Ticks, feedUs: number) {
  const ticksOf = new Map<number, number[]>()
  for (let i = 0; i < count; i++) {
    if (!ticksOf.has(market[i]!)) ticksOf.set(market[i]!, [])
    ticksOf.get(market[i]!)!.push(i)
  }
  const known = (value: number): number => (value < 0 ? NaN : value)
  return (of: number, side: number, nowUs: number): Touch => {
    const tick = ticksOf.get(of)?.findLast((i) => atUs[i]! + feedUs <= nowUs)
    if (tick === undefined) return { price: NaN, depth: NaN, atUs: NaN }
    return side === Side.yes ? { price: known(askE6[tick]!) / 1e6, depth: known(askSize[tick]!), atUs: atUs[tick]! }
      : { price: 1 - known(bidE6[tick]!) / 1e6, depth: known(bidSize[tick]!), atUs: atUs[tick]! }
  }
}
