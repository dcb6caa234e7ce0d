import { relative } from 'node:path'
import type { Command } from 'commander'
import { secondsText } from '../unit/numberText.ts'
import { collect, common, type CommonOptions, print, printJson, remark, type TrustOptions, withTrust } from './common.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'

interface WhatIfOptions extends CommonOptions, TrustOptions {
  readonly set?: readonly string[]
  readonly from?: string
  readonly out?: string
  readonly force?: boolean
  readonly quiet?: boolean
  /** False with --no-report. */
  readonly report: boolean
}

export function addWhatIf(program: Command, interruption: () => Interruption): void {
  const command = program.command('whatif').argument('<run>', 'folder of a run')
    .summary('play a run again with something changed, under the same draws, and say what that made')
    .description('Play a run again from its begin with some settings changed, under the same draws, and leave that as a run of its own. Then join the two request by request, as parlor diff does. Nothing changed gives the same run, byte for byte.')
    .option('--set <path=value>', 'replace a setting of the run\'s scenario; may be repeated', collect)
    .option('--from <time>', 'an instant, or a span since the begin: change makers\' params and use there, and leave all before it as it was')
    .option('--out <dir>', 'folder of the new run; default: RUN-whatif, with a number where that is taken')
    .option('--force', 'replace a run that is there already')
    .option('--no-report', 'write no page with pictures; parlor report can make it later')
    .option('--quiet', 'print no progress')
  withTrust(command)
  common(command, 'parlor whatif runs/quickstart --set makers.0.params.margin=3%')
    .action(async (dir: string, options: WhatIfOptions) => { await whatIf(dir, options, interruption) })
}

async function whatIf(dir: string, options: WhatIfOptions, interruption: () => Interruption): Promise<void> {
  const [actions, { diffText }] = await Promise.all([import('../actions/whatif.ts'), import('../actions/diff.ts')])
  const bar = await progressBar('arrivals', options.quiet === true || options.json === true)
  const { run: { path, digest, seconds }, diff } = await actions.whatIf(dir, {
    set: options.set ?? [], ...(options.from === undefined ? {} : { from: options.from }), ...(options.out === undefined ? {} : { out: options.out }), force: options.force === true,
    report: options.report, trusted: options.trusted === true, signal: interruption().signal, onNote: remark,
    onProgress: ({ share, arrivals }) => { bar.step({ share, done: arrivals }) }, onPlayed: () => { bar.stop() },
  }).finally(() => { bar.stop() })
  if (options.json === true) return printJson({ run: path, digest, seconds, diff })
  print(`A is ${dir}, B is ${relative('.', path)}: digest ${digest.slice(0, 12)}, ${secondsText(seconds)}`)
  print(`\n${diffText(diff)}`)
}
