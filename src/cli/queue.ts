import type { Command } from 'commander'
import { columnsText } from '../unit/columnsText.ts'
import { plural, thousands } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson } from './common.ts'

type QueueState = Awaited<ReturnType<typeof import('../actions/queue.ts').readQueue>>
type BuildQueue = QueueState['queues'][number]

interface QueueCommandOptions extends CommonOptions {
  readonly queue: string
}

export function addQueue(program: Command): void {
  const command = program.command('queue')
    .summary('show what waits in a queue, what is played by whom, and what failed')
    .description('Show the workers and the commands of a queue, how many batches of sessions wait and are played, and those that failed, with the reasons. Workers of another source tree, Node or platform have a queue of their own.')
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
export function queueText({ workers, runs, queues }: QueueState): string {
  const threads = workers.reduce((sum, worker) => sum + worker.threads, 0)
  return [
    `${plural(workers.length, 'worker')}, ${plural(threads, 'thread')}; ${plural(runs.length, 'command')}`,
    ...table(['worker', 'threads', 'sessions', 'batches'], workers.map(({ name, threads: own, played, batches }) => [name, thousands(own), thousands(played), thousands(batches.length)])),
    ...table(['command', 'plays', 'done', 'of at most'], runs.map(({ name, about, done, of }) => [name, about, thousands(done), thousands(of)])),
    ...queues.flatMap(ofBuild),
  ].join('\n')
}

function ofBuild({ name, build, waiting, running, failed, batches }: BuildQueue): string[] {
  const who = build === null ? `build ${name}, of which nobody is there` : `source tree ${build.sourceTree.slice(0, 12)}, Node ${build.node}, ${build.platform}`
  return [
    `\n${who}: ${plural(waiting, 'batch', 'batches')} waiting, ${thousands(running)} played, ${thousands(failed)} failed`,
    ...table(['batch', 'state', 'sessions', 'worker', 'reason'], batches.map(({ batch, state, sessions, worker, reason }) => [batch, state, thousands(sessions), worker ?? '', reason ?? ''])),
  ]
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => (rows.length === 0 ? [] : ['', columnsText([head, ...rows])])
