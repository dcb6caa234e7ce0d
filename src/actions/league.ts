import { join } from 'node:path'
import { writeWholeJson } from '../arrow/wholeFile.ts'
import { hasRounds, sessionsMax } from '../sweep/leagueBands.ts'
import type { LeaguePlan } from '../sweep/leaguePlan.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'
import type { LeagueTable } from '../sweep/leagueTable.ts'
import type { QueueOptions } from './elsewhere.ts'
import { loadedOf } from './loaded.ts'
import { Merge } from './merge.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { acting, calling, sayOf, signalOf, throwIfAbortedMeanwhile } from './options.ts'
import { leavePage } from './pages.ts'
import { limitOf, type PlayedSessions, playedOf, type PoolOptions, sandboxOf, toldInterrupted } from './pools.ts'
import { openPlayers } from './queue.ts'
import { beginOrScratch, checkResultFolder } from './resultFolder.ts'
import type { Scenario } from './scenario.ts'

const RESULT = 'league.json'
const TABLE = 'league.arrow'

export interface LeagueOptions extends PoolOptions, QueueOptions {
  /** The folder of the result. Without it the result is not left on the disk; the finished sessions are kept in `tasks` all the same. */
  readonly out?: string
}

export interface PlayedLeague extends PlayedSessions {
  /** Null without `out`. */
  readonly path: string | null
  /** The contents of `league.json`: the same bytes for any number of workers. */
  readonly result: LeagueResult
}

/**
 * Plays the league of a scenario: its entries alone, beside the scenario's own makers and head to head, with the same seeds for all. Every finished
 * session is kept: the same call goes on where it was stopped.
 *
 * @param scenario what `loadScenario` returns, with a section `league`
 * @returns the ranking with its intervals, and how much was played; failed sessions stand in its `failures`
 * @throws InputError for entries, strategies or a folder that cannot be, and where a maker of the scenario itself fails
 * @throws Interrupted by the signal; what finished is kept
 * @example
 * const { result } = await league(loadScenario('scenarios/league.yaml', { set: ['league.replications=2'] }), { workers: 2 })
 * for (const { name, rank } of result.entries) console.log(rank, name)
 */
export const league = (scenario: Scenario, options: LeagueOptions = {}): Promise<PlayedLeague> => acting(async () => {
  const signal = signalOf(options)
  throwIfAborted(signal)
  const { out, onPlanned, onPlayed } = options
  const [plan, { playLeague }, { LeagueTable: Table }] = await Promise.all([plannedLeague(scenario, options), import('../sweep/league.ts'), import('../sweep/leagueTable.ts')])
  if (out !== undefined) checkResultFolder(out, 'league')
  const merge = await Merge.open(options, plan.loaded)
  await onPlanned?.({ sessionsMax: sessionsMax(plan), isAtMost: true })
  const pool = merge?.pool ?? await openPlayers(options, plan.loaded, { about: `league ${scenario.name}`, sessionsMax: sessionsMax(plan) })
  const startedMs = performance.now()
  let table: LeagueTable | undefined
  try {
    if (merge !== null) await surveyLeague(merge, plan)
    const place = await beginOrScratch(out, 'league', { signal, say: sayOf(options) })
    try {
      const written = table = new Table(join(place.folder, TABLE), plan.contestants)
      const result = await playLeague(plan, pool, { onResult: (session, taskResult) => { written.add(session, taskResult) } })
      written.finish()
      writeWholeJson(join(place.folder, RESULT), result)
      calling(onPlayed)()
      if (out !== undefined) await leavePage(place.folder, sayOf(options))
      await throwIfAbortedMeanwhile(signal)
      place.commit()
      return { path: out ?? null, result, ...playedOf(pool.progress, startedMs) }
    } catch (error) {
      table?.abort()
      throw place.giveUp(error)
    }
  } catch (error) {
    throw toldInterrupted(error, pool.progress)
  } finally {
    await pool.close()
  }
})

/** A league that can be played. Throws InputError, and Interrupted by the signal. */
export async function plannedLeague(scenario: Scenario, options: PoolOptions): Promise<LeaguePlan> {
  const { planLeague } = await import('../sweep/leaguePlan.ts')
  const { origin, overrides } = loadedOf(scenario)
  return planLeague(origin, { ...overrides, ...limitOf(options), signal: signalOf(options), isTrusted: options.trusted === true, sandbox: sandboxOf(options) }, sayOf(options))
}

async function surveyLeague(merge: Merge, plan: LeaguePlan): Promise<void> {
  const { LeaguePlay } = await import('../sweep/leaguePlay.ts')
  await merge.survey(hasRounds(plan), (rounds) => new LeaguePlay(plan, rounds).play())
}
