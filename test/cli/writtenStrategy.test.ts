import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Files that docs/strategies.md shows, by name. */
function shownFiles(): Map<string, string> {
  const page = readFileSync(new URL('../../docs/strategies.md', import.meta.url), 'utf8')
  return new Map([...page.matchAll(/<!-- strategy: (\S+) -->\n```ts\n([^]*?)```/g)].map(([, name, text]) => [name!, text!]))
}

/** What `node --test` says of the shown test of the shown strategy, after a change of the strategy. */
function saidOf(changed: (strategy: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'written-'))
  const parlor = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)
  for (const [name, text] of shownFiles()) {
    writeFileSync(join(folder, name), (name === 'mine.ts' ? changed(text) : text).replace("'parlor'", parlor))
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  try {
    return execFileSync(process.execPath, ['--test', '--test-reporter=tap', 'mine.test.ts'], { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

it('the strategy of docs/strategies.md passes the test beside it', () => {
  expect([...shownFiles().keys()]).toEqual(['mine.ts', 'requoting.ts', 'kelly.ts', 'mine.test.ts'])
  expect(saidOf((text) => text)).toMatch(/# pass 3\n# fail 0\n/)
})

it('and that test finds a strategy that is another one', () => {
  expect(saidOf((text) => text.replace('1 + p.margin', '1 - p.margin').replace('now <=', 'now >').replace('> p.cap', '< p.cap'))).toMatch(/# pass 0\n# fail 3\n/)
})
