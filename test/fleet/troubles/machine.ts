import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endOf, type Ended, LAUNCHER } from '../../cli/parlor.ts'
import type { Network } from './network.ts'

const CLOCK = pathToFileURL(join(import.meta.dirname, 'clock.mjs')).href
/** A disk of so many bytes is full after two or three sessions. */
const SMALL_DISK = 65_536

export interface MachineTerms {
  readonly name: string
  /** The folder in which its processes stand. */
  readonly folder: string
  readonly network: Network
  /** How far its clock is ahead, ms. */
  readonly aheadMs: number
}

/** One machine of a fleet, with a way to the server, a clock and a disk of its own. It has one process, which is started again when it is killed. */
export class Machine {
  readonly name: string
  readonly network: Network
  private readonly terms: MachineTerms
  /** Whether the end of its process was this test's. */
  isKilled = false
  private child: ChildProcess | null = null
  private ended: Promise<Ended> | null = null

  constructor(terms: MachineTerms) {
    this.terms = terms
    this.name = terms.name
    this.network = terms.network
  }

  /** Starts `parlor`. @param fullDisk a folder of its own that is on a disk with hardly any space */
  start(args: readonly string[], fullDisk?: string): Promise<Ended> {
    const { folder, aheadMs } = this.terms
    const own = [`--import=${CLOCK}?ms=${aheadMs}`, LAUNCHER, ...args]
    if (fullDisk !== undefined) mkdirSync(join(folder, fullDisk), { recursive: true })
    const [command, given] = fullDisk === undefined
      ? [process.execPath, own]
      : ['bwrap', ['--die-with-parent', '--dev-bind', '/', '/', '--size', String(SMALL_DISK), '--tmpfs', join(folder, fullDisk), '--', process.execPath, ...own]]
    this.isKilled = false
    this.child = spawn(command, given, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    return this.ended = endOf(this.child)
  }

  /** Harmless where nothing runs. */
  signal(name: NodeJS.Signals): void {
    this.child?.kill(name)
  }

  /** Kills its process, and waits until that has ended. */
  async kill(): Promise<void> {
    this.isKilled = true
    this.signal('SIGKILL')
    await this.ended
  }
}
