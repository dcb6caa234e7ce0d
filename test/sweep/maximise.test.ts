import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { licenceOf } from '../../src/score/licence.ts'
import { studentQuantile, studentTwoSided } from '../../src/stats/student.ts'
import { betterOnes, readMaximise, rungsOf, sessionsOfSearch } from '../../src/sweep/maximise.ts'
import { Sweep, type SweepPlan } from '../../src/sweep/sweep.ts'
import type { TaskOutcome, TaskPool, TaskSpec } from '../../src/sweep/task.ts'
import { newFolder } from '../scenario/small.ts'

const USDC = 1e6
const COLUMNS = ['quotedVersions', 'fills', 'committedVersions', 'settled', 'profit', 'stake', 'hold', 'grossBet', 'bettorLoss', 'ended', 'closeStake', 'closeHold',
  'margin', 'selection', 'model', 'lastLook', 'drift', 'ownFees', 'luck', 'positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn']
const FIGURES = ['quotes', 'delivered', 'selected', 'cashDrawdownMicros', 'markToMarketDrawdownMicros', 'liquidationDrawdownMicros', 'worstJointLossMicros', 'capitalUsdcDays']
/** One of each: parlays of one leg, and closes that leave all to luck. */
const BOOK: ReadonlySet<string> = new Set(['positionPayout', 'legPayout', 'uncertain', 'undecided'])
const CLUSTERS = ['a', 'b', 'c'] as const

/** Profit and luck by cluster, USDC, of a value and a replication. */
type World = (value: number, replication: number, cluster: number) => { readonly profit: number; readonly luck?: number } | 'throws' | 'endless'

class PaperPool implements TaskPool {
  readonly asked: string[] = []
  private readonly world: World
  private readonly clusters: readonly string[]
  /** Of `value replication`. */
  digestOf = (session: string): string => session

  constructor(world: World, clusters: readonly string[] = CLUSTERS) {
    this.world = world
    this.clusters = clusters
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    for (const spec of specs) {
      const [value, replication] = [Number(spec.set.at(-1)!.split('=')[1]), Number(spec.seed.split('/')[1])]
      this.asked.push(`${value}/${replication}`)
      const cells = this.clusters.map((_, c) => this.world(value, replication, c))
      const [first] = cells
      if (first === 'throws' || first === 'endless') {
        yield { spec, failure: { id: 'x', kind: first === 'endless' ? 'endless' : 'strategy', who: 'm', message: 'boom' } }
        continue
      }
      const sums = cells.flatMap((cell) => COLUMNS.map((column) => (column === 'ended' || BOOK.has(column) ? 1 : column === 'profit' || column === 'luck' ? ((cell as { profit: number; luck?: number })[column] ?? 0) * USDC : 0)))
      yield { spec, result: { id: `${value} ${replication}`, digest: this.digestOf(`${value} ${replication}`), scores: [{ service: 'parlay', makers: ['m'], clusters: this.clusters, columns: COLUMNS, figures: FIGURES, sums: Float64Array.from(sums), values: new Float64Array(FIGURES.length) }] } }
    }
  }

  async close(): Promise<void> {}
}

const MAKERS = [{ name: 'm', service: 'parlay' }, { name: 'n', service: 'outcome' }]
const read = (text: string, makers = MAKERS) => readMaximise(text, makers, { file: '--maximise' })

const planOf = (values: number, replications: number): SweepPlan => ({
  name: 'paper', label: 'interactive', scenario: 's.yaml', set: [], seed: '5', replications, until: null, maximise: read('luck-adjusted of m'), licence: licenceOf([]), expect: [],
  design: { kind: 'grid', axes: [{ path: 'x.margin', span: { values: Array.from({ length: values }, (_, i) => String(i + 1)) } }], seed: '5' },
})

const asked = (values: readonly number[], from: number, to: number): string[] => values.flatMap((value) => Array.from({ length: to - from + 1 }, (_, i) => `${value}/${from + i}`))

