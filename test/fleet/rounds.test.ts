import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { RoundOver, RoundPool } from '../../src/fleet/rounds.ts'
import { shardOf } from '../../src/fleet/share.ts'
import { licenceOf } from '../../src/score/licence.ts'
import { playLeague } from '../../src/sweep/league.ts'
import { hasRounds } from '../../src/sweep/leagueBands.ts'
import { type LeaguePlan, planLeague } from '../../src/sweep/leaguePlan.ts'
import { LeaguePlay } from '../../src/sweep/leaguePlay.ts'
import { readMaximise } from '../../src/sweep/maximise.ts'
import { Sweep, type SweepPlan } from '../../src/sweep/sweep.ts'
import type { TaskOutcome, TaskPool, TaskSpec } from '../../src/sweep/task.ts'
import { leagueScenario, MadeUpPool, type MadeUpSession, noise, paramOf, USDC, type World } from '../sweep/madeUpLeague.ts'

/** Outcomes that shards left, by identity. */
type Left = Map<string, TaskOutcome>

const idOf = (spec: TaskSpec): string => createHash('sha256').update(JSON.stringify(spec)).digest('hex')

/** A shard of a made-up pool. Number 0 plays nothing, as a merge. */
class PaperShard implements TaskPool {
  private readonly inner: TaskPool
  private readonly left: Left
  private readonly use: { readonly shard: number; readonly of: number; readonly readsAll: boolean }

  constructor(inner: TaskPool, left: Left, use: PaperShard['use']) {
    this.inner = inner
    this.left = left
    this.use = use
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    const { shard, of, readsAll } = this.use
    for (const spec of specs) {
      const id = idOf(spec)
      const isOwn = shardOf(id, of) === shard
      const known = isOwn || readsAll ? this.left.get(id) : undefined
      if (known !== undefined) yield known
      else if (!isOwn) yield { spec, missing: id }
      else {
        for await (const outcome of this.inner.play([spec])) {
          this.left.set(id, outcome)
          yield outcome
        }
      }
    }
  }

  async close(): Promise<void> {}
}

/** Plays shards one after the other until nothing is missing. Returns the number of rounds. */
async function inRounds(play: (pool: TaskPool) => Promise<unknown>, inner: TaskPool, left: Left, rounds: boolean, of: number): Promise<number> {
  for (let round = 1; round <= 20; round++) {
    for (let shard = of; shard >= 1; shard--) await goOn(play, new RoundPool(new PaperShard(inner, left, { shard, of, readsAll: rounds }), rounds))
    const merge = new RoundPool(new PaperShard(inner, left, { shard: 0, of, readsAll: true }), rounds)
    await goOn(play, merge)
    if (merge.missing.size === 0) return round
  }
  throw new Error('twenty rounds were not enough')
}

const goOn = (play: (pool: TaskPool) => Promise<unknown>, pool: TaskPool): Promise<unknown> =>
  play(pool).catch((error: unknown) => { if (!(error instanceof RoundOver)) throw error })

const ENTRIES = 'entries: [{ name: low, use: fixed-margin }, { name: high, use: shade }, { name: tuned, use: fixed-margin, tune: { margin: [1%, 2%] } }]\nreplications: 6'
const PLAIN = 'entries: [{ name: low, use: fixed-margin }, { name: high, use: shade }, { name: mid, use: fixed-margin }]\nreplications: 3'
const BANDS = 'bands: { rivals: [0, 2], replications: 2 }'
const EARNS: Readonly<Record<string, number>> = { low: -1, high: 3, mid: 1, shade: 0, tuned: 2 }
const world: World = (session, maker, cluster) =>
  ({ profit: (EARNS[maker] ?? 0) * USDC - paramOf(session, maker, 'margin') * 100_000 + noise(maker, cluster, session.replication), stake: 10 * USDC, valued: 0 })

const planOf = (league: string): Promise<LeaguePlan> => planLeague(leagueScenario(league))

describe('rounds of a league', () => {
  it.each([
    ['a plain one', `${PLAIN}\n${BANDS}`, false],
    ['a tuned one that plays pairs', ENTRIES, true],
    ['a tuned one with bands', `${ENTRIES}\nplay: [field]\n${BANDS}`, true],
    ['a tuned one that only plays alone', `${ENTRIES}\nplay: [alone]`, false],
    ['one that races', `${PLAIN}\nracing: { after: 2, level: 5% }`, true],
    ['one that races after its last replication', `${PLAIN}\nracing: { after: 3, level: 5% }`, false],
    ['pairs alone', `${PLAIN}\nplay: [pairs]`, false],
    ['pairs alone with bands', `${PLAIN}\nplay: [pairs]\n${BANDS}`, true],
  ])('%s: there are some where results decide who plays on', async (_, league, expected) => {
    expect(hasRounds(await planOf(league))).toBe(expected)
  })

  it.each([
    ['a plain league', `${PLAIN}\n${BANDS}`],
    ['one whose variants race', `${ENTRIES}\nracing: { after: 2, level: 5% }\n${BANDS}`],
    ['pairs alone with bands', `${PLAIN}\nplay: [pairs]\n${BANDS}`],
  ])('%s gives what one machine gives, from three shards', async (_, league) => {
    const plan = await planOf(league)
    for (const isFailing of [false, true]) {
      const failing = ({ makers, replication }: MadeUpSession) =>
        (isFailing && replication === 2 && makers.some(({ name }) => name === 'high') ? { kind: 'strategy' as const, who: 'high', message: 'boom' } : undefined)
      const whole = new MadeUpPool(world, plan.history.names, failing)
      const expected = await playLeague(plan, whole)
      const inner = new MadeUpPool(world, plan.history.names, failing)
      const left: Left = new Map()
      const took = await inRounds((pool) => new LeaguePlay(plan, pool).play(), inner, left, hasRounds(plan), 3)
      if (hasRounds(plan)) expect(took).toBeGreaterThan(1)
      else expect(took).toBe(1)
      expect(await playLeague(plan, new PaperShard(inner, left, { shard: 0, of: 3, readsAll: true }))).toEqual(expected)
      // Nothing is played twice. What one machine plays is played, and more only where a shard cannot know that an entry has failed.
      const [asked, needed] = [inner, whole].map((pool) => pool.asked.map(({ spec }) => idOf(spec)))
      expect(new Set(asked).size).toBe(asked!.length)
      for (const id of needed!) expect(asked).toContain(id)
      if (!isFailing) expect(asked).toHaveLength(new Set(needed).size)
    }
  })
})

