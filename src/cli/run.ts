import { join, relative } from 'node:path'
import type { Command } from 'commander'
import type { RunResult } from '../scenario/run.ts'
import { isFromSystem } from '../result/failures.ts'
import type { RunSummary } from '../score/summary.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { collect, common, type CommonOptions, print, printJson, remark, type TrustOptions, withTrust } from './common.ts'
import { progressBar } from './progressBar.ts'
import { REPORT_NAME } from './report.ts'
import type { Interruption } from './signals.ts'

interface RunCommandOptions extends CommonOptions, TrustOptions {
  readonly seed?: string
  readonly set?: readonly string[]
  readonly out?: string
  readonly force?: boolean
  readonly quiet?: boolean
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
    .option('--no-report', 'write no page with pictures; parlor report can make it later')
    .option('--quiet', 'print no progress and no summary')
  withTrust(command)
  common(command, 'parlor run scenarios/quickstart.yaml', 'parlor run scenarios/quickstart.yaml --seed 2 --set makers.0.params.margin=5%')
    .action(async (scenario: string, options: RunCommandOptions) => { await run(scenario, options, interruption) })
}

async function run(path: string, options: RunCommandOptions, interruption: () => Interruption): Promise<void> {
  const [{ loadScenario }, { callLimitsOf, whyUnreproducible }, { runNameOf, runPlayed }, { RunThread }, { summariseRun }, { formatSummary }, { writeWholeJson }, { quietLines }] = await Promise.all([
    import('../scenario/load.ts'), import('../scenario/strategyLimits.ts'), import('../scenario/run.ts'), import('./runThread.ts'), import('../score/summary.ts'), import('../report/summaryText.ts'),
    import('../arrow/wholeFile.ts'), import('../report/quietMakers.ts'),
  ])
  const overrides = { set: options.set ?? [], ...(options.seed === undefined ? {} : { seed: options.seed }) }
  const loaded = loadScenario(path, overrides)
  const bar = await progressBar('arrivals', options.quiet === true || options.json === true)
  const target = { path: options.out ?? join(RUNS_FOLDER, runNameOf(loaded)), force: options.force === true, numbered: options.out === undefined }
  const { signal } = interruption()
  const thread = new RunThread({
    data: { path, overrides, isTrusted: options.trusted === true }, signal, limits: callLimitsOf(loaded.file.strategies), say: remark,
    onProgress: ({ share, arrivals }) => { bar.step({ share, done: arrivals }) },
    onSettling: ({ landed }) => { bar.remark(`${thousands(landed)} calls on chain`) },
  })
  let summary: RunSummary | undefined
  let startedMs = Date.now()
  const runInThread = async (): Promise<RunResult> => {
    const { hasTables, store } = await thread.prepared
    startedMs = Date.now()
    return runPlayed(loaded, store, {
      target, signal, say: remark,
      finishing: async (folder) => {
        bar.stop()
        if (!hasTables) return
        summary = await summariseRun(folder)
        writeWholeJson(join(folder, 'summary.json'), summary)
        if (options.report) await writePage(folder, summary)
      },
    }, (folder) => thread.play(folder))
  }
  const result = await runInThread().finally(async () => {
    bar.stop()
    await thread.close()
  })
  const seconds = (Date.now() - startedMs) / 1000
  const unreproducible = whyUnreproducible(result.manifest.identity)
  if (options.json === true) {
    const { digest, counts, label } = result.manifest
    const settlement = result.settlement === undefined ? {} : { settlement: result.settlement.record.chains }
    return printJson({ run: result.path, label, digest, ...(unreproducible === null ? {} : { unreproducible }), seconds, counts, ...settlement, ...(summary === undefined ? {} : { summary }) })
  }
  if (options.quiet !== true && summary !== undefined) print(formatSummary(summary))
  if (summary !== undefined) for (const line of quietLines(summary)) remark(line)
  print(`${relative('.', result.path)}: digest ${result.manifest.digest.slice(0, 12)}, ${secondsText(seconds)}`)
  if (unreproducible !== null) print(`not reproducible: ${unreproducible}`)
  for (const line of result.settlement?.lines ?? []) print(line)
}

/** Writes the page. When that fails, the run stays, unless the disk failed. */
export async function writePage(folder: string, summary: RunSummary): Promise<void> {
  try {
    const { writeRunReport } = await import('../report/runReport.ts')
    await writeRunReport(folder, join(folder, REPORT_NAME), { summary })
  } catch (error) {
    if (isFromSystem(error)) throw error
    remark(`no ${REPORT_NAME}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
