import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rangeOf } from './figures.ts'

const COMMAND = join(import.meta.dirname, '../bin/parlor.mjs')
const STARTS = 5

/** Median time of a few starts of `parlor --help`, ms of wall time; an environment without the bench's cache, as a user has it. */
export function startUpMs(): number {
  const times = Array.from({ length: STARTS }, () => {
    const startedMs = performance.now()
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, '--help'], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`parlor --help: ${stderr}`)
    return performance.now() - startedMs
  })
  return rangeOf(times).median
}
