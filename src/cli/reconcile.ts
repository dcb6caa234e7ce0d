import type { Command } from 'commander'
import type { ReconcileOptions } from '../actions/reconcile.ts'
import { isHttpUrl } from '../unit/httpUrl.ts'
import { InputError } from '../unit/inputError.ts'
import { collect, common, type CommonOptions, print, printJson } from './common.ts'
import { ExitCode } from './failure.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'

interface ReconcileCommandOptions extends CommonOptions {
  readonly chain?: string
  readonly rpc?: readonly string[]
  readonly start?: string
  readonly quiet?: boolean
}

const CHOICES = ['svm', 'evm', 'both'] as const
type Choice = (typeof CHOICES)[number]
type StartedValidator = NonNullable<ReconcileOptions['start']>
const STARTS: readonly StartedValidator[] = ['solana-test-validator']

export function addReconcile(program: Command, interruption: () => Interruption): void {
  const command = program.command('reconcile').argument('<run>', 'folder of a run')
    .summary('settle a finished run on chains, and compare every account')
    .description('Settle a finished run on chains from its journal. Each service has a vault of parlor\'s own, which makes each fill, sale, settlement and payment in order. Every account is compared with the ledger, to the micro-unit. At the first difference the exit code is 1, and the message has the row that caused it and both sides\' entries.')
    .option('--chain <chain>', `${CHOICES.join(', ')}; default: one for each service of the run`)
    .option('--rpc <url>', 'URL of a chain that runs already, such as svm=http://127.0.0.1:8899; a URL without svm= or evm= is that of the chain of --chain; may be repeated', collect)
    .option('--start <validator>', `start a validator as the chain of the parlay service, instead of Solana's VM inside the process: ${STARTS.join(', ')}, found on PATH`)
    .option('--quiet', 'print no progress')
  common(command, 'parlor reconcile runs/quickstart --chain svm', 'parlor reconcile runs/outcome --chain evm --rpc http://127.0.0.1:8545')
    .action(async (dir: string, options: ReconcileCommandOptions) => { await reconcile(dir, options, interruption()) })
}

async function reconcile(dir: string, options: ReconcileCommandOptions, interruption: Interruption): Promise<void> {
  const actions = await import('../actions/reconcile.ts')
  const choice = choiceOf(options.chain)
  const chains = choice === null ? null : choice === 'both' ? ['svm', 'evm'] as const : [choice]
  const rpc = rpcOf(options.rpc ?? [], choice)
  const start = startOf(options.start)
  const bar = await progressBar('calls', options.quiet === true || options.json === true)
  const { chains: settled, lines, isSameRun, digest } = await actions.reconcile(dir, {
    rpc, signal: interruption.signal, onProgress: ({ share, landed }) => { bar.step({ share, done: landed }) },
    ...(chains === null ? {} : { chains }), ...(start === null ? {} : { start }),
  }).finally(() => { bar.stop() })
  if (!isSameRun) process.exitCode = ExitCode.failed
  if (options.json === true) return printJson({ run: dir, digest, same_run: isSameRun, chains: settled })
  for (const line of lines) print(line)
  if (!isSameRun) print(`${dir}: its journal gives other rows, digest ${digest.slice(0, 12)}: parlor verify says why`)
}

function choiceOf(text: string | undefined): Choice | null {
  if (text === undefined) return null
  const choice = CHOICES.find((name) => name === text)
  if (choice === undefined) throw new InputError(`expected --chain ${CHOICES.join(' or ')}, got ${text}`)
  return choice
}

function startOf(text: string | undefined): StartedValidator | null {
  if (text === undefined) return null
  const start = STARTS.find((name) => name === text)
  if (start === undefined) throw new InputError(`expected --start ${STARTS.join(' or ')}, got ${text}`)
  return start
}

const NAMED_URL = /^(svm|evm)=(.*)$/

/** URLs by chain. A URL without a name belongs to the only chain. */
export function rpcOf(urls: readonly string[], choice: Choice | null): { svm?: string; evm?: string } {
  const rpc: { svm?: string; evm?: string } = {}
  for (const text of urls) {
    const named = NAMED_URL.exec(text)
    const url = named === null ? text : named[2]!
    if (!isHttpUrl(url)) throw new InputError(`expected a URL such as http://127.0.0.1:8545, got ${url}`, { hint: 'expected --rpc URL, --rpc svm=URL or --rpc evm=URL' })
    const chain = named === null ? choice : named[1] as 'svm' | 'evm'
    if (chain === null || chain === 'both') throw new InputError(`which chain is at ${url}?`, { hint: `expected --rpc svm=${url} or --rpc evm=${url}` })
    if (choice !== null && choice !== 'both' && chain !== choice) throw new InputError(`--rpc names a chain ${chain}, but --chain is ${choice}`)
    if (rpc[chain] !== undefined) throw new InputError(`--rpc names the chain ${chain} twice`)
    rpc[chain] = url
  }
  return rpc
}
