import type { Command } from 'commander'
import { plural, thousands } from '../unit/numberText.ts'
import { atLeastOne, common, type CommonOptions, print, printJson, remark, type SandboxOptions, type TrustOptions, withSandbox, withTrust } from './common.ts'
import type { Interruption } from './signals.ts'

interface WorkerCommandOptions extends CommonOptions, TrustOptions, SandboxOptions {
  readonly queue: string
  readonly threads?: string
  readonly results?: string
  readonly tasks?: string
}

export function addWorker(program: Command, interruption: () => Interruption): void {
  const command = program.command('worker')
    .summary('play the sessions that sweeps and leagues put into a queue')
    .description('Play the sessions that parlor sweep and parlor league put into a queue (--queue), until Ctrl-C or SIGTERM: what is begun is then played to its end. Any number of workers on any number of machines play one queue. What a command of another source tree, Node or platform asks for is refused.')
    .requiredOption('--queue <url>', 'the queue: redis://HOST:6379, or rediss:// for TLS')
    .option('--threads <n>', 'sessions at a time; default: one for each core')
    .option('--results <dir>', 'where this machine sees the folder of results, when it is not where the command sees it')
    .option('--tasks <dir>', 'folder in which this machine keeps finished sessions (default: runs/tasks)')
  withSandbox(withTrust(command))
  common(command, 'parlor worker --queue redis://localhost:6379 --threads 4')
    .action(async (options: WorkerCommandOptions) => { await work(options, interruption()) })
}

async function work({ queue, threads, results, tasks, trusted, sandbox, json }: WorkerCommandOptions, { signal }: Interruption): Promise<void> {
  const { workQueue } = await import('../actions/queue.ts')
  const worked = await workQueue({
    queue, trusted: trusted === true, signal, onNote: remark, ...(sandbox === undefined ? {} : { sandbox }),
    ...(threads === undefined ? {} : { threads: atLeastOne(threads, '--threads') }), ...(results === undefined ? {} : { results }), ...(tasks === undefined ? {} : { tasks }),
  })
  if (json === true) return printJson(worked)
  print(`${worked.worker}: ${plural(worked.batches, 'batch', 'batches')}, ${thousands(worked.sessions)} sessions${worked.failed > 0 ? `, ${thousands(worked.failed)} failed` : ''}`)
}
