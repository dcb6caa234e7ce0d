import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

it('the session that docs/wire.md tells is played over the wire again, call by call', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/docs/wireTale.ts'], { cwd: ROOT })
  const [, told] = /<!-- output: node tools\/docs\/wireTale\.ts -->\n```text\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'wire.md'), 'utf8'))!
  expect(stdout).toBe(told)
})
