import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeWholeJson, writeWholeText } from '../../src/arrow/wholeFile.ts'

let folder: string
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'parlor-whole-')) })
afterAll(() => rmSync(folder, { recursive: true }))

test('texts and JSON are written into folders that did not exist, and replace what was there', () => {
  const path = join(folder, 'deep', 'er', 'a.json')
  writeWholeText(path, 'first')
  writeWholeJson(path, { b: 1, a: ['ü'] })
  expect(readFileSync(path, 'utf8')).toBe('{\n  "b": 1,\n  "a": [\n    "ü"\n  ]\n}\n')
  expect(readdirSync(join(folder, 'deep', 'er'))).toEqual(['a.json'])
})

test('a process that is killed while it writes leaves no file of the final name', async () => {
  const source = new URL('../../src/arrow/tableWriter.ts', import.meta.url).href
  const path = join(folder, 'killed.arrow')
  const script = `
    import { TableWriter } from ${JSON.stringify(source)}
    const writer = new TableWriter({ name: 't', about: '', columns: [{ name: 'n', type: 'int64', about: '' }] }, ${JSON.stringify(path)}, {}, { batchRows: 16 })
    for (let i = 0; ; i++) {
      writer.row()
      writer.int(0, i)
      if (i === 100) process.send('under way')
      if (i > 100) await new Promise((resolve) => setImmediate(resolve))
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error('the writer ended by itself')))
  })
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
  const left = readdirSync(folder).filter((name) => name.startsWith('killed'))
  expect(left).toEqual([expect.stringMatching(/^killed\.arrow\.[0-9a-f]{16}\.tmp$/)])
})

test('what a process left half-written goes with the next text of the name, when it is an hour old by the clock of the disk', () => {
  const path = join(folder, 'page.html')
  const [old, young, others] = [`${path}.f00.tmp`, `${path}.ba5.tmp`, join(folder, 'others.html.f00.tmp')]
  for (const left of [old, young, others]) writeFileSync(left, 'half')
  const longAgo = Date.now() / 1000 - 3700
  for (const left of [old, others]) utimesSync(left, longAgo, longAgo)
  writeWholeText(path, 'whole')
  expect([old, young, others].map((left) => existsSync(left))).toEqual([false, true, true])
})
