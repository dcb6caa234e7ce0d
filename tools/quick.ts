// The quick loop: types, linter and the tests without processes, chains, sessions or long walks, side by side.
// `npm run quick [-- PART OF A PATH …]` runs those of these tests whose path has one of the parts. At the end it says what was left out.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ALL, REPLACING, SLOW } from '../test/division.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BIN = `${ROOT}node_modules/.bin/`

interface Ended {
  readonly isGood: boolean
  readonly said: string
}

/** What a tool says until it ends; it goes to the terminal at once where `isShown`. */
async function ended(command: string, args: readonly string[], isShown = false): Promise<Ended> {
  const child = spawn(BIN + command, args, { cwd: ROOT, stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => { said += data.toString() })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('close', resolve).on('error', reject)
  return { isGood: await promise === 0, said }
}

/** Test files by their folder, with their counts. */
function counted(files: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const file of files) {
    const folder = file.split('/')[1]!
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, count]) => `${folder} ${count}`).join(', ')
}

const parts = process.argv.slice(2)
// Types of files that have not changed are not checked again.
const TYPES = ['-p', '.', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/parlor/quick.tsbuildinfo']
const [types, lint, tests] = await Promise.all([ended('tsc', TYPES), ended('oxlint', []), ended('vitest', ['run', '--project', 'quick', ...parts], true)])
for (const [what, { isGood, said }] of [['types', types], ['lint', lint]] as const) {
  if (isGood) console.log(`${what}: good`)
  else console.log(`${what}: BAD\n${said}`)
}
const leftOut = globSync([...SLOW, ...REPLACING], { cwd: ROOT })
const all = globSync(ALL, { cwd: ROOT })
console.log(`LEFT OUT: ${leftOut.length} of ${all.length} test files (${counted(leftOut)})${parts.length === 0 ? '' : `, and all whose path has not ${parts.join(' or ')}`}; \`npm test\` runs everything`)
process.exitCode = types.isGood && lint.isGood && tests.isGood ? 0 : 1
