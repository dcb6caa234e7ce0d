import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives all tests of a run one folder for what they write, and removes it with everything in it at the end. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
