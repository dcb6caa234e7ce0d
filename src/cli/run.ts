import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { InputError } from '../unit/inputError.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { PAGE_NAME } from '../unit/pageName.ts'
import { collect, common, type CommonOptions, overridesOf, print, printJson, remark, type ScenarioOptions, type TrustOptions, withTrust } from './common.ts'
import { type OpenOption, openPage, withOpen } from './openPage.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'
import { compileLess, widenInlining } from './v8.ts'

interface RunCommandOptions extends CommonOptions, ScenarioOptions, TrustOptions, OpenOption {
  readonly out?: string
  readonly force?: boolean
  readonly sign?: string
  readonly quiet?: boolean
  readonly full?: boolean
  /** False with --no-report. */
  readonly report: boolean
}

export const RUNS_FOLDER = 'runs'

export function addRun(program: Command, interruption: () => Interruption): void {
  const command = program.command('run').argument('<scenario>', 'scenario file (YAML)')
    .summary('play a scenario and leave tables, a summary, a page and a manifest')
    .description(`Play a scenario. The run is left in ${RUNS_FOLDER}/NAME, whole or not at all; NAME is the scenario's. If there is a run of that name already, the new one gets a number: NAME-2.`)
    .option('--seed <seed>', 'draw everything random from this seed')
    .option('--set <path=value>', 'replace a setting of the scenario; may be repeated', collect)
    .option('--out <dir>', 'folder of the run itself')
    .option('--force', 'replace a run that is there already')
    .option('--sign <pem>', 'sign the manifest with this private Ed25519 key, as parlor sign does')
    .option('--no-report', 'write no page with pictures; parlor report can make it later')
    .option('--full', 'print all figures, and not the answer alone')
    .option('--quiet', 'print no progress and no summary')
  withOpen(withTrust(command))
  common(command, 'parlor run scenarios/quickstart.yaml', 'parlor run scenarios/quickstart.yaml --seed 2 --set makers.0.params.margin=5%')
    .action(async (scenario: string, options: RunCommandOptions) => { await run(scenario, options, interruption) })
}

async function run(path: string, options: RunCommandOptions, interruption: () => Interruption): Promise<void> {
  const [{ loadScenario }, actions, { answerText, summaryText, quietLines }] = await Promise.all([import('../actions/loadScenario.ts'), import('../actions/run.ts'), import('../actions/summarise.ts')])
  if (options.open === true && !options.report) throw new InputError('--open and --no-report exclude each other', { hint: 'there is no page to open' })
  const scenario = loadScenario(path, overridesOf(options))
  if (actions.isPlayedHere(scenario)) compileLess()
  else widenInlining()
  const bar = await progressBar('arrivals', options.quiet === true || options.json === true)
  const { label, digest, counts, path: folder, seconds, unreproducible, settlement, summary, key } = await actions.run(scenario, {
    out: options.out ?? join(RUNS_FOLDER, scenario.name), taken: options.force === true ? 'replace' : options.out === undefined ? 'number' : 'refuse',
    ...(options.sign === undefined ? {} : { sign: options.sign }), report: options.report, trusted: options.trusted === true, inThisThread: true, signal: interruption().signal, onNote: remark,
    onProgress: ({ share, arrivals }) => { bar.step({ share, done: arrivals }) },
    onSettling: ({ landed }) => { bar.remark(`${thousands(landed)} calls on chain`) },
    onPlayed: () => { bar.stop() },
  }).finally(() => { bar.stop() })
  if (options.open === true) await openPage(join(folder, PAGE_NAME))
  if (options.json === true) {
    return printJson({
      run: folder, label, digest, ...(unreproducible === null ? {} : { unreproducible }), ...(key === null ? {} : { key }), seconds, counts,
      ...(settlement === null ? {} : { settlement: settlement.chains }), ...(summary === null ? {} : { summary }),
    })
  }
  const isShown = options.quiet !== true && summary !== null
  if (isShown) print(options.full === true ? summaryText(summary, process.stdout.columns ?? Infinity) : answerText(summary))
  // Whoever sends the text elsewhere, or wants none, is told of it all the same.
  if (summary !== null && !(isShown && process.stdout.isTTY)) for (const line of quietLines(summary)) remark(line)
  print(`${relative('.', folder)}: digest ${digest.slice(0, 12)}, ${secondsText(seconds)}`)
  if (key !== null) print(`signed by key ${key}`)
  if (unreproducible !== null) print(`not reproducible: ${unreproducible}`)
  for (const line of settlement?.lines ?? []) print(line)
}
