import { describe, expect, it } from 'vitest'
import { Driver, type Leg, sec, T0, table, usd } from './driver.ts'
import { Resolve, SetFault } from '../../../src/venue/contract.ts'

describe('legs of a request', () => {
  const pair: readonly Leg[] = [[1, 'yes'], [2, 'yes']]

  it.each<[string, number[], number[], string]>([
    ['no key in common', [1, 2], [3, 4], 'ok'],
    ['one key in common, at the ends', [1, 9], [9, 20], 'legsExcluded'],
    ['one key in common, unsorted and repeated', [30, 7, 7, 2], [8, 7, 1], 'legsExcluded'],
    ['negative keys in common', [-2147483648, 5], [2147483647, -2147483648], 'legsExcluded'],
    ['extremes that are not equal', [-2147483648], [2147483647], 'ok'],
    ['no keys on one side', [], [1], 'ok'],
    ['no keys at all', [], [], 'ok'],
  ])('PQ-065 PQ-066 PQ-358 two markets with %s', (_, keys1, keys2, code) => {
    const d = new Driver()
    d.list(1, keys1)
    d.list(2, keys2)
    expect(d.create(10, pair).code).toBe(code)
  })

  it('PQ-067 any pair of five counts, also the first and the last', () => {
    const d = new Driver()
    for (const [market, keys] of [[1, [1, 100]], [2, [2]], [3, [3]], [4, [4]], [5, [5, 100]]] as const) d.list(market, keys)
    expect(d.create(10, [[1, 'yes'], [2, 'yes'], [3, 'yes'], [4, 'yes']]).code).toBe('ok')
    expect(d.create(10, [[1, 'yes'], [2, 'yes'], [3, 'yes'], [4, 'yes'], [5, 'yes']]).code).toBe('legsExcluded')
  })

  it('the same market twice is excluded, with or without keys, whatever the sides (readings A17)', () => {
    const d = new Driver()
    d.list(1)
    expect(d.create(10, [[1, 'yes'], [1, 'yes']]).code).toBe('legsExcluded')
    expect(d.create(10, [[1, 'yes'], [1, 'no']]).code).toBe('legsExcluded')
  })

  it.each([[-1], [0], [3], [1_048_576]])('PQ-356 market %d, never listed, is not found', (market) => {
    const d = new Driver()
    d.list(1)
    d.list(2)
    expect(d.create(10, [[1, 'yes'], [market, 'yes']]).code).toBe('legMarketNotFound')
  })

  it('PQ-357 a market is expired from its close on', () => {
    const d = new Driver()
    d.list(1, [], sec(10))
    d.list(2)
    expect(d.at(sec(10) - 1).create(10, pair).code).toBe('ok')
    expect(d.at(sec(10)).create(10, pair).code).toBe('legMarketExpired')
    expect(d.update(10, 1, pair)).toMatchObject({ code: 'legMarketExpired', request: 1 })
  })

  it('PQ-356 PQ-357 leg by leg, the first bad leg is the answer; exclusion comes last', () => {
    const d = table()
    d.resolve(3, 'yes')
    expect(d.create(10, [[3, 'yes'], [99, 'yes']]).code).toBe('legMarketExpired')
    expect(d.create(10, [[99, 'yes'], [3, 'yes']]).code).toBe('legMarketNotFound')
    expect(d.create(10, [[1, 'yes'], [1, 'no'], [3, 'yes']]).code).toBe('legMarketExpired')
  })

  it('a halted market passes at creation, a delisted one does not', () => {
    const d = table()
    d.halt(1)
    expect(d.create(10, pair).code).toBe('ok')
    d.send('delistMarket', 0, { market: 1 })
    expect(d.create(10, pair).code).toBe('legMarketNotFound')
  })

  it('a delisted and resolved market is not found rather than expired', () => {
    const d = table()
    d.send('delistMarket', 0, { market: 1 })
    d.resolve(1, 'yes')
    expect(d.create(10, pair).code).toBe('legMarketNotFound')
  })

  it('a replaced market has its new keys and close only', () => {
    const d = new Driver()
    d.list(1, [7])
    d.list(2, [7])
    d.list(1, [8], sec(5))
    expect(d.create(10, pair).code).toBe('ok')
    d.list(2, [8])
    expect(d.create(10, pair).code).toBe('legsExcluded')
    expect(d.at(sec(5)).create(10, pair).code).toBe('legMarketExpired')
  })
})

