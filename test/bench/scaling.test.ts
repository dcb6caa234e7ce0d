import { describe, expect, it } from 'vitest'
import { AXES, type Axis } from '../../bench/scaling/axes.ts'
import { straightLine } from '../../bench/scaling/line.ts'
import { costPicture, memoryPicture } from '../../bench/scaling/picture.ts'
import { least, mean, play, type Point } from '../../bench/scaling/point.ts'
import { tableText } from '../../bench/scaling/table.ts'
import { workload, type WorkloadSettings } from '../../bench/workload.ts'
import { Session } from '../../src/engine/session.ts'

const point = (size: number, requestsUs: number, changes: Partial<Point> = {}): Point => ({
  size, mainUs: { opening: 50, requests: requestsUs, ending: 900 }, counts: { requests: 100, quotes: 800, markets: 10, positions: 30 },
  historyBytes: 2e6, sessionBytes: 7e6, peakBytes: 150e6, ...changes,
})

describe('the straight line of a cost', () => {
  it('is the least cost where the cost stays', () => {
    const line = straightLine([14, 10, 11, 90, 900].map((cost, i) => ({ size: 10 ** i, cost })), 'flat')
    expect([line(1), line(1e6)]).toEqual([10, 10])
  })

  it('is the least of what the clock has noticed', () => {
    expect(straightLine([0, 12, 10].map((cost, i) => ({ size: 10 ** i, cost })), 'flat')(1)).toBe(10)
    expect(straightLine([0, 20, 40, 80].map((cost, i) => ({ size: i, cost })), 'line')(1)).toBeCloseTo(20, 9)
  })

  it('goes on as the smaller half begins where the cost grows by as much with each', () => {
    const line = straightLine([1, 2, 4, 100, 200].map((size) => ({ size, cost: size <= 4 ? 5 + 3 * size : 1e9 })), 'line')
    expect(line(4)).toBeCloseTo(17, 9)
    expect(line(200)).toBeCloseTo(605, 6)
  })

  it('takes a small size as seriously as a great one', () => {
    // Both are off a line through zero by a tenth: the greater one alone would pull the least plain squares to itself.
    const line = straightLine([{ size: 1, cost: 1.1 }, { size: 1000, cost: 900 }], 'line')
    expect(line(1)).toBeCloseTo(1.1, 9)
    expect(line(1000)).toBeCloseTo(900, 6)
  })

  it('is the one point when there is one', () => {
    expect(straightLine([{ size: 7, cost: 3 }], 'line')(70)).toBe(3)
  })
})

const axis: Axis = {
  name: 'things', size: 'things', sizes: [1, 2], usualMax: 2, outcomeMax: 2, plan: () => ({ requests: 1, settings: {} }),
  costs: [
    { name: 'µs/request', phase: 'requests', per: 'requests', growth: 'flat' },
    { name: 'µs/quote', phase: 'requests', per: 'quotes' },
    { name: 'µs/settlement', phase: 'ending', per: 'positions', growth: 'flat' },
  ],
}

describe('the table of an axis', () => {
  it('tells each cost for one of its kind, beside the least or the line where it has one', () => {
    const lines = tableText(axis, [point(1, 2000), point(2, 2000), point(4, 2000), point(8, 6000)]).split('\n')
    const words = lines.map((line) => line.trim().split(/\s{2,}/))
    expect(words[0]).toEqual(
      ['things', 'requests', 'µs/request', '÷ least', 'µs/quote', 'µs/settlement', '÷ least', 'open', 'history MB', 'session MB', 'peak MB'],
    )
    expect(words[1]).toEqual(['1', '100', '20.0', '1.00', '2.50', '30.0', '1.00', '30', '2', '7', '150'])
    expect(words[4]).toEqual(['8', '100', '60.0', '3.00', '7.50', '30.0', '1.00', '30', '2', '7', '150'])
    expect(lines).toHaveLength(5)
  })

  it('compares nothing that took less than a tick of the clock, and draws none of it', () => {
    const points = [point(1, 0), point(2, 2000), point(4, 4000)]
    const rows = tableText(axis, points).split('\n').map((line) => line.trim().split(/\s{2,}/))
    expect(rows.slice(1).map((cells) => cells.slice(2, 4))).toEqual([['0.00', '–'], ['20.0', '1.00'], ['40.0', '2.00']])
    expect(costPicture(axis, points)).not.toMatch(/NaN|Infinity/)
    expect(costPicture(axis, points)).toContain('µs/request 20.0 at 2, 40.0 at 4;')
  })
})

