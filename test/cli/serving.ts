import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { start } from './parlor.ts'

interface Service<Seat> {
  readonly url: string
  readonly live: string
  readonly seats: Readonly<Record<string, Seat>>
}

interface Credentials {
  /** Of the process that takes signals. */
  readonly pid: number
  readonly shift_us: number
  readonly parlay: Service<{ readonly role: string; readonly api_key: string; readonly jwt: string; readonly control_token?: string }>
  /** Of a scenario that has it. */
  readonly outcome?: Service<Readonly<Record<string, string>>>
  /** With lockstep. */
  readonly control?: { readonly url: string }
}

/** Starts `parlor serve` in a folder, where the run is to be `run`, and waits until clients may come. `path` is the file of their credentials. */
export async function serve(folder: string, scenario: string, ...args: string[]) {
  const path = join(folder, 'keys.json')
  const { child, ended } = start(folder, ['serve', scenario, '--out', 'run', '--credentials', path, '--no-report', ...args])
  let isOver = false
  void ended.then(() => { isOver = true })
  for (;;) {
    if (isOver) throw new Error(JSON.stringify(await ended))
    try {
      return { child, ended, path, credentials: JSON.parse(readFileSync(path, 'utf8')) as Credentials }
    } catch {
      await sleep(50)
    }
  }
}
