import { describe, expect, it } from 'vitest'
import { centCounts } from '../../src/report/closeQuotes.ts'
import { groupsThatCost, legGroups, legProfits } from '../../src/report/legProfits.ts'
import { centVerdict, unreachedText } from '../../src/report/pageQuestions.ts'
import { type LatencyCounts, latencyVerdict } from '../../src/report/questionLatency.ts'
import type { RequestReach } from '../../src/score/runHead.ts'
import type { ServicePage } from '../../src/report/pageService.ts'

type Cells = Readonly<Record<string, readonly (number | string | readonly string[])[]>>

/** Columns of one batch as tables have them: numbers, words by codes, lists by offsets. */
function columnOf(cells: readonly (number | string | readonly string[])[]) {
  if (Array.isArray(cells[0])) {
    const lists = cells as readonly (readonly string[])[]
    const values = [...new Set(lists.flat())]
    return { codes: Int32Array.from(lists.flat(), (word) => values.indexOf(word)), values, offsets: Int32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat().length)]), valid: null }
  }
  if (typeof cells[0] === 'string') {
    const values = [...new Set(cells as readonly string[])]
    return { codes: Int32Array.from(cells as readonly string[], (word) => values.indexOf(word)), values, valid: null }
  }
  return { numbers: Float64Array.from(cells as readonly number[]), valid: null }
}

/** A page that has nothing but makers and tables. */
function pageOf(names: readonly string[], tables: Readonly<Record<string, Cells>>): ServicePage {
  const batches = (name: string) => [{
    rowCount: Object.values(tables[name]!)[0]!.length, has: (column: string) => column in tables[name]!, column: (column: string) => columnOf(tables[name]![column]!),
  }]
  return { names, tables: { has: (name: string) => name in tables, batches } } as unknown as ServicePage
}

let quotes = 0
/** A quote of a payout of 100 USDC, so that q is its stake in percent. */
const quote = (request: number, maker: string, stake: number, state: string, traded: number, submittedUs = 0, reference = 0.2) =>
  ({ quote: ++quotes, request, version: 1, maker, net_stake_micros: stake * 1e6, risk_micros: (100 - stake) * 1e6, state, traded_away: traded, submitted_at: submittedUs, reference })
const columns = (rows: readonly Readonly<Record<string, number | string>>[]): Cells => Object.fromEntries(Object.keys(rows[0]!).map((name) => [name, rows.map((row) => row[name]!)]))

/** When each filled quote was chosen. */
const CHOSEN_US = 10

const tablesOf = (rows: readonly ReturnType<typeof quote>[], refused: readonly (readonly [request: number, maker: string, atUs: number, op?: string])[] = []) => ({
  quotes: columns(rows),
  acceptances: columns(rows.filter(({ state }) => state === 'filled' || state === 'failed').map((row) => ({ quote: row.quote, selected_at: CHOSEN_US }))),
  ...(refused.length === 0 ? {} : { rejections: columns(refused.map(([request, cohort, at, op = 'submitQuote']) => ({ request, cohort, at, op }))) }),
})

