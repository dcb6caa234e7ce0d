import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Headers, type Json, type Seen } from './client.ts'

const BEGIN_MS = 300_000
/** A session that has not ended by then is killed. */
const END_MS = 60_000

export type Service = 'parlay' | 'outcome'

/** A session that is served: its scenario, and how. */
export interface SessionTerms {
  readonly service: Service
  readonly scenario: string
  readonly speed?: number
  readonly args?: readonly string[]
}

/** A `parlor serve` in a process of its own. */
export class ServedProcess {
  /** What the credentials file has of each seat. */
  readonly seats: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly url: string
  readonly service: Service
  private declare readonly child: ChildProcess
  private declare readonly folder: string
  private declare readonly ended: Promise<void>
  private declare readonly said: () => string

  private constructor(
    service: Service, child: ChildProcess, { folder, ended, said }: { readonly folder: string; readonly ended: Promise<void>; readonly said: () => string }, { url, seats }: Json,
  ) {
    this.service = service
    this.child = child
    this.folder = folder
    this.ended = ended
    this.said = said
    this.url = url
    this.seats = seats
  }

  /** Starts one from a checkout, and waits until clients may come. */
  static async start(root: string, { service, scenario, speed = 1, args = [] }: SessionTerms): Promise<ServedProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-wire-'))
    const path = join(folder, 'keys.json')
    writeFileSync(join(folder, 'session.yaml'), scenario)
    const child = spawn(process.execPath, [
      join(root, 'bin', 'parlor.mjs'), 'serve', 'session.yaml', '--out', 'run', '--credentials', path, '--no-report', '--speed', String(speed), ...args,
    ], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    let isOver = false
    child.stderr!.on('data', (data: Buffer) => { said += data.toString() })
    const ended = new Promise<void>((resolve) => {
      child.on('close', () => {
        isOver = true
        resolve()
      })
    })
    for (const untilMs = Date.now() + BEGIN_MS; Date.now() < untilMs; await sleep(50)) {
      if (isOver) break
      try {
        return new ServedProcess(service, child, { folder, ended, said: () => said }, JSON.parse(readFileSync(path, 'utf8'))[service])
      } catch {
        continue
      }
    }
    child.kill('SIGKILL')
    throw new Error(`the session did not begin: ${said}`)
  }

  /** A client of the service, with headers on each of its calls, which notes what it sees. */
  client(headers: Headers, noted: Seen[]): Client {
    return new Client(this.url, headers, noted)
  }

  /** Ends the session as an operator does: what waits is answered, and channels are closed. */
  drain(): void {
    this.child.kill('SIGTERM')
  }

  /** Ends it, and throws what it said when it had ended by itself. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null) throw new Error(`the session ended by itself (${this.child.exitCode}): ${this.said()}`)
    this.drain()
    const killing = setTimeout(() => { this.child.kill('SIGKILL') }, END_MS)
    await this.ended
    clearTimeout(killing)
    rmSync(this.folder, { recursive: true, force: true })
  }
}
