import { join } from 'node:path'
import type { Command } from 'commander'
import { columnsText } from '../unit/columnsText.ts'
import { InputError } from '../unit/inputError.ts'
import { secondsText, thousands } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson, remark, wholeNumber } from './common.ts'
import { ExitCode } from './failure.ts'
import { progressBar } from './progressBar.ts'
import { RUNS_FOLDER } from './run.ts'
import type { Interruption } from './signals.ts'

interface ValidateCommandOptions extends CommonOptions {
  readonly items?: string
  readonly samples: string
  readonly seed?: string
  readonly workers: string
  readonly wrong?: string
  readonly out?: string
}

export function addValidate(program: Command, interruption: () => Interruption): void {
  const command = program.command('validate')
    .summary('measure known results through the real services')
    .description('Measure, in sessions of the real services and agents, results that are known without parlor. Each is shown beside its known value with an interval (docs/validation.md). The result is left in DIR/validation.json. The exit code is 1 when a figure fails.')
    .option('--items <ids>', 'items to measure, separated by commas; default: all, or those of --wrong')
    .option('--samples <size>', 'full, or small for a quick look with wider intervals', 'full')
    .option('--seed <seed>', 'draw everything random from this seed')
    .option('--workers <n>', 'threads, each with one item at a time; their number changes no byte', '1')
    .option('--wrong <ids>', 'give these items a deliberately wrong parameter, to see them fail; they are measured whatever --items says')
    .option('--out <dir>', `folder of the result (${RUNS_FOLDER}/validation, or ${RUNS_FOLDER}/validation-wrong)`)
  common(command, 'parlor validate --workers 2', 'parlor validate --wrong 3 --samples small')
    .action(async (options: ValidateCommandOptions) => { await run(options, interruption()) })
}

async function run(options: ValidateCommandOptions, { signal }: Interruption): Promise<void> {
  const { validate } = await import('../actions/validate.ts')
  const { samples, seed } = options
  if (samples !== 'small' && samples !== 'full') throw new InputError(`expected --samples small or full, got ${samples}`)
  const workers = wholeNumber(options.workers, '--workers')
  if (workers < 1) throw new InputError('expected --workers 1 or more')
  const wrong = idsOf(options.wrong, '--wrong')
  const items = idsOf(options.items, '--items')
  const out = options.out ?? join(RUNS_FOLDER, wrong === undefined ? 'validation' : 'validation-wrong')
  const bar = await progressBar('requests', options.json === true)
  const startedMs = Date.now()
  const result = await validate({
    out, samples, workers, signal, onNote: remark, onProgress: ({ share, requests }) => { bar.step({ share, done: requests }) },
    ...(items === undefined ? {} : { items }), ...(wrong === undefined ? {} : { wrong }), ...(seed === undefined ? {} : { seed }),
  }).finally(() => { bar.stop() })
  const path = join(out, 'validation.json')
  if (!result.pass) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson(result)
  const { figureTexts } = await import('../actions/figureTexts.ts')
  print(columnsText([
    ['figure', 'what', 'known', 'measured', `${result.level * 100}% interval`, '', 'commits', 'at ledger', 'pass'],
    ...result.figures.map((figure) => {
      const { known, measured, interval } = figureTexts(figure)
      return [figure.id, figure.title, known, measured, interval, figure.unit, thousands(figure.committed), thousands(figure.samples), figure.pass ? 'yes' : 'NO']
    }),
  ], [2, 3, 4, 6, 7]))
  const failed = result.figures.filter(({ pass }) => !pass).length
  const verdict = result.pass ? 'all pass' : `${failed} of ${result.figures.length} fail`
  for (const [word, passed] of [['pass', true], ['FAIL', false]] as const) {
    const ids = result.items.filter(({ pass }) => pass === passed).map(({ id }) => id)
    if (ids.length > 0) print(`items that ${word}: ${ids.join(', ')}`)
  }
  print(`${result.figures.length} figures, ${verdict}; ${secondsText((Date.now() - startedMs) / 1000)}; ${path}`)
}

/** Throws InputError for a list without an id. */
function idsOf(list: string | undefined, option: string): string[] | undefined {
  const ids = list?.split(',').map((id) => id.trim()).filter((id) => id !== '')
  if (ids?.length === 0) throw new InputError(`expected ids of items after ${option}, such as 1,8; got none`)
  return ids
}
