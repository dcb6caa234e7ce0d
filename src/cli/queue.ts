import type { Command } from 'commander'
import { columnsText } from '../unit/columnsText.ts'
import { plural, thousands } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson } from './common.ts'

type QueueState = Awaited<ReturnType<typeof import('../actions/queue.ts').readQueue>>
type RunState = QueueState['runs'][number]

interface QueueCommandOptions extends CommonOptions {
  readonly queue: string
}

export function addQueue(program: Command): void {
  const command = program.command('queue')
    .summary('show what waits in a queue, what is played by whom, and what failed')
    .description('Show the workers and the commands of a queue, how many batches of sessions wait and are played by whom, which sessions failed, and which workers play nothing of a command, with the reasons.')
    .requiredOption('--queue <url>', 'the queue: redis://HOST:6379, or rediss:// for TLS')
  common(command, 'parlor queue --queue redis://localhost:6379')
    .action(async (options: QueueCommandOptions) => {
      const { readQueue } = await import('../actions/queue.ts')
      const state = await readQueue(options.queue)
      if (options.json === true) printJson(state)
      else print(queueText(state))
    })
}

/** What a queue holds, for people. */
export function queueText({ workers, runs }: QueueState): string {
  const threads = workers.reduce((sum, worker) => sum + worker.threads, 0)
  return [
    `${plural(workers.length, 'worker')}, ${plural(threads, 'thread')}; ${plural(runs.length, 'command')}`,
    ...table(['worker', 'threads', 'sessions', 'batches', 'build'], workers.map(({ name, threads: own, played, batches, build }) => [name, thousands(own), thousands(played), thousands(batches.length), buildText(build)])),
    ...runs.flatMap(ofRun),
  ].join('\n')
}

function ofRun({ name, about, build, done, failed, of, waiting, playing, batches, failures, refusals }: RunState): string[] {
  return [
    `\n${name}: ${about}, ${thousands(done)} of at most ${thousands(of)} sessions done, ${thousands(failed)} failed; ${plural(waiting, 'batch', 'batches')} waiting, ${thousands(playing)} played; ${buildText(build)}`,
    ...table(['batch', 'sessions', 'worker'], batches.map(({ batch, sessions, worker }) => [batch, thousands(sessions), worker ?? ''])),
    ...failures.map(({ worker, message }) => `failed with ${worker}: ${message}`),
    ...refusals.map(({ worker, message }) => `refused by ${worker}: ${message}`),
  ]
}

const buildText = ({ sourceTree, node, platform }: RunState['build']): string => `source tree ${sourceTree.slice(0, 12)}, Node ${node}, ${platform}`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => (rows.length === 0 ? [] : ['', columnsText([head, ...rows])])
