import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { written } from '../feed/writtenFiles.ts'
import { parlorHere, start } from './parlor.ts'

test('parlor view says where its pages are, and ends at Ctrl-C', async () => {
  const folder = written({})
  mkdirSync(`${folder}/runs`)
  const { child, ended } = start(folder, ['view', '--json'])
  const url = await new Promise<string>((resolve) => {
    let out = ''
    child.stdout!.on('data', (data: Buffer) => {
      out += data.toString()
      if (out.endsWith('}\n')) resolve((JSON.parse(out) as { url: string }).url)
    })
  })
  expect(await (await fetch(url)).text()).toContain('No result lies here.')
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0, signal: null, err: '' })
})

test.each([
  [['view', 'nowhere'], 'nowhere: no such folder'], [['view', '.', '--port', '65536'], 'expected a --port up to 65535, got 65536'], [['view', '.', '--port', 'x'], 'expected a --port, a whole number, got x'],
])('parlor %j is refused', async (args, message) => {
  expect(await parlorHere(written({}), ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})
