import type { Command } from 'commander'
import { columnsText } from '../unit/columnsText.ts'
import { collect, common, type CommonOptions, print, printJson, remark, type TrustOptions, withTrust } from './common.ts'
import { ExitCode } from './failure.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'

interface VerifyOptions extends CommonOptions, TrustOptions {
  readonly quiet?: boolean
  readonly key?: readonly string[]
}

const EXIT_CODE = { proven: ExitCode.done, differs: ExitCode.failed, unproven: ExitCode.unproven } as const
const SHOWN = { same: 'same', differs: 'DIFFERS', unproven: 'UNPROVEN' } as const
const VERDICT = { proven: 'verified', differs: 'differs from what was expected', unproven: 'cannot be proven here' } as const

export function addVerify(program: Command, interruption: () => Interruption): void {
  const command = program.command('verify').argument('<run>', 'folder of a run')
    .summary('prove a run: its files, its journal, and the scenario played again')
    .description('Prove a run. Its files must be as its manifest says, and a fresh venue with its journal must write the same rows. Its scenario, played again, must leave the same bytes: tables, summary, page and manifest. What differs is named with its place.')
    .addHelpText('after', '\nExit codes: 0 the run is proven, 1 something differs, 2 there is no run, 3 the run cannot be proven here: other code, another Node or platform made it, or its inputs are missing or have changed.')
    .option('--key <pem>', 'public Ed25519 key that must have signed the manifest; may be repeated', collect)
    .option('--quiet', 'print no progress')
  withTrust(command)
  common(command, 'parlor verify runs/quickstart', 'parlor verify runs/quickstart --key public.pem')
    .action(async (dir: string, options: VerifyOptions) => { await verify(dir, options, interruption) })
}

async function verify(dir: string, options: VerifyOptions, interruption: () => Interruption): Promise<void> {
  const actions = await import('../actions/verify.ts')
  const bar = await progressBar('arrivals', options.quiet === true || options.json === true)
  const result = await actions.verify(dir, {
    trusted: options.trusted === true, keys: options.key ?? [], signal: interruption().signal, onNote: remark, onProgress: ({ share, arrivals }) => { bar.step({ share, done: arrivals }) },
  }).finally(() => { bar.stop() })
  process.exitCode = EXIT_CODE[result.verdict]
  if (options.json === true) return printJson({ run: dir, ...result })
  print(columnsText(result.checks.map(({ name, state, about }) => [SHOWN[state], name, about])))
  const { verdict, digest, unreproducible } = result
  print(`${dir}: ${VERDICT[verdict]}, digest ${digest.slice(0, 12)}`)
  if (unreproducible !== null) print(`${dir}: not reproducible: ${unreproducible}`)
}
