import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/cli/failure.ts'
import { leavePage } from '../../src/cli/report.ts'
import { Bug } from '../../src/unit/assert.ts'
import { LEAGUE } from '../report/reports.ts'
import { newFolder, put } from '../scenario/small.ts'

const ofSystem = (code: string, message: string): Error => Object.assign(new Error(message), { code, syscall: 'write' })

describe('an error of the operating system', () => {
  it('is named, a full disk as such, also as the cause of another error', () => {
    const full = ofSystem('ENOSPC', 'ENOSPC: no space left on device, write')
    const said = { exitCode: 1, text: 'error: the disk is full (ENOSPC: no space left on device, write)' }
    expect(failureOf(full)).toMatchObject(said)
    expect(failureOf(new Error('cannot write', { cause: full }))).toMatchObject(said)
    expect(failureOf(ofSystem('EIO', 'EIO: i/o error, fsync'))).toMatchObject({ exitCode: 1, text: 'error: EIO: i/o error, fsync' })
  })

  it('does not hide a bug', () => {
    expect(failureOf(new Bug('no')).text).toContain('This is a bug of parlor')
    expect(failureOf(new TypeError('no')).text).toContain('This is a bug of parlor')
  })

  it('while a page is written ends the command, while a page that cannot be made costs nothing else', async () => {
    const folder = newFolder()
    put(folder, 'league.json', JSON.stringify(LEAGUE))
    mkdirSync(join(folder, 'report.html'))
    await expect(leavePage(folder)).rejects.toThrow('EISDIR')
    const other = newFolder()
    put(other, 'league.json', '{')
    await expect(leavePage(other)).resolves.toBeUndefined()
  })
})
