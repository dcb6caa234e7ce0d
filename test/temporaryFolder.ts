import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory: no test waits for a disk there, on which every result is synced. What is synced when is what test/crash asserts. */
const IN_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Many times what all tests write. Containers often have much less there. */
const LEAST_BYTES = 4 * 2 ** 30

/** Gives all tests of a run one folder for what they write, and removes it with everything in it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(isRoomInMemory() ? IN_MEMORY : tmpdir(), 'parlor-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
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
