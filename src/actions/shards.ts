import type { LoadedScenario } from '../scenario/load.ts'
import type { TaskPool } from '../sweep/task.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type LeagueOptions, plannedLeague } from './league.ts'
import { acting, calling, sayOf, signalOf } from './options.ts'
import { openPool, type PlayedSessions, playedOf, type PoolOptions, toldInterrupted } from './pools.ts'
import type { Scenario } from './scenario.ts'
import { plannedSweep, type SweepOptions } from './sweep.ts'

/** Which part of the sessions is played, and where they are left. */
export interface ShardOptions {
  /** The folder in which all shards leave their sessions, or `s3://BUCKET/FOLDER`. Results of another source tree, Node or platform lie beside each other there, and do not mix. */
  readonly results: string
  /** Number of this shard, from 1. */
  readonly shard: number
  /** How many shards there are. */
  readonly shards: number
}

export interface PlayedShard extends PlayedSessions {
  /** Sessions of this shard that failed. The merge tells of them. */
  readonly failed: number
  /** Sessions of other shards that decide what is played next, and have no result yet: this shard goes on when it is called again. 0: this shard is done. */
  readonly awaited: number
}

/**
 * Plays one shard's part of the sessions of a sweep into a folder of results. `sweep` with the option `results` makes the sweep of what all shards
 * left: the same bytes as on one machine.
 *
 * @param scenario what `loadScenario` returns, the same for all shards
 * @returns how much was played
 * @throws InputError for axes, rules, strategies, a share or a folder that cannot be
 * @throws Interrupted by the signal; what finished is left
 * @example
 * const margins = { axes: { 'makers.0.params.margin': '2%,8%' }, replications: 2, results: 'runs/shards' }
 * for (const shard of [1, 2]) await sweepShard(loadScenario('scenarios/quickstart.yaml'), { ...margins, shard, shards: 2 })
 * const { result } = await sweep(loadScenario('scenarios/quickstart.yaml'), margins)
 * console.log(result.points.length)
 */
export const sweepShard = (scenario: Scenario, options: Omit<SweepOptions, 'out' | 'queue' | 'results' | 'shards'> & ShardOptions): Promise<PlayedShard> => acting(async () => {
  throwIfAborted(signalOf(options))
  const { task, loaded } = await plannedSweep(scenario, options)
  const { sessionsMax, hasRounds } = task
  return playedShard(options, loaded, { sessionsMax, hasRounds, play: (pool) => task.play(pool), check: task.pointsToCheck })
})

/**
 * Plays one shard's part of the sessions of a league into a folder of results. `league` with the option `results` makes the league of what all
 * shards left: the same bytes as on one machine.
 *
 * @param scenario what `loadScenario` returns, the same for all shards
 * @returns how much was played
 * @throws InputError for entries, strategies, a share or a folder that cannot be
 * @throws Interrupted by the signal; what finished is left
 * @example
 * const scenario = loadScenario('scenarios/league.yaml', { set: ['league.replications=1'] })
 * for (const shard of [1, 2]) await leagueShard(scenario, { results: 'runs/league-shards', shard, shards: 2 })
 * const { result } = await league(scenario, { results: 'runs/league-shards' })
 * console.log(result.sessions)
 */
export const leagueShard = (scenario: Scenario, options: Omit<LeagueOptions, 'out' | 'queue' | 'results' | 'shards'> & ShardOptions): Promise<PlayedShard> => acting(async () => {
  throwIfAborted(signalOf(options))
  const [plan, { LeaguePlay }, { hasRounds, sessionsMax }] = await Promise.all([plannedLeague(scenario, options), import('../sweep/leaguePlay.ts'), import('../sweep/leagueBands.ts')])
  return playedShard(options, plan.loaded, { sessionsMax: sessionsMax(plan), hasRounds: hasRounds(plan), play: (pool) => new LeaguePlay(plan, pool).play(), check: [] })
})

/** What of a sweep or a league is played in shards. */
interface Shardable {
  readonly sessionsMax: number
  readonly hasRounds: boolean
  readonly play: (pool: TaskPool) => Promise<void>
  /** Points to check before any is played. */
  readonly check: Parameters<Awaited<ReturnType<typeof openPool>>['check']>[0]
}

async function playedShard(options: PoolOptions & ShardOptions, loaded: Pick<LoadedScenario, 'file'>, { sessionsMax, hasRounds, play, check }: Shardable): Promise<PlayedShard> {
  const [{ storeAt }, { Results }, { ownBuild }, { checkedShare, shardOf }, { RoundOver, RoundPool }] = await Promise.all([
    import('../fleet/storeAt.ts'), import('../fleet/results.ts'), import('../fleet/build.ts'), import('../fleet/share.ts'), import('../fleet/rounds.ts'),
  ])
  const { shard, of } = checkedShare({ shard: options.shard, of: options.shards }, `--shard ${options.shard}/${options.shards}`)
  await options.onPlanned?.({ sessionsMax: hasRounds ? sessionsMax : Math.ceil(sessionsMax / of), isAtMost: true })
  const store = await storeAt(options.results)
  const build = ownBuild()
  const results = await Results.open(store, build, { plays: (id) => shardOf(id, of) === shard, readsAll: hasRounds }, sayOf(options))
  const pool = await openPool(options, loaded, results)
  const startedMs = performance.now()
  try {
    await pool.check(check)
    await results.announce(build)
    const rounds = new RoundPool(pool, hasRounds)
    await play(rounds).catch((error: unknown) => { if (!(error instanceof RoundOver)) throw error })
    calling(options.onPlayed)()
    return { ...playedOf(pool.progress, startedMs), failed: pool.progress.failed, awaited: hasRounds ? rounds.missing.size : 0 }
  } catch (error) {
    throw toldInterrupted(error, pool.progress)
  } finally {
    await pool.close()
    await store.close()
  }
}