describe('the schedule of successive halving', () => {
  it('has the better half play twice as often, up to all replications, by hand', () => {
    expect(rungsOf(16, 32)).toEqual([{ points: 16, replications: 4 }, { points: 8, replications: 8 }, { points: 4, replications: 16 }, { points: 2, replications: 32 }])
    // 16·4 + 8·4 + 4·8 + 2·16 and 32 new ones of the winner, where a sweep has 512.
    expect(sessionsOfSearch(16, 32)).toBe(160 + 32)
    expect(rungsOf(5, 8)).toEqual([{ points: 5, replications: 2 }, { points: 3, replications: 4 }, { points: 2, replications: 8 }])
    expect(rungsOf(3, 7)).toEqual([{ points: 3, replications: 3 }, { points: 2, replications: 6 }])
    expect(rungsOf(2, 8)).toEqual([{ points: 2, replications: 8 }])
  })

  it('begins with one replication where there are more points than that', () => {
    expect(rungsOf(64, 8)).toEqual([{ points: 64, replications: 1 }, { points: 32, replications: 2 }, { points: 16, replications: 4 }, { points: 8, replications: 8 }])
    expect(rungsOf(9, 1)).toEqual([{ points: 9, replications: 1 }])
  })

  it('keeps the greatest totals, and of equal ones the first', () => {
    expect(betterOnes([0, 1, 2, 3], new Map([[0, 1], [1, 5], [2, 1], [3, 5]]), 3)).toEqual([1, 3, 0])
  })
})

describe('what is maximised', () => {
  it.each([
    ['luck-adjusted of m', 'luck-adjusted', 'm', 'parlay'], ['profit of n', 'cash', 'n', 'outcome'],
  ])('is read: %s', (text, measure, maker, service) => {
    expect(read(text)).toEqual({ measure, maker, service, text })
  })

  it('is of the only maker where none is named', () => {
    expect(read('luck-adjusted', [MAKERS[1]!])).toMatchObject({ maker: 'n' })
    expect(() => read('luck-adjusted')).toThrow(expect.objectContaining({ message: 'of which maker?', hint: 'the makers are m, n' }))
  })

  it.each([['hold of m', 'cannot maximise hold of m'], ['profit of x', 'no maker x']])('is refused: %s', (text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'InputError', message }))
  })
})

