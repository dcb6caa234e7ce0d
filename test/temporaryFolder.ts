import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory: no test waits for a disk there, on which every result is synced. What is synced when is what test/crash asserts. */
const IN_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Many times what all tests write. Containers often have much less there. */
const LEAST_BYTES = 4 * 2 ** 30

/** Folders of runs of the tests, and of crashes, which are always in memory (test/crash). */
const OURS = /^parlor-(?:tests|crash)-\w{6}$/
/** Nothing was made in a folder of a run that goes on, or removed from it, for so long only where the machine slept. */
const FORSAKEN_MS = 6 * 3_600_000

/** Gives all tests of a run one folder for what they write, and removes it with everything in it at the end. Runs that were killed left theirs. */
export default function setup(): () => void {
  const parent = isRoomInMemory() ? IN_MEMORY : tmpdir()
  for (const place of new Set([parent, IN_MEMORY])) removeForsaken(place)
  const folder = mkdtempSync(join(parent, 'parlor-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Removes what killed runs of the tests left in a folder: what has one of their names and has not changed for hours. */
export function removeForsaken(place: string): void {
  for (const name of existsSync(place) ? readdirSync(place).filter((one) => OURS.test(one)) : []) {
    const path = join(place, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > FORSAKEN_MS) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another run removed it, or it is somebody else's.
    }
  }
}

function isRoomInMemory(): boolean {
  // Whoever names a folder for what is temporary gets it.
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return false
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY)
    return type === TMPFS && bavail * bsize >= LEAST_BYTES
  } catch {
    return false
  }
}
