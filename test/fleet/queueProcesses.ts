import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type Ended, start } from '../cli/parlor.ts'

export interface Process {
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<Ended>
  /** Waits until it has said something on its standard error. */
  readonly says: (text: string) => Promise<void>
}

/** Starts `parlor`, which ends with the running test. */
export function begin(folder: string, ...args: readonly string[]): Process {
  const { child, ended } = start(folder, args)
  let [said, hasEnded] = ['', false]
  child.stderr!.on('data', (data: Buffer) => { said += data.toString() })
  void ended.then(() => { hasEnded = true })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    kill: (signal) => { child.kill(signal) }, ended,
    says: (text) => until(() => {
      if (hasEnded && !said.includes(text)) throw new Error(`it ended, and said: ${said}`)
      return said.includes(text)
    }),
  }
}

/** A worker as on a machine of its own, which has kept nothing. */
export const beginWorker = (folder: string, url: string, name: string, ...more: readonly string[]): Process =>
  begin(folder, 'worker', '--queue', url, '--tasks', `tasks-${name}`, '--json', ...(more.includes('--threads') ? [] : ['--threads', '1']), ...more)

/** A worker that is started again whenever it dies, as those of a cluster are. */
export function keepWorker(folder: string, url: string, name: string, ...more: readonly string[]): { readonly deaths: () => number } {
  let [isOver, deaths] = [false, 0]
  const follow = (worker: Process): void => {
    void worker.ended.then(() => {
      if (isOver) return
      deaths++
      follow(current = beginWorker(folder, url, name, ...more))
    })
  }
  let current = beginWorker(folder, url, name, ...more)
  follow(current)
  onTestFinished(async () => {
    isOver = true
    current.kill('SIGKILL')
    await current.ended
  })
  return { deaths: () => deaths }
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!await isSo()) await sleep(20)
}

const FILES = { sweep: ['manifest.json', 'sweep.json', 'sweep.arrow', 'report.html'], league: ['manifest.json', 'league.json', 'league.arrow', 'report.html'] }

/** The bytes of a result's files. */
export const bytesOf = (kind: keyof typeof FILES, folder: string, out: string): string[] => FILES[kind].map((name) => readFileSync(join(folder, out, name), 'latin1'))

/** Files of a folder of results: those of sessions, or words of failures. */
export const filesIn = (folder: string, of: 'results' | 'failures' = 'results'): string[] =>
  (existsSync(join(folder, of)) ? readdirSync(join(folder, of), { recursive: true }) : []).map(String).filter((name) => name.endsWith(of === 'results' ? '.arrow' : '.json'))

export const told = ({ out }: Ended): { readonly played: number; readonly kept: number; readonly failed: number } => JSON.parse(out) as ReturnType<typeof told>