describe('a search', () => {
  // Point v earns v in each cluster, less 1 in the first; luck turns cash about. The odd replications swing.
  const steady: World = (value, replication, cluster) => ({ profit: -value, luck: -2 * value + (cluster === 0 ? 1 : 0) + (replication % 2 === 0 ? 1 : -1) })

  it('plays rounds and then the winner again, which new replications judge', async () => {
    const sweep = new Sweep(planOf(5, 8))
    const pool = new PaperPool(steady)
    await sweep.play(pool)
    expect(sweep.sessionsMax).toBe(5 * 2 + 3 * 2 + 2 * 4 + 8)
    expect(pool.asked).toEqual([...asked([1, 2, 3, 4, 5], 1, 2), ...asked([3, 4, 5], 3, 4), ...asked([4, 5], 5, 8), ...asked([5], 9, 16)])
    const dir = newFolder()
    const report = await sweep.write(pool, dir)
    expect(report.best).toEqual([])
    expect(report.points.map(({ replications }) => replications)).toEqual([2, 2, 4, 8, 8])
    const { rounds, winner, ...about } = report.search!
    expect(about).toEqual({ text: 'luck-adjusted of m', measure: 'luck-adjusted', service: 'parlay', maker: 'm', points: 5 })
    expect(rounds).toEqual([{ replications: 2, points: 5, kept: [5, 4, 3] }, { replications: 4, points: 3, kept: [5, 4] }, { replications: 8, points: 2, kept: [5] }])
    expect(winner).toMatchObject({ point: 5, settings: { 'x.margin': '5' }, fresh: { from: 9, to: 16 }, profit: { estimate: -15 } })
    // Without luck 4, 5 and 5 in three clusters: 14. Mean 14/3, error √(2/3/2/3) = 1/3.
    expect(winner!.luckAdjusted.estimate).toBeCloseTo(14, 9)
    const half = 3 * studentQuantile(1 - 0.05 / 10, 2) * (1 / 3)
    expect(winner!.corrected!.low).toBeCloseTo(14 - half, 6)
    expect(winner!.corrected!.high).toBeCloseTo(14 + half, 6)
    expect(winner!.corrected).toMatchObject({ points: 5, label: '3 clusters, skewness-adjusted t with Bonferroni\'s correction for 5 points' })
    expect(winner!.corrected!.p).toBeCloseTo(5 * studentTwoSided(14, 2), 9)
    expect(winner!.deflated).toBeGreaterThan(0)
    expect(winner!.sentence).toContain('; deflated ')
    expect(winner!.sentence).toContain('m: of 5 points margin 5 won, with 14.0 USDC luck-adjusted')
    expect(winner!.sentence).toContain('over 8 replications that did not choose it; corrected for the choice [')
    // All sessions are in the table.
    const table = readTable(join(dir, 'sweep.arrow'))
    expect([...table.column('replication').numbers!].filter((_, row) => table.column('point').numbers![row] === 5).at(-1)).toBe(16)
    expect(JSON.parse(readFileSync(join(dir, 'sweep.json'), 'utf8'))).toEqual(report)
  })

  it('has a winner that its first replications flattered judged without them', async () => {
    // Point 1 is lucky in the replications that choose.
    const sweep = new Sweep(planOf(2, 4))
    const pool = new PaperPool((value, replication, cluster) => ({ profit: (value === 1 && replication <= 4 ? 50 : 1) + cluster }))
    await sweep.play(pool)
    const { search, points } = await sweep.write(pool, newFolder())
    expect(search!.winner).toMatchObject({ point: 1, luckAdjusted: { estimate: 6 } })
    expect(points[0]!.makers[0]!.figures['luck-adjusted']!.estimate).toBe(153)
  })

  it('on one cluster rests on the new replications alone, and is deflated by nothing', async () => {
    const sweep = new Sweep(planOf(2, 4))
    const pool = new PaperPool((value, replication) => ({ profit: value + (replication % 2) }), ['a'])
    await sweep.play(pool)
    const { winner } = (await sweep.write(pool, newFolder())).search!
    // Replications 5 to 8 of point 2: 3, 2, 3, 2.
    expect(winner).toMatchObject({ point: 2, luckAdjusted: { estimate: 2.5 }, deflated: null, corrected: { label: '4 replications, skewness-adjusted t with Bonferroni\'s correction for 2 points, conditional on this history' } })
    const half = studentQuantile(1 - 0.05 / 4, 3) * Math.sqrt(1 / 3 / 4)
    expect(winner!.corrected!.low).toBeCloseTo(2.5 - half, 9)
    expect(winner!.sentence).not.toContain('deflated')
  })

  it('whose sessions are all the same claims nothing, and says so', async () => {
    const sweep = new Sweep(planOf(2, 4))
    const pool = new PaperPool((value) => ({ profit: value + 0.1 }), ['a'])
    pool.digestOf = (session) => session.split(' ')[0]!
    await sweep.play(pool)
    const { search, repeats } = await sweep.write(pool, newFolder())
    expect(search!.winner).toMatchObject({ point: 2, luckAdjusted: { estimate: 2.1, low: null }, corrected: null, uncorrected: '4 replications, all alike', deflated: null })
    expect(search!.winner!.sentence).toBe('m: of 2 points margin 2 won, with 2.10 USDC luck-adjusted over 4 replications that did not choose it; not corrected for the choice: 4 replications, all alike')
    expect(repeats).toContain('sessions cannot vary')
    // Those that vary say nothing.
    const other = new Sweep(planOf(2, 4))
    const varying = new PaperPool(steady)
    await other.play(varying)
    expect(await other.write(varying, newFolder())).not.toHaveProperty('repeats')
  })

  it('goes on without a point that failed, and without any has no winner', async () => {
    const sweep = new Sweep(planOf(4, 4))
    const pool = new PaperPool((value, replication, cluster) => (value === 4 && replication === 2 ? 'throws' : value === 3 ? 'endless' : steady(value, replication, cluster)))
    await sweep.play(pool)
    const { search, points } = await sweep.write(pool, newFolder())
    expect(search!.rounds).toEqual([{ replications: 2, points: 4, kept: [2] }, { replications: 4, points: 1, kept: [2] }])
    expect(search!.winner!.point).toBe(2)
    expect(points.map(({ failures }) => failures.length)).toEqual([0, 0, 1, 1])
    const none = new Sweep(planOf(3, 2))
    const failing = new PaperPool(() => 'throws')
    await none.play(failing)
    expect((await none.write(failing, newFolder())).search).toMatchObject({ winner: null })
  })

  it('needs two points', () => {
    expect(() => new Sweep(planOf(1, 2))).toThrow('a search needs two points or more')
  })
})