describe('what one cent would have changed', () => {
  it('counts fills that a cent more keeps, and those that a cent less wins, by V', () => {
    const [a, b, c] = centCounts(pageOf(['a', 'b', 'c'], tablesOf([
      quote(1, 'a', 25, 'filled', 0), quote(1, 'b', 25.5, 'invalidated', 1), quote(1, 'c', 27, 'invalidated', 1), quote(1, 'c', 26.5, 'replaced', 0),
      quote(2, 'b', 25, 'filled', 0), quote(3, 'a', 25, 'filled', 0), quote(3, 'c', 26, 'invalidated', 1), quote(4, 'a', 25, 'expired', 0),
    ])))
    // b stands half a cent behind on the first, c one cent on the third: at a cent more they are even, and that is not kept.
    expect(a).toMatchObject({ fills: 2, kept: 0, lost: 0, near: 0, nearUsdc: NaN })
    // A cent more loses both, each worth (0.25 − 0.2) · 100; a cent less wins none, and gives a cent on both.
    expect([a!.valueUsdc, a!.moreUsdc, a!.lessUsdc]).toEqual([expect.closeTo(10, 9), expect.closeTo(-10, 9), expect.closeTo(-2, 9)])
    // (0.255 − 0.01 − 0.2) · 100.
    expect(b).toMatchObject({ fills: 1, kept: 1, lost: 1, near: 1, nearUsdc: expect.closeTo(4.5, 9), valued: 1 })
    // It keeps its only fill at a cent more. At a cent less it gives a cent of it, and wins the first.
    expect([b!.valueUsdc, b!.moreUsdc, b!.lessUsdc]).toEqual([expect.closeTo(5, 9), expect.closeTo(1, 9), expect.closeTo(4.5 - 1, 9)])
    expect(c).toMatchObject({ fills: 0, kept: 0, lost: 2, near: 0, nearUsdc: NaN, valued: 0 })
  })

  it.each([
    ['even', 25, CHOSEN_US, { near: 1, kept: 0 }],
    ['better, and its maker was left out', 24.5, CHOSEN_US, { near: 0, kept: 1 }],
    ['submitted when the other had been chosen', 25.5, CHOSEN_US + 1, { near: 0, kept: 1 }],
  ])('of a live quote that was %s', (_, stake, submittedUs, { near, kept }) => {
    const [a, b] = centCounts(pageOf(['a', 'b'], tablesOf([quote(1, 'a', 25, 'filled', 0), quote(1, 'b', stake, 'invalidated', 1, submittedUs)])))
    expect(a).toMatchObject({ fills: 1, kept })
    expect(b).toMatchObject({ lost: 1, near })
  })

  it('counts nothing for a fill without V that is lost, and says so', () => {
    const [a] = centCounts(pageOf(['a', 'b'], tablesOf([quote(1, 'a', 25, 'filled', 0, 0, NaN), quote(1, 'b', 25.5, 'invalidated', 1)])))
    expect(a).toMatchObject({ fills: 1, kept: 0, valueUsdc: 0, moreUsdc: 0, lessUsdc: -1, unvalued: 1 })
  })

  it('says how many quotes had a V', () => {
    const [, b] = centCounts(pageOf(['a', 'b'], tablesOf([
      quote(1, 'a', 25, 'filled', 0), quote(1, 'b', 25.5, 'invalidated', 1), quote(2, 'a', 25, 'filled', 0), quote(2, 'b', 25.5, 'invalidated', 1, 0, NaN),
    ])))
    expect(b).toMatchObject({ near: 2, valued: 1, unvalued: 1, nearUsdc: expect.closeTo(4.5, 9), lessUsdc: expect.closeTo(4.5, 9) })
  })
})

describe('what came after another was chosen', () => {
  it.each([
    ['a first quote a microsecond later', [quote(1, 'b', 26, 'invalidated', 1, CHOSEN_US + 1)], [], 1],
    ['not one of the same instant', [quote(1, 'b', 26, 'invalidated', 1, CHOSEN_US)], [], 0],
    ['a refused one', [], [[1, 'b', CHOSEN_US + 1]], 1],
    ['not a refused one that came before', [], [[1, 'b', CHOSEN_US]], 0],
    ['not another command', [], [[1, 'b', CHOSEN_US + 1, 'confirmSelection']], 0],
    ['not one of another request', [], [[2, 'b', CHOSEN_US + 1]], 0],
    ['not a later one of a maker whose first came in time and expired', [quote(1, 'b', 26, 'expired', 0, 3)], [[1, 'b', CHOSEN_US + 1]], 0],
    ['not one that was chosen before and failed', [quote(1, 'b', 24, 'failed', 0, 3)], [], 0],
    ['nothing of a maker that did not quote', [], [], 0],
  ] as const)('is %s', (_, others, refused, late) => {
    const counts = centCounts(pageOf(['a', 'b'], tablesOf([quote(1, 'a', 25, 'filled', 0), ...others], refused)))
    expect(counts.map((of) => of.late)).toEqual([0, late])
  })
})

it.each<[string, RequestReach, string]>([
  ['was told everything', { delivered: 10, away: 0, ignored: 0 }, ''],
  ['was away, ignored some, and was not sent the rest', { delivered: 4, away: 3, ignored: 2 }, '3 while it was away, 2 ignored, 1 not sent'],
  ['ignored some', { delivered: 8, away: 0, ignored: 2 }, '2 ignored'],
  ['played before runs said why', { delivered: 8, away: null, ignored: null }, '–'],
])('requests that did not reach a maker that %s', (_, reach, told) => {
  expect(unreachedText(reach, 10)).toBe(told)
})

