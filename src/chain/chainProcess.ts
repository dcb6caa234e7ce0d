import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { InputError } from '../unit/inputError.ts'

const SAID_CHARS = 2000

/**
 * Runs as long as its standard input is open. That is a pipe from this process, which closes when the process ends in any way. Then the
 * chain is killed and its folder removed. A handler of this process could not do that after a SIGKILL.
 */
const WATCH = `
exec 3<&0
folder=$1; shift
"$@" </dev/null 3<&- >&2 & chain=$!
(cat <&3 >/dev/null; kill -9 $chain) 2>/dev/null & watch=$!
wait $chain 2>/dev/null; code=$?
rm -rf "$folder"
kill $watch 2>/dev/null
exit $code`

export interface ChainProcessOptions {
  /** The executable's name in messages, and in that of its folder. */
  readonly name: string
  /** Executable and arguments, for a temporary folder that is there and empty. May put files into it. */
  readonly commandIn: (folder: string) => readonly string[] | Promise<readonly string[]>
  /** Set besides this process's own environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the chain answers. */
  readonly isReadyIn: (folder: string) => Promise<boolean>
  readonly pollMs: number
  readonly startLimitMs: number
  /** What to do about a chain that does not start. */
  readonly hint: string
}

/** A chain of our own that runs beside this process, in a temporary folder. It ends with this process, whatever ends that. */
export class ChainProcess {
  readonly name: string
  readonly folder: string
  /** Resolves when the chain has ended, however it did. */
  readonly ended: Promise<void>
  private readonly child: ChildProcess
  private readonly room: LeasedFolder
  private said = ''
  private isOver = false

  private constructor(name: string, room: LeasedFolder, command: readonly string[], environment: Readonly<Record<string, string>>) {
    this.name = name
    this.folder = room.path
    this.room = room
    const env = { ...process.env, ...environment }
    this.child = spawn('/bin/sh', ['-c', WATCH, `parlor-${name}`, room.path, ...command], { stdio: ['pipe', 'ignore', 'pipe'], detached: true, env })
    this.child.stderr!.on('data', (bytes: Buffer) => { this.said = (this.said + bytes.toString()).slice(-SAID_CHARS) })
    this.ended = new Promise<void>((resolve) => { this.child.once('close', () => { this.isOver = true; resolve() }) })
  }

  /** Resolves when the chain answers. Throws InputError with what the executable wrote when it ends before, or takes too long. */
  static async start(options: ChainProcessOptions): Promise<ChainProcess> {
    const { name, commandIn, environment = {} } = options
    // The folder of a chain whose watch was killed as well, as with a container, goes when the lease in it is stale.
    const room = new LeasedFolder(tmpdir(), `parlor-${name}-`)
    room.make()
    let started: ChainProcess | null = null
    try {
      started = new ChainProcess(name, room, await commandIn(room.path), environment)
      await started.untilReady(options)
      return started
    } catch (error) {
      await started?.close()
      room.remove()
      throw error
    }
  }

  get hasEnded(): boolean {
    return this.isOver
  }

  /** The end of what the executable wrote. */
  get lastWords(): string {
    return this.said.trim() || 'it said nothing'
  }

  /** Ends the chain. Resolves when it has ended and its folder is gone. May be called again. */
  async close(): Promise<void> {
    this.child.stdin!.end()
    await this.ended
    this.room.remove()
  }

  private async untilReady({ isReadyIn, pollMs, startLimitMs, hint }: ChainProcessOptions): Promise<void> {
    const sinceMs = performance.now()
    while (!await isReadyIn(this.folder)) {
      const isLate = performance.now() - sinceMs >= startLimitMs
      if (this.isOver || isLate) {
        throw new InputError(`${this.name} did not start${this.isOver ? '' : ` within ${startLimitMs / 1000} s`}: ${this.lastWords}`, { hint })
      }
      await sleep(pollMs)
    }
  }
}

/** A TCP port of this machine that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
