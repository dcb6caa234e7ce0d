// Lists the rules that passed tests prove, by kind: `npm run conformance` runs the tests, which are seen on stderr; `npm run conformance --
// --of FILE` reads what a run left with PARLOR_TEST_REPORT=FILE. Fails where a test failed or claims more than three rules; an error outside
// of every test stands in no such file: the run that left it has failed by itself.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readRules, type Rule } from '../../tools/docs/rules.ts'
import { CATALOGUES, failuresOf, idsOfTitle, provenIds, readChoices, readOutcomes, readUnseen, type Catalogue } from './coverage.ts'

const INVARIANTS = 30
const STDERR = 2

const { values: { of: given }, positionals } = parseArgs({ options: { of: { type: 'string' } }, allowPositionals: true })
if (given !== undefined && positionals.length > 0) throw new Error('--of reads a whole run: it takes no filters')
const { report: json, status } = given === undefined ? runTests(positionals) : { report: readFileSync(given, 'utf8'), status: 0 }
const outcomes = readOutcomes(json)
const failures = failuresOf(json)

const proven = provenIds(outcomes)
const passed = outcomes.filter((o) => o.status === 'passed').length
console.log(`${passed} of ${outcomes.length} tests passed; ${proven.size} rule ids proven`)
for (const failure of failures) console.log(`failed: ${failure}`)
const tooMany = outcomes.filter((o) => idsOfTitle(o.title).length > 3)
for (const o of tooMany) console.log(`more than three ids: ${o.title}`)

for (const catalogue of CATALOGUES) report(catalogue)
const invariants = Array.from({ length: INVARIANTS }, (_, i) => `INV-${String(i + 1).padStart(2, '0')}`)
console.log(`\ninvariants: ${invariants.filter((id) => proven.has(id)).join(' ')}`)
console.log(`not in a title: ${invariants.filter((id) => !proven.has(id)).join(' ')}`)
process.exitCode = status === 0 && passed > 0 && failures.length === 0 && tooMany.length === 0 ? 0 : 1

/** Runs the test files whose paths hold one of `filters`, or all, and reads the report. */
function runTests(filters: readonly string[]): { readonly report: string; readonly status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-conformance-'))
  try {
    const file = join(folder, 'report.json')
    const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
    const env = { ...process.env, PARLOR_TEST_REPORT: file }
    const { status } = spawnSync(process.execPath, [vitest, 'run', ...filters], { env, stdio: ['ignore', STDERR, STDERR] })
    return { report: readFileSync(file, 'utf8'), status }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function lineOf(name: string, rules: readonly Rule[], list = true): string {
  const covered = rules.filter((rule) => proven.has(rule.id))
  const head = `  ${name.padEnd(12)} ${String(covered.length).padStart(3)} of ${String(rules.length).padStart(3)}`
  return list && covered.length > 0 ? `${head}  ${covered.map((rule) => rule.id).join(' ')}` : head
}

function report(catalogue: Catalogue): void {
  const rules = readRules(readFileSync(catalogue.rules, 'utf8'))
  for (const layer of ['mechanics', 'api']) {
    console.log(`\n${catalogue.service}, ${layer}`)
    const ofLayer = rules.filter((rule) => rule.layer === layer)
    const kinds = [...new Set(ofLayer.map((rule) => rule.kind))].sort()
    for (const kind of kinds) console.log(lineOf(kind, ofLayer.filter((rule) => rule.kind === kind)))
    console.log(lineOf('all', ofLayer, false))
  }
  const choices = readChoices(readFileSync(catalogue.page, 'utf8'))
  const unseen = readUnseen()
  const open = rules.filter(({ id, kind }) => !proven.has(id) && !(kind === 'gap' && choices.has(id)) && !unseen.has(id))
  console.log(`\n${catalogue.service}, neither proven nor chosen: ${open.map(({ id }) => id).join(' ') || 'none'}`)
  console.log(`\n${catalogue.service}, gaps of the document: what was chosen`)
  for (const { id } of rules.filter(({ kind }) => kind === 'gap')) {
    console.log(`  ${id} ${proven.has(id) ? 'proven' : '      '}  ${choices.get(id) ?? 'NO CHOICE RECORDED'}`)
  }
  const known = new Set(rules.map((rule) => rule.id))
  const unknown = idsOf(catalogue).filter((id) => !known.has(id))
  if (unknown.length > 0) console.log(`\nids that the catalogue does not know: ${unknown.join(' ')}`)
}

function idsOf({ prefix }: Catalogue): string[] {
  return [...proven].filter((id) => id.startsWith(prefix)).sort()
}
