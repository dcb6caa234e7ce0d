import type { Command } from 'commander'
import { columnsText, common, type CommonOptions, print, printJson, remark, type TrustOptions, withTrust } from './common.ts'
import { ExitCode } from './failure.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'

interface VerifyOptions extends CommonOptions, TrustOptions {
  readonly quiet?: boolean
}

export function addVerify(program: Command, interruption: () => Interruption): void {
  const command = program.command('verify').argument('<run>', 'folder of a run')
    .summary('check a run: its files, its journal, and the scenario played again')
    .description('Check that the tables of a run are as they were written, that a fresh venue with its journal writes the same rows, and that its scenario, played again, gives them too, with what strategies say of themselves (tables passes and logs). The exit code is 1 when something differs.')
    .option('--quiet', 'print no progress')
  withTrust(command)
  common(command, 'parlor verify runs/quickstart')
    .action(async (dir: string, options: VerifyOptions) => { await verify(dir, options, interruption) })
}

async function verify(dir: string, options: VerifyOptions, interruption: () => Interruption): Promise<void> {
  const actions = await import('../actions/verify.ts')
  const bar = await progressBar('arrivals', options.quiet === true || options.json === true)
  const result = await actions.verify(dir, {
    trusted: options.trusted === true, signal: interruption().signal, onNote: remark, onProgress: ({ share, arrivals }) => { bar.step({ share, done: arrivals }) },
  }).finally(() => { bar.stop() })
  if (!result.ok) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson({ run: dir, ...result })
  print(columnsText(result.checks.map(({ name, ok, about }) => [ok ? 'same' : 'DIFFERS', name, about])))
  const { ok, digest, unreproducible } = result
  print(ok ? `${dir}: verified, digest ${digest.slice(0, 12)}` : `${dir}: not what its manifest says`)
  if (unreproducible !== null) print(`${dir}: not reproducible: ${unreproducible}`)
}