describe('the pictures of an axis', () => {
  const points = [point(10, 2000), point(100, 2100), point(1000, 2050)]

  it('show the costs and the straight lines by the size, and say so in words', () => {
    const svg = costPicture(axis, points)
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true)
    expect(svg.match(/<svg/g)).toHaveLength(1)
    expect(svg).toContain('Cost by things: µs/request 20.0 at 10, 21.0 at 100, 20.5 at 1000; µs/quote')
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(2)
    expect(svg.match(/<circle/g)).toHaveLength(9)
    expect(svg).not.toContain('NaN')
  })

  it('show what the history takes and what the session adds, megabytes; next to nothing is drawn as a tenth', () => {
    const svg = memoryPicture(axis, [point(1, 2000, { historyBytes: 0 }), ...points])
    expect(svg).toContain('Memory by things: session 7.00 at 1, 7.00 at 10, 7.00 at 100, 7.00 at 1000; history 0.100 at 1, 2.00 at 10')
    expect(svg.match(/<circle/g)).toHaveLength(8)
    expect(svg).not.toContain('NaN')
  })
})

describe('a point of an axis', () => {
  it('times the last requests of a session, and counts what they met', () => {
    const kept = [100, 150, 400]
    const settings = { liveMarkets: 40, makers: 3, marketLifeUs: 1e12 }
    const played = play(40, { requests: 300, timed: 100, settings }, () => workload(300, [], settings), () => kept.shift()!)
    expect(played.size).toBe(40)
    expect(played.counts.markets).toBe(40)
    // A chunk of steps may bring a few requests more than were to be left untimed.
    expect(played.counts.requests).toBeGreaterThan(90)
    expect(played.counts.requests).toBeLessThanOrEqual(100)
    // Each of three makers gets four fifths of the requests.
    expect(played.counts.quotes / played.counts.requests).toBeGreaterThan(2)
    expect(played.counts.quotes / played.counts.requests).toBeLessThan(3)
    expect(played.counts.positions).toBeGreaterThan(50)
    expect([played.historyBytes, played.sessionBytes]).toEqual([50, 250])
  })

  it('is the least or the mean of several sessions', () => {
    const slow = point(5, 3000, { sessionBytes: 8e6 })
    const quick = point(5, 2000, { historyBytes: 3e6, sessionBytes: 9e6 })
    expect(least([slow, quick])).toEqual({ ...slow, mainUs: { opening: 50, requests: 2000, ending: 900 } })
    expect(mean([slow, quick])).toEqual({
      ...slow, mainUs: { opening: 50, requests: 2500, ending: 900 }, historyBytes: 2.5e6, sessionBytes: 8.5e6,
    })
  })
})

describe('the axes', () => {
  it('reach from few to many, in ascending sizes', () => {
    expect(AXES.map(({ name, sizes }) => [name, sizes[0], sizes.at(-1)])).toEqual([
      ['requests', 1e3, 1e7], ['makers', 1, 200], ['markets', 100, 1e5], ['positions', 1e3, 1e6],
    ])
    for (const { sizes } of AXES) expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  })

  it.each(AXES.map((axis) => [axis.name, axis] as const))('%s: the history is no bigger for each request as requests grow', (_, { sizes, plan }) => {
    for (const size of sizes) {
      const { requests, settings } = plan(size)
      expect(requests * (settings.ticksPerRequest ?? 10), `${size}`).toBeLessThanOrEqual(1e6)
    }
  })
})

describe('what a session does', () => {
  /** Messages and rows for each request. */
  function doneFor(settings: WorkloadSettings, requests = 1_000): number {
    const session = new Session(workload(requests, [], { marketLifeUs: 1e12, exposureLimitMicros: Infinity, ...settings }))
    while (session.counts.arrivals < requests) session.run(64)
    const { messages, rows } = session.counts
    return (messages + rows) / requests
  }

  it('is a straight line over makers, or a little less', () => {
    const [ten, twenty, forty] = [10, 20, 40].map((makers) => doneFor({ makers }, 300)) as [number, number, number]
    const growth = (forty - twenty) / (twenty - ten) / 2
    // Less, as the best of n quotes changes ln n times.
    expect(growth).toBeGreaterThan(0.9)
    expect(growth).toBeLessThan(1.02)
  })

  it('is the same for a request with a hundred times the markets open, but for their listing', () => {
    const few = doneFor({ liveMarkets: 50 })
    const many = doneFor({ liveMarkets: 5_000 })
    // A listing writes two rows: the market's and the reply.
    expect((many - 2 * 5) / few).toBeCloseTo(1, 1)
  })
})
