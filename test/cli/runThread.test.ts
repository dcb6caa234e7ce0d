import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { parlorHere } from './parlor.ts'

it.each([
  ['ends its thread', 'process.exit(0)', ['--trusted'], 'error: strategy of bad ended its thread in onRequest\n'],
  ['throws where nobody catches', "process.nextTick(() => { throw new Error('late') })\n    process.exit(0)", ['--trusted'], 'error: strategy of bad ended its thread in onRequest\n'],
  ['leaves a rejected promise', "Promise.reject(new Error('late'))", ['--trusted'], /^error: strategy of bad left a promise that was rejected: late\n {2}at .*bad\.ts:4:20\n[^]*> 4 \| /],
])('a run ends with 1 and without a result when a strategy %s', async (_, body, options, said) => {
  const folder = newFolder()
  put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 40').replace('use: fixed-margin', 'use: ./bad.ts'))
  put(folder, 'bad.ts', `import { maker } from 'parlor'\nexport default maker({}, () => ({\n  onRequest() {\n    ${body}\n  },\n}))\n`)
  const { code, err } = await parlorHere(folder, 'run', 'small.yaml', '--quiet', '--out', 'out', ...options)
  expect(err).toMatch(said)
  expect(code).toBe(1)
  expect(existsSync(join(folder, 'out', 'manifest.json'))).toBe(false)
})
