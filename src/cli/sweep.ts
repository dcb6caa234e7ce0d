import { join, relative } from 'node:path'
import type { Command } from 'commander'
import type { PoolOptions } from '../actions/pools.ts'
import type { SweepOptions, SweptScenario } from '../actions/sweep.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { PAGE_NAME } from '../unit/pageName.ts'
import { atLeastOne, collect, common, type CommonOptions, overridesOf, print, printJson, remark, type SandboxOptions, type ScenarioOptions, type TrustOptions, wholeNumber, withSandbox, withTrust } from './common.ts'
import { ExitCode } from './failure.ts'
import { type OpenOption, openPage, withOpen } from './openPage.ts'
import { RUNS_FOLDER } from './run.ts'
import { type ShardCommandOptions, shardingOf, tellShard, withShards } from './shards.ts'
import type { Interruption } from './signals.ts'
import { PoolBar } from './taskBar.ts'

/** Options of commands that play tasks in a pool. */
export interface PoolCommandOptions extends TrustOptions, SandboxOptions {
  readonly workers?: string
  readonly tasks?: string
  readonly limit?: string
  readonly recheck?: string
}

interface SweepCommandOptions extends CommonOptions, ScenarioOptions, PoolCommandOptions, ShardCommandOptions, OpenOption {
  readonly axis?: readonly string[]
  readonly design?: string
  readonly points?: string
  readonly replications?: string
  readonly until?: string
  readonly maximise?: string
  readonly out?: string
  readonly quiet?: boolean
  readonly full?: boolean
  readonly baseline?: string
}

/** Adds the options that say how sessions are played. */
export const withPool = (command: Command): Command => withSandbox(withTrust(command))
  .option('--workers <n>', 'sessions at a time; default: one for each core')
  .option('--tasks <dir>', 'folder of the finished tasks, which all sweeps and leagues share (default: runs/tasks)')
  .option('--limit <duration>', 'time after which a session counts as endless (default: 10m)')
  .option('--recheck <n>', 'play this many kept tasks again and compare the bytes')

export function addSweep(program: Command, interruption: () => Interruption): void {
  const command = program.command('sweep').argument('<scenario>', 'scenario file (YAML), with or without a section `sweep`')
    .summary('play a scenario at many settings, many times each')
    .description(`Play a scenario at the points of a design, with the same seeds at each point, in parallel. Every finished session is kept: the same command goes on where it was stopped. The result is left in ${RUNS_FOLDER}/sweep-NAME: sweep.json, sweep.arrow and a page, the same bytes for any number of workers.`)
    .option('--axis <path=values>', 'a setting and its values, 2%..8%:7 or a,b,c; may be repeated, and replaces the axes of the scenario', collect)
    .option('--design <kind>', 'grid (all combinations), list (first values, second values, …), random or sobol')
    .option('--points <n>', 'number of points of a random or a Sobol design')
    .option('--replications <n>', 'most sessions of each point')
    .option('--until <rule>', 'stop at a point as soon as an interval is as narrow as this, from end to end: "profit of fixed-margin within 50 USDC"')
    .option('--maximise <figure>', 'find the point with the most by successive halving, "luck-adjusted of fixed-margin"; the winner is judged by new replications')
    .option('--baseline <n>', 'number of the point that the others are compared with; default: the first')
    .option('--seed <seed>', 'seed of all replications, and of the points of a random or Sobol design')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the results')
    .option('--full', 'print all points, and not the answer alone')
    .option('--quiet', 'print no progress and no table')
  withOpen(withShards(withPool(command)))
  common(command,
    'parlor sweep scenarios/quickstart.yaml --axis makers.0.params.margin=2%..8%:4 --replications 4',
    'parlor sweep scenarios/quickstart.yaml --axis makers.0.params.margin=1%..9% --axis makers.1.params.margin=1%..9% --design sobol --points 16 --replications 32 --until "hold of fixed-margin within 2%"')
    .action(async (scenario: string, options: SweepCommandOptions) => { await sweep(scenario, options, interruption()) })
}

