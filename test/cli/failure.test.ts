import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/cli/failure.ts'
import { leavePage } from '../../src/actions/pages.ts'
import { FaultAfterCommit } from '../../src/result/failures.ts'
import { aboutFile } from '../../src/unit/aboutFile.ts'
import { Bug } from '../../src/unit/assert.ts'
import { LEAGUE } from '../report/reports.ts'
import { newFolder, put } from '../scenario/small.ts'
import { LAUNCHER } from './parlor.ts'

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

const ofSystem = (code: string, message: string): Error => Object.assign(new Error(message), { code, syscall: 'write' })

describe('an error of the operating system', () => {
  it('is named, a full disk as such, also as the cause of another error', () => {
    const full = ofSystem('ENOSPC', 'ENOSPC: no space left on device, write')
    const said = { exitCode: 1, text: 'error: the disk is full (ENOSPC: no space left on device, write)' }
    expect(failureOf(full)).toMatchObject(said)
    expect(failureOf(new Error('cannot write', { cause: full }))).toMatchObject(said)
    expect(failureOf(thrownBy(() => aboutFile('/runs/night/manifest.json', () => { throw full })))).toMatchObject({ text: 'error: the disk is full at /runs/night/manifest.json (ENOSPC: no space left on device, write)' })
    expect(failureOf(ofSystem('EIO', 'EIO: i/o error, fsync'))).toMatchObject({ exitCode: 1, text: 'error: EIO: i/o error, fsync' })
  })

  it('that says that a quota is used up names a full disk, though Node has no name for it', () => {
    const quota = Object.assign(ofSystem('Unknown system error -122', 'Unknown system error -122: Unknown system error -122, write'), { errno: -constants.errno.EDQUOT })
    expect(failureOf(quota)).toMatchObject({ exitCode: 1, text: 'error: the disk is full (EDQUOT: disk quota exceeded, write)' })
  })

  it('after a commit is told with the result that is in place', () => {
    const text = 'error: the disk failed (EIO: i/o error, fsync) after the new result was committed: /r is the new one, and the next command that reads or writes it completes its files'
    expect(failureOf(new FaultAfterCommit('/r', ofSystem('EIO', 'EIO: i/o error, fsync')))).toMatchObject({ exitCode: 1, text, json: { error: { committed: '/r' } } })
  })

  it('does not hide a bug', () => {
    expect(failureOf(new Bug('no')).text).toContain('This is a bug of parlor')
    expect(failureOf(new TypeError('no')).text).toContain('This is a bug of parlor')
  })

  it('while a page is written ends the command, while a page that cannot be made costs nothing else', async () => {
    const folder = newFolder()
    put(folder, 'league.json', JSON.stringify(LEAGUE))
    mkdirSync(join(folder, 'report.html'))
    await expect(leavePage(folder, () => {})).rejects.toThrow('is a folder')
    const other = newFolder()
    put(other, 'league.json', '{')
    await expect(leavePage(other, () => {})).resolves.toBeUndefined()
  })
})

it.skipIf(!existsSync('/dev/full'))('an output that takes nothing is said, in a line', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'strategies', '--json'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' })
  closeSync(full)
  expect([status, stderr]).toEqual([1, 'what was to be said is lost: ENOSPC: no space left on device, write\n'])
})