it.each<[LatencyCounts, string]>([
  [{ late: 0, refused: 0, timedOut: 0, moved: 0, known: 12 }, 'No first quote came after another maker was chosen, and no selection timed out. V never moved between a quote and its decision, on 12 fills: this history does not show what such delays cost.'],
  [{ late: 1, refused: 0, timedOut: 0, moved: 3, known: 12 }, '1 first quote came after another maker was chosen, and no selection timed out. V moved between a quote and its decision on 3 of 12 fills.'],
  [{ late: 0, refused: 2641, timedOut: 2, moved: 0, known: 0 }, 'No first quote came after another maker was chosen, and 2 selections timed out. 2,641 quotes were refused, as late ones are.'],
  [{ late: 0, refused: 1, timedOut: 1, moved: 0, known: 0 }, 'No first quote came after another maker was chosen, and 1 selection timed out. 1 quote was refused, as a late one is.'],
])('what latency cost is told of %o', (counts, told) => {
  expect(latencyVerdict(counts)).toBe(told)
})

describe('for whom a cent would have paid', () => {
  const maker = (name: string, moreUsdc: number, lessUsdc: number, { fills = 1, lost = 0, unvalued = 0 } = {}) => ({ name, fills, lost, moreUsdc, lessUsdc, unvalued })

  it.each<[string, Parameters<typeof centVerdict>[0], string | null]>([
    ['by name with the better change', [maker('a', 2.5, -1), maker('b', -3, 0.25), maker('c', 0, -2), maker('d', -1, 4)], 'By V: a cent more would have paid for a (+2.50); a cent less would have paid for b (+0.25), d (+4.00); neither would have paid for c.'],
    ['of half a cent and more', [maker('a', 0.005, -1), maker('b', 0.004, -1)], 'By V: a cent more would have paid for a (+0.01); neither would have paid for b.'],
    ['as not known where some have no V', [maker('a', 3, -1, { unvalued: 1 }), maker('b', -1, -1)], 'By V: neither would have paid for b; nothing is known where quotes have no V, of a.'],
    ['of those that lost fills to others', [maker('a', 0, 1, { fills: 0, lost: 1 }), maker('b', 0, 0, { fills: 0 })], 'By V: a cent less would have paid for a (+1.00).'],
    ['of nobody where nobody quoted', [maker('a', 0, 0, { fills: 0 })], null],
    ['in numbers beyond six makers', [...Array.from({ length: 7 }, (_, i) => maker(`m${i}`, 1, -1)), maker('b', -1, 2)], 'By V: a cent more would have paid for 7 makers; a cent less would have paid for b (+2.00).'],
  ])('is told %s', (_, makers, told) => {
    expect(centVerdict(makers)).toBe(told)
  })
})

describe('legs that hurt', () => {
  it('have the profits of the positions on them, the worst first, without void ones', () => {
    const settlements = columns([
      { position: 1, maker: 'a', outcome: 'won', net_stake_micros: 10, payout_micros: 50, to_maker_micros: 0 },
      { position: 2, maker: 'b', outcome: 'lost', net_stake_micros: 7, payout_micros: 20, to_maker_micros: 20 },
      { position: 3, maker: 'a', outcome: 'void', net_stake_micros: 9, payout_micros: 20, to_maker_micros: 11 },
    ])
    const positions: Cells = { position: [1, 2, 3], leg_markets: [['m', 'n', 'o'], ['m'], ['n']], leg_sides: [['yes', 'no', 'no'], ['yes'], ['no']] }
    // a paid 50 − 10 on m, n and o, and b kept 7 on m.
    const [paid, kept, none] = [{ positions: [1], stakeMicros: 10, profitMicros: -40 }, { positions: [2], stakeMicros: 7, profitMicros: 7 }, { positions: [], stakeMicros: 0, profitMicros: 0 }]
    const legs = legProfits(pageOf(['a', 'b'], { settlements, positions }))
    const [n, o, m] = legs
    expect(legs).toEqual([
      { market: 'n', side: 'no', ...paid, byMaker: [paid, none] },
      { market: 'o', side: 'no', ...paid, byMaker: [paid, none] },
      { market: 'm', side: 'yes', positions: [1, 2], stakeMicros: 17, profitMicros: -33, byMaker: [paid, kept] },
    ])
    // n and o are of the same position alone. Of those that a backed, m is of the same one too. They cost b nothing.
    expect(legGroups(legs)).toEqual([{ legs: [n, o], earnings: n }, { legs: [m], earnings: m }])
    expect([0, 1].map((maker) => groupsThatCost(legs, maker))).toEqual([[{ legs: [m, n, o], earnings: paid }], []])
  })
})
