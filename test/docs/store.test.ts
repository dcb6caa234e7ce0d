import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { pageOf } from './texts.ts'

const SCRIPT = fileURLToPath(new URL('../python/write_store.py', import.meta.url))

it('docs/store.md shows the script that test/python/run plays', () => {
  expect(/^```python\n([^]*?)^```/m.exec(pageOf('docs/store.md').text)?.[1]).toBe(readFileSync(SCRIPT, 'utf8'))
})
