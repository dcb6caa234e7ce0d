import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openPage } from '../../src/cli/openPage.ts'
import { written } from '../feed/writtenFiles.ts'
import { parlorHere } from './parlor.ts'

afterEach(() => void vi.unstubAllEnvs())

describe.skipIf(process.platform !== 'linux')('--open', () => {
  test('hands the page to the program of the desktop', async () => {
    const folder = written({ 'xdg-open': '#!/bin/sh\nprintf %s "$1" > "$0.got.part" && mv "$0.got.part" "$0.got"\n' })
    chmodSync(join(folder, 'xdg-open'), 0o755)
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
    await openPage('/runs/a b/report.html')
    const got = join(folder, 'xdg-open.got')
    while (!existsSync(got)) await sleep(5)
    expect(readFileSync(got, 'utf8')).toBe('/runs/a b/report.html')
  })

  test('says where the page is where there is no such program', async () => {
    vi.stubEnv('PATH', written({}))
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await openPage('/runs/x/report.html')
    expect(said.mock.calls).toEqual([['xdg-open is missing, so that no browser is opened: the page is /runs/x/report.html\n']])
    said.mockRestore()
  })

  test('of a run wants a page', async () => {
    expect(await parlorHere('.', 'run', 'scenarios/quickstart.yaml', '--open', '--no-report')).toMatchObject({ code: 2, err: expect.stringContaining('--open and --no-report exclude each other') })
  })
})
