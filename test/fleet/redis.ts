import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { onTestFinished } from 'vitest'
import { newFolder } from '../scenario/small.ts'

/** The version of Redis that is here, null for none. Throws where there must be one. */
export function redisVersion(): string | null {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' })
  const version = status === 0 ? (/v=(\S+)/.exec(stdout)?.[1] ?? null) : null
  if (version === null && process.env['PARLOR_REDIS'] === 'required') throw new Error('no redis-server: queues cannot be tested')
  if (version === null) console.warn('NOT TESTED: queues, since there is no redis-server here (apt-get install redis-server)')
  return version
}

const freePort = (): Promise<number> => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    server.close(() => { resolve(port) })
  })
})

/** A server of one test, which keeps what it has in memory alone unless arguments say otherwise. */
export class RedisServer {
  readonly port: number
  private readonly folder = newFolder()
  private readonly more: readonly string[]
  private child: ChildProcess | undefined

  private constructor(port: number, more: readonly string[]) {
    this.port = port
    this.more = more
  }

  /** Starts one that ends with the running test. @param more arguments */
  static async start(...more: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), more)
    onTestFinished(() => server.kill())
    await server.begin()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it, with what its arguments let it keep. */
  begin(): Promise<void> {
    const child = this.child = spawn('redis-server', ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder, ...this.more], { stdio: ['ignore', 'pipe', 'ignore'] })
    return new Promise((resolve, reject) => {
      let said = ''
      child.stdout!.on('data', (data: Buffer) => {
        said += data.toString()
        if (said.includes('Ready to accept connections')) resolve()
      })
      child.once('exit', () => { reject(new Error(`redis-server ended: ${said}`)) })
    })
  }

  /** Stands still, or goes on: connections stay, and nobody answers. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child!.kill(name)
  }

  async kill(): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => { child.once('exit', resolve) })
    child.kill('SIGKILL')
    await ended
  }
}

/** Stops the queues of all commands of a server, as whoever clears one away begins to. */
export async function pauseQueues(port: number): Promise<void> {
  const redis = new Redis(port)
  // Whoever calls hears of it by what is asked.
  redis.on('error', () => {})
  try {
    for (const run of await redis.zrange('parlor:runs:seen', 0, -1)) {
      const queue = new Queue(`tasks-${run}`, { connection: redis, prefix: 'parlor', skipVersionCheck: true })
      await queue.pause()
      await queue.close()
    }
  } finally {
    redis.disconnect()
  }
}
