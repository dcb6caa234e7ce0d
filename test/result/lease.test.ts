import fs, { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Lease, newToken } from '../../src/result/lease.ts'
import { newFolder } from '../scenario/small.ts'

const { renameSync, openSync, statSync } = fs
const TRIES_MAX = 100
/** How often files are created that were not there. */
let created = 0

/** Replaces functions of `node:fs` for all modules of this process. */
function replace(functions: Partial<typeof fs>): void {
  Object.assign(fs, functions)
  syncBuiltinESMExports()
}

/** Does something right before the next file is renamed. */
function beforeRename(act: () => void): void {
  replace({ renameSync(from, to) {
    replace({ renameSync })
    act()
    renameSync(from, to)
  } })
}

let path: string
beforeEach(() => {
  path = join(newFolder(), '.lease')
  writeFileSync(path, newToken())
  const longAgo = Date.now() / 1000 - 3600
  utimesSync(path, longAgo, longAgo)
  created = 0
  replace({ openSync(file, flags, mode) {
    if (flags === 'wx' && ++created > TRIES_MAX) throw new Error('it tries for ever')
    return openSync(file, flags, mode)
  } })
})
afterEach(() => { replace({ renameSync, openSync, statSync }) })

it('a stale lease is taken at once', () => {
  const lease = Lease.take(path)!
  expect([lease.isHeld, created]).toEqual([true, 3])
  lease.release()
  expect(readdirSync(join(path, '..'))).toEqual([])
})

it('a stale lease that another process replaces while it is taken stays that process\'s', () => {
  const other = newToken()
  beforeRename(() => { writeFileSync(path, other) })
  expect(Lease.take(path)).toBeNull()
  expect([readFileSync(path, 'utf8'), readdirSync(join(path, '..'))]).toEqual([other, ['.lease']])
})

it('a stale lease that another process removes while it is taken is free', () => {
  beforeRename(() => { Lease.take(path)!.release() })
  const lease = Lease.take(path)!
  expect(lease.isHeld).toBe(true)
  lease.release()
})

it.skipIf(process.platform === 'win32')('a link that leads nowhere in the place of a lease is not waited for', () => {
  rmSync(path)
  symlinkSync(join(path, '..', 'nowhere'), path)
  expect(() => Lease.take(path)).toThrow('is no lease of parlor')
})

it('a lease whose folder is not there is taken in one that is made, and else not', () => {
  const folder = join(path, '..', 'gone')
  const inIt = join(folder, '.lease')
  expect(() => Lease.take(inIt)).toThrow('ENOENT')
  const lease = Lease.take(inIt, () => { mkdirSync(folder) })!
  expect(lease.isHeld).toBe(true)
  lease.release()
})

describe('a lease from before the clock of its disk was set back', () => {
  const START_MS = Date.UTC(2026, 0, 1)
  let nowMs: number
  /** How often the lease was looked at. */
  let looks: number
  let renew: () => void

  beforeEach(() => {
    nowMs = START_MS
    looks = 0
    renew = () => {}
    utimesSync(path, (START_MS + 3_600_000) / 1000, (START_MS + 3_600_000) / 1000)
    // The probe beside a lease says what time it is: four seconds later at each look.
    replace({ statSync: ((file: string, ...options: []) => {
      if (file === path) {
        looks++
        renew()
      }
      if (!file.startsWith(`${path}.`)) return statSync(file, ...options)
      return { mtimeMs: nowMs += 4000 }
    }) as typeof statSync })
  })

  it('is taken when it has stood still for twenty seconds', async () => {
    const lease = (await Lease.wait(path, { isPatient: true }))!
    expect([lease.isHeld, nowMs - START_MS]).toEqual([true, 24_000])
    lease.release()
  })

  it('is taken so too where the clock is set back while somebody waits', async () => {
    utimesSync(path, START_MS / 1000, START_MS / 1000)
    renew = () => { if (looks === 3) nowMs -= 3_600_000 }
    const lease = (await Lease.wait(path, { isPatient: true }))!
    expect(lease.isHeld).toBe(true)
    expect(looks).toBeLessThan(12)
    lease.release()
  })

  it('is not while its holder renews it', async () => {
    const stop = new AbortController()
    renew = () => {
      if (looks % 3 === 0) utimesSync(path, nowMs / 1000, nowMs / 1000)
      if (looks === 20) stop.abort()
    }
    await expect(Lease.wait(path, { isPatient: true, signal: stop.signal })).rejects.toThrow('interrupted')
    expect(nowMs - START_MS).toBeGreaterThan(60_000)
  })
})
