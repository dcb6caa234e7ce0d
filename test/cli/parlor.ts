import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'

export const LAUNCHER = fileURLToPath(new URL('../../bin/parlor.mjs', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** Starts `parlor` in a folder. `nodeArgs` stand before the launcher. */
export function start(cwd: string, args: readonly string[], nodeArgs: readonly string[] = []): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [...nodeArgs, LAUNCHER, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ended: endOf(child) }
}

/** What a process whose outputs are pipes says until it has ended. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let out = ''
  let err = ''
  child.stdout!.on('data', (data: Buffer) => { out += data.toString() })
  child.stderr!.on('data', (data: Buffer) => { err += data.toString() })
  return new Promise((resolve) => { child.on('close', (code, signal) => { resolve({ code, signal, out, err }) }) })
}

export const parlor = (cwd: string, ...args: string[]): Promise<Ended> => start(cwd, args).ended

/**
 * Calls `parlor` in this process, where its code is loaded and compiled already, for tests that are not about the process. One at a time:
 * it moves to the folder meanwhile, and takes what is written to the terminal.
 */
export async function parlorHere(cwd: string, ...args: string[]): Promise<Ended> {
  const [folder, exitCode] = [process.cwd(), process.exitCode]
  const said = { out: '', err: '' }
  const taking = (name: keyof typeof said) => (data: Uint8Array | string): boolean => {
    said[name] += data.toString()
    return true
  }
  const writes = [vi.spyOn(process.stdout, 'write').mockImplementation(taking('out')), vi.spyOn(process.stderr, 'write').mockImplementation(taking('err'))]
  process.chdir(cwd)
  try {
    return { code: await main(args), signal: null, ...said }
  } finally {
    process.chdir(folder)
    process.exitCode = exitCode
    for (const write of writes) write.mockRestore()
  }
}

/** Paths under a folder that end in one of the names. */
export const filesNamed = (folder: string, ...names: readonly string[]): string[] =>
  readdirSync(folder, { recursive: true }).map(String).filter((path) => names.some((name) => path.endsWith(name)))
