import { join, relative } from 'node:path'
import type { Command } from 'commander'
import type { PlayedLeague } from '../actions/league.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { PAGE_NAME } from '../unit/pageName.ts'
import { collect, common, type CommonOptions, overridesOf, print, printJson, type ScenarioOptions } from './common.ts'
import { ExitCode } from './failure.ts'
import { type OpenOption, openPage, withOpen } from './openPage.ts'
import { RUNS_FOLDER } from './run.ts'
import { type ShardCommandOptions, shardingOf, tellShard, withShards } from './shards.ts'
import type { Interruption } from './signals.ts'
import { poolOf, type PoolCommandOptions, withPool } from './sweep.ts'
import { PoolBar } from './taskBar.ts'

interface LeagueCommandOptions extends CommonOptions, ScenarioOptions, PoolCommandOptions, ShardCommandOptions, OpenOption {
  readonly out?: string
  readonly quiet?: boolean
  readonly full?: boolean
}

export function addLeague(program: Command, interruption: () => Interruption): void {
  const command = program.command('league').argument('<scenario>', 'scenario file (YAML) with a section `league`')
    .summary('play makers against each other and say which is better, and by how much')
    .description(`Play the league of a scenario: its entries alone, beside the scenario's own makers and head to head, with the same seeds for all. Leaves league.json and league.arrow in ${RUNS_FOLDER}/league-NAME. Finished sessions are kept: the same command goes on where it stopped.`)
    .option('--seed <seed>', 'draw everything random from this seed')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the result')
    .option('--full', 'print all tables, and not the answer alone')
    .option('--quiet', 'print no progress and no table')
  withOpen(withShards(withPool(command)))
  common(command, 'parlor league scenarios/league.yaml', 'parlor league scenarios/league.yaml --set league.replications=4 --workers 2')
    .action(async (scenario: string, options: LeagueCommandOptions) => { await league(scenario, options, interruption()) })
}

async function league(path: string, options: LeagueCommandOptions, { signal }: Interruption): Promise<void> {
  const [{ loadScenario }, actions] = await Promise.all([import('../actions/loadScenario.ts'), import('../actions/league.ts')])
  const sharding = shardingOf(options, { '--out': options.out, '--open': options.open, '--full': options.full })
  const scenario = loadScenario(path, overridesOf(options))
  const bar = new PoolBar(options.quiet === true || options.json === true)
  const asked = { ...poolOf(options, bar), signal }
  if (sharding.kind === 'shard') {
    const { leagueShard } = await import('../actions/shards.ts')
    return tellShard(await leagueShard(scenario, { ...asked, ...sharding }).finally(() => { bar.stop() }), sharding, options)
  }
  const elsewhere = sharding.kind === 'none' ? {} : sharding
  const played = await actions.league(scenario, { ...asked, ...elsewhere, out: options.out ?? join(RUNS_FOLDER, `league-${scenario.name}`) }).finally(() => { bar.stop() })
  await tell(played, options)
}

async function tell({ path, result, played, kept, seconds }: PlayedLeague, options: LeagueCommandOptions): Promise<void> {
  const { leagueAnswer, leagueText } = await import('../actions/leagueText.ts')
  const out = relative('.', path!)
  if (options.open === true) await openPage(join(path!, PAGE_NAME))
  if (result.failures.length > 0) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson({ league: out, played, kept, seconds, result })
  if (options.quiet !== true) print(options.full === true ? leagueText(result) : leagueAnswer(result))
  print(`${out}: ${thousands(played)} sessions played${kept > 0 ? `, ${thousands(kept)} kept from before` : ''}, ${secondsText(seconds)}`)
}
