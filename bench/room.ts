import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A bench's folder for what it builds, and the programs that run from it. */
export class Room {
  readonly dir = mkdtempSync(join(tmpdir(), 'parlor-bench-'))

  /** Runs a program to its end; the last line that it prints is an object of numbers. Throws what it says when it fails. */
  run(command: string, args: readonly (string | number)[], cwd?: string): Record<string, number> {
    return JSON.parse(this.text(command, args, cwd)) as Record<string, number>
  }

  /** The last line that a program prints. */
  text(command: string, args: readonly (string | number)[], cwd?: string): string {
    // As the command line runs: from a bundle, and from the second start on nothing is compiled in the measured process.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(this.dir, 'compiled') }
    const options = { encoding: 'utf8', env, ...(cwd === undefined ? {} : { cwd }) } as const
    const { stdout, stderr, status, error } = spawnSync(command, args.map(String), options)
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
    return stdout.trim().split('\n').at(-1)!
  }

  /** The same for a file of this folder. */
  play(script: string, ...args: (string | number)[]): Record<string, number> {
    return this.run(process.execPath, [RUNNER, join(import.meta.dirname, script), ...args])
  }

  close(): void {
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** Runs a script as the command line runs. */
export const RUNNER = join(import.meta.dirname, '../tools/bundle/run.mjs')

export const works = (command: string, args: readonly string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0
