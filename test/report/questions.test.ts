import { describe, expect, it } from 'vitest'
import { centCounts } from '../../src/report/closeQuotes.ts'
import { legProfits } from '../../src/report/legProfits.ts'
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

const quote = (request: number, maker: string, stake: number, state: string, traded: number, reference = 0.2) => ({ request, version: 1, maker, net_stake_micros: stake * 1e6, risk_micros: (100 - stake) * 1e6, state, traded_away: traded, reference })
const columns = (rows: readonly Readonly<Record<string, number | string>>[]): Cells => Object.fromEntries(Object.keys(rows[0]!).map((name) => [name, rows.map((row) => row[name]!)]))

describe('what one cent would have changed', () => {
  // Payouts of 100 USDC, so that q is the stake in percent. Request 1: a at 25 %, b at 25.5 % and c at 27 % lose. Request 2: b at 25 % alone. Request 3: a at 25 %, c at 26 % loses by a cent.
  const quotes = columns([
    quote(1, 'a', 25, 'filled', 0), quote(1, 'b', 25.5, 'expired', 1), quote(1, 'c', 27, 'expired', 1), quote(1, 'c', 26.5, 'replaced', 0),
    quote(2, 'b', 25, 'filled', 0), quote(3, 'a', 25, 'filled', 0), quote(3, 'c', 26, 'expired', 1), quote(4, 'a', 25, 'expired', 0),
  ])

  it('counts fills that a cent more keeps, and those that a cent less wins, by V', () => {
    const [a, b, c] = centCounts(pageOf(['a', 'b', 'c'], { quotes }))
    // b stands half a cent behind on the first, c one cent on the third: at a cent more they are even, and that is not kept.
    expect(a).toMatchObject({ fills: 2, kept: 0, keptUsdc: 0, lost: 0, near: 0, nearUsdc: NaN })
    // (0.255 − 0.01 − 0.2) · 100.
    expect(b).toMatchObject({ fills: 1, kept: 1, keptUsdc: 1, lost: 1, near: 1, nearUsdc: expect.closeTo(4.5, 9) })
    expect(c).toMatchObject({ fills: 0, kept: 0, lost: 2, near: 0, nearUsdc: NaN })
  })

  it('counts what others filled before a quote came, on requests that were not passed', () => {
    const passes = columns([{ maker: 'c', request: 2 }])
    expect(centCounts(pageOf(['a', 'b', 'c'], { quotes, passes })).map(({ late }) => late)).toEqual([1, 1, 0])
    expect(centCounts(pageOf(['a', 'b', 'c'], { quotes })).map(({ late }) => late)).toEqual([null, null, null])
  })
})

describe('legs that hurt', () => {
  it('have the profits of the positions on them, the worst first, without void ones', () => {
    const settlements = columns([
      { position: 1, maker: 'a', outcome: 'won', net_stake_micros: 10, payout_micros: 50, to_maker_micros: 0 },
      { position: 2, maker: 'b', outcome: 'lost', net_stake_micros: 7, payout_micros: 20, to_maker_micros: 20 },
      { position: 3, maker: 'a', outcome: 'void', net_stake_micros: 9, payout_micros: 20, to_maker_micros: 11 },
    ])
    const positions: Cells = { position: [1, 2, 3], leg_markets: [['m', 'n'], ['m'], ['n']], leg_sides: [['yes', 'no'], ['yes'], ['no']] }
    // a paid 50 − 10 on m and n, and b kept 7 on m.
    expect(legProfits(pageOf(['a', 'b'], { settlements, positions }))).toEqual([
      { market: 'n', side: 'no', positions: 1, stakeMicros: 10, profitMicros: -40, byMaker: [-40, 0] },
      { market: 'm', side: 'yes', positions: 2, stakeMicros: 17, profitMicros: -33, byMaker: [-40, 7] },
    ])
  })
})