describe('operator commands on markets', () => {
  it('lists with keys and close, and answers', () => {
    const d = new Driver()
    d.list(5, [9, 3], sec(7))
    expect(d.rows).toEqual([
      { event: 'marketListed', at: 0, cause: 1, market: 5, closeUs: sec(7), list: [9, 3] },
      { event: 'reply', at: 0, cause: 1, account: 0, op: 'listMarket', code: 'ok' },
    ])
  })

  it.each<[string, Partial<Record<string, number>>, string]>([
    ['market −1', { market: -1 }, 'invalid'],
    ['market 0', { market: 0 }, 'ok'],
    ['market 1048575', { market: 1_048_575 }, 'ok'],
    ['market 1048576', { market: 1_048_576 }, 'invalid'],
    ['market 1.5', { market: 1.5 }, 'invalid'],
    ['close 0', { market: 1, closeUs: 0 }, 'invalid'],
    ['close 1', { market: 1, closeUs: 1 }, 'ok'],
    ['close 1.5', { market: 1, closeUs: 1.5 }, 'invalid'],
    ['1024 keys', { market: 1, listCount: 1024 }, 'ok'],
    ['1025 keys', { market: 1, listCount: 1025 }, 'invalid'],
    ['300,000,000 keys', { market: 1, listCount: 3e8 }, 'invalid'],
    ['endless keys', { market: 1, listCount: Infinity }, 'invalid'],
    ['NaN keys', { market: 1, listCount: Number.NaN }, 'invalid'],
  ])('listing %s', (_, fields, code) => {
    expect(new Driver().send('listMarket', 0, { closeUs: T0, ...fields })!.code).toBe(code)
  })

  it.each(['haltMarket', 'resumeMarket', 'delistMarket'] as const)('%s needs a listed market without a result', (op) => {
    const d = new Driver().listMarkets(2)
    expect(d.send(op, 0, { market: 0 })!.code).toBe('notFound')
    expect(d.send(op, 0, { market: 9 })!.code).toBe('notFound')
    expect(d.send(op, 0, { market: Number.NaN })!.code).toBe('invalid')
    d.resolve(1, 'no')
    expect(d.send(op, 0, { market: 1 })!.code).toBe('conflict')
    d.send('delistMarket', 0, { market: 2 })
    expect(d.send(op, 0, { market: 2 })!.code).toBe('notFound')
  })

  it('halting a halted market repeats the event', () => {
    const d = new Driver().listMarkets(1)
    d.halt(1)
    d.halt(1)
    expect(d.rows).toMatchObject([{ event: 'marketHalted', market: 1 }, { event: 'reply', code: 'ok' }])
    d.send('resumeMarket', 0, { market: 1 })
    expect(d.rows).toMatchObject([{ event: 'marketResumed', market: 1 }, { event: 'reply', code: 'ok' }])
  })

  it('a market resolves once; a delisted one can', () => {
    const d = new Driver().listMarkets(2)
    expect(d.send('resolveMarket', 0, { market: 1, [Resolve.result]: 3 })!.code).toBe('invalid')
    expect(d.send('resolveMarket', 0, { market: 9, [Resolve.result]: 3 })!.code).toBe('invalid')
    expect(d.resolve(9, 'yes').code).toBe('notFound')
    expect(d.resolve(1, 'void').code).toBe('ok')
    expect(d.rows[0]).toMatchObject({ event: 'marketResolved', market: 1, result: 2 })
    expect(d.resolve(1, 'void').code).toBe('conflict')
    expect(d.list(1).code).toBe('conflict')
    d.send('delistMarket', 0, { market: 2 })
    expect(d.resolve(2, 'yes').code).toBe('ok')
  })

  it('a relisted market is not halted any more', () => {
    const d = table()
    d.create(10)
    d.submit(20, 1, 4)
    d.halt(1)
    expect(d.commit(10, 1)!.code).toBe('marketNotLive')
    d.send('delistMarket', 0, { market: 1 })
    d.list(1, [1])
    expect(d.commit(10, 1)).toBeUndefined()
  })

  it.each<[number, number, string]>([
    [0, 0, 'ok'], [10_000, 10_000, 'ok'], [-1, 0, 'invalid'], [0, -1, 'invalid'], [10_001, 0, 'invalid'], [0, 10_001, 'invalid'], [0.5, 0, 'invalid'],
  ])('fees of %d and %d bps are %s', (taker, profit, code) => {
    expect(new Driver().setFees(taker, profit).code).toBe(code)
  })

  it.each<[number, number, string]>([[1, 1, 'ok'], [8, 0, 'ok'], [0, 1, 'invalid'], [9, 1, 'invalid'], [1.5, 1, 'invalid'], [1, 2, 'invalid'], [1, -1, 'invalid']])(
    'fault %d set to %d is %s', (value, value2, code) => {
      expect(new Driver().send('setFault', 0, { value, value2 })!.code).toBe(code)
    },
  )

  it('fees and faults are told', () => {
    const d = new Driver()
    d.setFees(50, 200)
    expect(d.rows[0]).toEqual({ event: 'feesChanged', at: 0, cause: 1, takerFeeBps: 50, profitFeeBps: 200 })
    d.send('setFault', 0, { [SetFault.fault]: 2, [SetFault.isOn]: 1 })
    expect(d.rows[0]).toEqual({ event: 'faultChanged', at: 0, cause: 2, fault: 2, isOn: 1 })
  })

  it.each<[string, (d: Driver, zero: number) => unknown]>([
    ['rate', (d, zero) => [d.setFees(zero, zero), d.open(10, 20, 4)]],
    ['fault', (d, zero) => d.send('setFault', 0, { [SetFault.fault]: 1, [SetFault.isOn]: zero })],
    ['result', (d, zero) => d.send('resolveMarket', 0, { market: 1, [Resolve.result]: zero })],
  ])('INV-30 a %s of −0 is 0 in every row and in the state', (_, play) => {
    const [d, e] = [table(), table()]
    play(d, 0)
    const rows = d.rows
    play(e, -0)
    expect(e.rows).toEqual(rows)
    expect(e.venue.stateHash()).toBe(d.venue.stateHash())
    d.pulse()
    expect(e.pulse()).toEqual(d.rows)
  })

  it('INV-30 fees of −0 are told as 0', () => {
    const d = new Driver()
    d.setFees(-0, -0)
    expect(d.rows[0]).toEqual({ event: 'feesChanged', at: 0, cause: 1, takerFeeBps: 0, profitFeeBps: 0 })
  })

  it('keys of a long list that is replaced over and over keep their nodes', () => {
    const d = new Driver()
    for (let i = 0; i < 2000; i++) d.list(1, Array.from({ length: 100 }, (_, k) => (k * 37 + i) % 500))
    const image = d.venue.snapshot() as { keys: { used: number } }
    expect(image.keys.used).toBe(100)
    d.list(2, [499 + 500])
    expect(d.create(10, [[1, 'yes'], [2, 'yes']], usd(1)).code).toBe('ok')
  })

  it('keys of markets with a result give their nodes to those of later markets, which exclude each other as ever', () => {
    const d = new Driver()
    for (let market = 1; market <= 1000; market++) {
      d.list(market, [market, market + 1, 5000])
      if (market > 3) d.resolve(market - 3, 'void')
    }
    const image = d.venue.snapshot() as { keys: { used: number } }
    // Three markets live at a time, and a fourth while the oldest of them has no result yet.
    expect(image.keys.used).toBe(4 * 3)
    d.list(1001, [998])
    d.list(1002, [5001])
    const codes = [998, 999, 1000, 1002].map((other) => d.create(10, [[1001, 'yes'], [other, 'yes']], usd(1)).code)
    expect(codes).toEqual(['legsExcluded', 'ok', 'ok', 'ok'])
  })
})