async function sweep(path: string, options: SweepCommandOptions, { signal }: Interruption): Promise<void> {
  const [{ loadScenario }, actions] = await Promise.all([import('../actions/loadScenario.ts'), import('../actions/sweep.ts')])
  const { axis, design, points, replications, until, maximise, baseline, out, open } = options
  const sharding = shardingOf(options, { '--out': out, '--open': open, '--full': options.full })
  const scenario = loadScenario(path, overridesOf(options))
  const bar = new PoolBar(options.quiet === true || options.json === true)
  const asked = {
    ...poolOf(options, bar), signal,
    ...(axis === undefined ? {} : { axes: axis }), ...(design === undefined ? {} : { design: design as NonNullable<SweepOptions['design']> }), ...(until === undefined ? {} : { until }), ...(maximise === undefined ? {} : { maximise }),
    ...(baseline === undefined ? {} : { baseline: atLeastOne(baseline, '--baseline') }),
    ...(points === undefined ? {} : { points: atLeastOne(points, '--points') }), ...(replications === undefined ? {} : { replications: atLeastOne(replications, '--replications') }),
  }
  if (sharding.kind === 'shard') {
    const { sweepShard } = await import('../actions/shards.ts')
    return tellShard(await sweepShard(scenario, { ...asked, ...sharding }).finally(() => { bar.stop() }), sharding, options)
  }
  const elsewhere = sharding.kind === 'none' ? {} : sharding
  const swept = await actions.sweep(scenario, { ...asked, ...elsewhere, out: out ?? join(RUNS_FOLDER, `sweep-${scenario.name}`) }).finally(() => { bar.stop() })
  if (open === true) await openPage(join(swept.path!, PAGE_NAME))
  await tell(swept, options)
}

/** How a pool plays, by the options of the command line. Throws InputError for a text that is no number. */
export function poolOf({ workers, tasks, limit, recheck, trusted, sandbox }: PoolCommandOptions, bar: PoolBar): PoolOptions {
  return {
    trusted: trusted === true, onNote: remark, onPlanned: (planned) => bar.begin(planned), onProgress: (progress) => { bar.step(progress) }, onPlayed: () => { bar.stop() },
    ...(workers === undefined ? {} : { workers: atLeastOne(workers, '--workers') }), ...(tasks === undefined ? {} : { tasks }), ...(limit === undefined ? {} : { limit }),
    ...(recheck === undefined ? {} : { recheck: wholeNumber(recheck, '--recheck') }), ...(sandbox === undefined ? {} : { sandbox }),
  }
}

async function tell({ path, result: report, played, kept, rechecked, seconds }: SweptScenario, options: SweepCommandOptions): Promise<void> {
  const { expectationTexts, sweepAnswer, sweepText } = await import('../actions/sweepText.ts')
  const out = relative('.', path!)
  // Also failures of sessions whose kept results were lost, and that failed when they were played again for writing.
  const failed = report.points.reduce((sum, { failures }) => sum + failures.length, 0)
  if (failed > 0 || report.expectations.some(({ holds }) => !holds)) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson({ sweep: out, played, kept, failed, rechecked, seconds, result: report })
  if (options.quiet === true) for (const text of expectationTexts(report)) print(text)
  else print(options.full === true ? sweepText(report) : sweepAnswer(report))
  for (const { point, failures } of report.points) {
    for (const { seed, kind, message } of failures) remark(`point ${point}, seed ${seed}: ${kind === 'strategy' ? '' : `${kind}: `}${message}`)
  }
  const also = [kept > 0 ? `${thousands(kept)} kept from before` : '', rechecked > 0 ? `${thousands(rechecked)} kept ones played again, the same bytes` : '', failed > 0 ? `${thousands(failed)} failed` : '']
  print([`${out}: ${thousands(played)} sessions played`, ...also.filter((part) => part !== ''), secondsText(seconds)].join(', '))
}
