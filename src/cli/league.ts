import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { InputError } from '../unit/inputError.ts'
import { collect, common, type CommonOptions, print, printJson, remark, wholeNumber } from './common.ts'
import { progressBar } from './progressBar.ts'
import { RUNS_FOLDER } from './run.ts'
import type { Interruption } from './signals.ts'

interface LeagueCommandOptions extends CommonOptions {
  readonly seed?: string
  readonly set?: readonly string[]
  readonly out?: string
  readonly tasks?: string
  readonly workers?: string
  readonly limit?: string
  readonly quiet?: boolean
}

const RESULT = 'league.json'
const TABLE = 'league.arrow'

export function addLeague(program: Command, interruption: () => Interruption): void {
  const command = program.command('league').argument('<scenario>', 'scenario file (YAML) with a section `league`')
    .summary('play makers against each other and say which is better, and by how much')
    .description(`Play the league of a scenario: its entries alone, beside the scenario's own makers and head to head, with the same seeds for all. Leaves ${RESULT} and ${TABLE} in ${RUNS_FOLDER}/league-NAME. Finished sessions are kept: the same command goes on where it was ended.`)
    .option('--seed <seed>', 'draw everything random from this seed')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the result')
    .option('--tasks <dir>', 'where finished sessions are kept')
    .option('--workers <n>', 'sessions at a time; default: as many as the machine runs at once')
    .option('--limit <seconds>', 'a session that takes longer counts as endless; default 600')
    .option('--quiet', 'no progress and no table')
  common(command, 'parlor league scenarios/league.yaml', 'parlor league scenarios/league.yaml --set league.replications=4 --workers 2')
    .action(async (scenario: string, options: LeagueCommandOptions) => { await league(scenario, options, interruption()) })
}

async function league(path: string, options: LeagueCommandOptions, interruption: Interruption): Promise<void> {
  const [{ planLeague }, { playLeague }, { LeagueTable }, { WorkerPool }, { leagueText }, { writeWholeJson }, { runNameOf }] = await Promise.all([
    import('../sweep/leaguePlan.ts'), import('../sweep/league.ts'), import('../sweep/leagueTable.ts'), import('../sweep/pool.ts'),
    import('../report/leagueText.ts'), import('../arrow/wholeFile.ts'), import('../scenario/run.ts'),
  ])
  const plan = await planLeague(path, { set: options.set ?? [], ...(options.seed === undefined ? {} : { seed: options.seed }) }, remark)
  const out = options.out ?? join(RUNS_FOLDER, `league-${runNameOf(plan.loaded)}`)
  checkFolder(out)
  const pool = new WorkerPool({ ...poolOptions(options), signal: interruption.signal, say: remark })
  const table = new LeagueTable(join(out, TABLE), plan.contestants)
  const bar = progressBar('sessions', options.quiet === true || options.json === true)
  try {
    const result = await playLeague(plan, pool, {
      onProgress: ({ done, planned }) => { bar.step({ share: done / planned, done }) },
      onResult: (session, taskResult) => { table.add(session, taskResult) },
    })
    table.finish()
    writeWholeJson(join(out, RESULT), result)
    bar.stop()
    if (options.json === true) return printJson({ league: out, ...result })
    if (options.quiet !== true) print(leagueText(result))
    print(`${relative('.', out)}: ${result.sessions} sessions`)
  } catch (error) {
    table.abort()
    throw error
  } finally {
    bar.stop()
    await pool.close()
  }
}

function poolOptions({ tasks, workers, limit }: LeagueCommandOptions): { tasksDir?: string; workers?: number; limitMs?: number } {
  const atLeastOne = (text: string, what: string): number => {
    const value = wholeNumber(text, what)
    if (value === 0) throw new InputError(`expected ${what}, at least 1, got 0`)
    return value
  }
  return {
    ...(tasks === undefined ? {} : { tasksDir: tasks }),
    ...(workers === undefined ? {} : { workers: atLeastOne(workers, 'a number of workers') }),
    ...(limit === undefined ? {} : { limitMs: 1000 * atLeastOne(limit, 'a limit in seconds') }),
  }
}

/** A league replaces what a league left, and nothing else. */
function checkFolder(out: string): void {
  if (!existsSync(out) || existsSync(join(out, RESULT))) return
  if (readdirSync(out).length > 0) throw new InputError('there is something here that is no league', { position: { file: out }, hint: 'choose another folder' })
}
