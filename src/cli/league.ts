import { join, relative } from 'node:path'
import type { Command } from 'commander'
import type { Generation } from '../result/generation.ts'
import type { LeagueTable } from '../sweep/leagueTable.ts'
import type { PoolProgress } from '../sweep/pool.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { collect, common, type CommonOptions, print, printJson, remark } from './common.ts'
import { ExitCode } from './failure.ts'
import { leavePage } from './report.ts'
import { RUNS_FOLDER } from './run.ts'
import type { Interruption } from './signals.ts'
import { limitOf, openPool, type PoolOptions, tellInterrupted, withPool } from './sweep.ts'
import { taskBar } from './taskBar.ts'

interface LeagueCommandOptions extends CommonOptions, PoolOptions {
  readonly seed?: string
  readonly set?: readonly string[]
  readonly out?: string
  readonly quiet?: boolean
}

const RESULT = 'league.json'
const TABLE = 'league.arrow'

export function addLeague(program: Command, interruption: () => Interruption): void {
  const command = program.command('league').argument('<scenario>', 'scenario file (YAML) with a section `league`')
    .summary('play makers against each other and say which is better, and by how much')
    .description(`Play the league of a scenario: its entries alone, beside the scenario's own makers and head to head, with the same seeds for all. Leaves ${RESULT} and ${TABLE} in ${RUNS_FOLDER}/league-NAME. Finished sessions are kept: the same command goes on where it stopped.`)
    .option('--seed <seed>', 'draw everything random from this seed')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the result')
    .option('--quiet', 'print no progress and no table')
  withPool(command)
  common(command, 'parlor league scenarios/league.yaml', 'parlor league scenarios/league.yaml --set league.replications=4 --workers 2')
    .action(async (scenario: string, options: LeagueCommandOptions) => { await league(scenario, options, interruption()) })
}

async function league(path: string, options: LeagueCommandOptions, interruption: Interruption): Promise<void> {
  const [{ planLeague }, { playLeague }, { sessionsMax }, { LeagueTable: Table }, { writeWholeJson }, { runNameOf }] = await Promise.all([
    import('../sweep/leaguePlan.ts'), import('../sweep/league.ts'), import('../sweep/leagueBands.ts'), import('../sweep/leagueTable.ts'),
    import('../arrow/wholeFile.ts'), import('../scenario/run.ts'),
  ])
  const plan = await planLeague(path, {
    set: options.set ?? [], ...(options.seed === undefined ? {} : { seed: options.seed }), ...await limitOf(options), signal: interruption.signal, isTrusted: options.trusted === true,
  }, remark)
  const out = options.out ?? join(RUNS_FOLDER, `league-${runNameOf(plan.loaded)}`)
  const { beginResult, checkResultFolder, commitResult } = await import('./resultFolder.ts')
  checkResultFolder(out, 'league')
  const bar = await taskBar(sessionsMax(plan), true, options.quiet === true || options.json === true)
  const pool = await openPool(options, interruption, (progress) => { bar.step(progress) }, plan.loaded)
  const startedMs = Date.now()
  let [generation, table]: [Generation?, LeagueTable?] = []
  try {
    const begun = generation = await beginResult(out, 'league', interruption.signal)
    const written = table = new Table(join(begun.folder, TABLE), plan.contestants)
    const result = await playLeague(plan, pool, { onResult: (session, taskResult) => { written.add(session, taskResult) } })
    written.finish()
    writeWholeJson(join(begun.folder, RESULT), result)
    bar.stop()
    await leavePage(begun.folder)
    commitResult(begun, 'league')
    await tell(result, pool.progress, relative('.', out), (Date.now() - startedMs) / 1000, options)
  } catch (error) {
    bar.stop()
    table?.abort()
    tellInterrupted(generation === undefined ? error : generation.giveUp(error), pool.progress)
  } finally {
    bar.stop()
    await pool.close()
  }
}

async function tell(result: LeagueResult, { played, kept }: PoolProgress, out: string, seconds: number, options: LeagueCommandOptions): Promise<void> {
  const { leagueText } = await import('../report/leagueText.ts')
  if (result.failures.length > 0) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson({ league: out, played, kept, seconds, result })
  if (options.quiet !== true) print(leagueText(result))
  print(`${out}: ${thousands(played)} sessions played${kept > 0 ? `, ${thousands(kept)} kept from before` : ''}, ${secondsText(seconds)}`)
}