describe('an entry that fails in one session, and in a later one has no end', () => {
  it.each([2, 3, 7])('leaves no session that is asked for without end, with %d shards', async (of) => {
    const plan = await planOf('entries: [{ name: low, use: fixed-margin }, { name: high, use: shade }]\nreplications: 12\nplay: [field]')
    const failing = ({ makers, replication }: MadeUpSession) => (!makers.some(({ name }) => name === 'high') ? undefined
      : replication === 2 ? { kind: 'strategy' as const, who: 'high', message: 'boom' } : replication === 3 ? { kind: 'endless' as const, who: 'high', message: 'did not end' } : undefined)
    const expected = await playLeague(plan, new MadeUpPool(world, plan.history.names, failing))
    const left: Left = new Map()
    const inner = new MadeUpPool(world, plan.history.names, failing)
    await inRounds((pool) => new LeaguePlay(plan, pool).play(), inner, left, hasRounds(plan), of)
    expect(await playLeague(plan, new PaperShard(inner, left, { shard: 0, of, readsAll: true }))).toEqual(expected)
  })
})

const MAKERS = [{ name: 'm', service: 'parlay' }]
const searchOf = (values: number): SweepPlan => ({
  name: 'paper', label: 'interactive', scenario: 's.yaml', set: [], seed: '5', replications: 8, until: null, maximise: readMaximise('profit of m', MAKERS, { file: '--maximise' }), licence: licenceOf([]), expect: [],
  design: { kind: 'grid', axes: [{ path: 'x.margin', span: { values: Array.from({ length: values }, (_, i) => String(i + 1)) } }], seed: '5' },
})

/** Profits of a search: the value of the point. The value `endless` never ends its third replication. */
class PaperProfits implements TaskPool {
  readonly asked: string[] = []
  private readonly endless: number

  constructor(endless = 0) {
    this.endless = endless
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    for (const spec of specs) {
      const [value, replication] = [Number(spec.set.at(-1)!.split('=')[1]), Number(spec.seed.split('/')[1])]
      this.asked.push(`${value}/${replication}`)
      if (value === this.endless && replication === 2) yield { spec, failure: { id: idOf(spec), kind: 'endless', who: 'm', message: 'did not end' } }
      else yield { spec, result: { id: idOf(spec), digest: 'd', scores: [{ service: 'parlay', makers: ['m'], clusters: ['a'], columns: ['profit', 'luck'], figures: [], sums: Float64Array.of(value * USDC, 0), values: new Float64Array() }] } }
    }
  }

  async close(): Promise<void> {}
}

describe('rounds of a search', () => {
  it.each([0, 6, 3])('choose what one machine chooses, where point %d does not end', async (endless) => {
    const [alone, whole] = [new PaperProfits(endless), new Sweep(searchOf(6))]
    await whole.play(alone)
    expect(whole.hasRounds).toBe(true)
    const inner = new PaperProfits(endless)
    const left: Left = new Map()
    expect(await inRounds((pool) => new Sweep(searchOf(6)).play(pool), inner, left, true, 2)).toBeLessThanOrEqual(6)
    const merged = new Sweep(searchOf(6))
    await merged.play(new PaperShard(inner, left, { shard: 0, of: 2, readsAll: true }))
    expect(merged.extents).toEqual(whole.extents)
    expect(merged.extents.filter(({ fresh }) => fresh === 8)).toHaveLength(1)
    for (const session of alone.asked) expect(inner.asked).toContain(session)
  })

  it('decide nothing while a result is missing', async () => {
    const left: Left = new Map()
    const pool = new RoundPool(new PaperShard(new PaperProfits(), left, { shard: 1, of: 2, readsAll: true }), true)
    await expect(new Sweep(searchOf(6)).play(pool)).rejects.toThrow(RoundOver)
    // Six points, twice each, of which the other shard has some.
    expect(left.size).toBeGreaterThan(0)
    expect(left.size + pool.missing.size).toBe(12)
    await expect(pool.play([]).next()).rejects.toThrow(RoundOver)
  })
})
