// Lists the rules that passed tests prove, by kind: `npm run conformance` runs the test files that name a rule, which are seen on stderr;
// `npm run conformance -- --of FILE` reads what a run left with PARLOR_TEST_REPORT=FILE. Fails where a test failed or claims more than three
// rules, and where a rule of the layer api is neither proven nor chosen, unless paths say which tests are run. An error outside of every test
// stands in no such file: the run that left it has failed by itself.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readRules, type Rule } from '../../tools/docs/rules.ts'
import {
  CATALOGUES, failuresOf, idsOfTitle, namesRule, provenIds, readChoices, readOutcomes, readUnseen, standingOf, type Catalogue, type Standing,
} from './coverage.ts'

const INVARIANTS = 30
const STDERR = 2
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LAYERS = ['mechanics', 'api'] as const

const { values: { of: given }, positionals } = parseArgs({ options: { of: { type: 'string' } }, allowPositionals: true })
if (given !== undefined && positionals.length > 0) throw new Error('--of reads a whole run: it takes no filters')
const { report: json, status } = given === undefined ? runTests(positionals.length > 0 ? positionals : filesNamingRules()) : { report: readFileSync(given, 'utf8'), status: 0 }
const outcomes = readOutcomes(json)
const failures = failuresOf(json)

const proven = provenIds(outcomes)
const passed = outcomes.filter((o) => o.status === 'passed').length
console.log(`${passed} of ${outcomes.length} tests passed; ${proven.size} rule ids proven`)
for (const failure of failures) console.log(`failed: ${failure}`)
const tooMany = outcomes.filter((o) => idsOfTitle(o.title).length > 3)
for (const o of tooMany) console.log(`more than three ids: ${o.title}`)

const isWhole = positionals.length === 0
const missing = CATALOGUES.flatMap(summed)
for (const catalogue of CATALOGUES) report(catalogue)
const invariants = Array.from({ length: INVARIANTS }, (_, i) => `INV-${String(i + 1).padStart(2, '0')}`)
console.log(`\ninvariants: ${invariants.filter((id) => proven.has(id)).join(' ')}`)
console.log(`not in a title: ${invariants.filter((id) => !proven.has(id)).join(' ')}`)
process.exitCode = status === 0 && passed > 0 && failures.length === 0 && tooMany.length === 0 && !(isWhole && missing.length > 0) ? 0 : 1

function filesNamingRules(): readonly string[] {
  const names = readdirSync(join(ROOT, 'test'), { recursive: true }).map((name) => join(ROOT, 'test', String(name))).filter((name) => name.endsWith('.test.ts'))
  return names.filter((name) => namesRule(readFileSync(name, 'utf8'))).map((name) => relative(ROOT, name)).sort()
}

/** Runs the test files whose paths hold one of `filters`, and reads the report. */
function runTests(filters: readonly string[]): { readonly report: string; readonly status: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-conformance-'))
  try {
    const file = join(folder, 'report.json')
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
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

function standing(catalogue: Catalogue, layer: string): Standing {
  const rules = readRules(readFileSync(catalogue.rules, 'utf8')).filter((rule) => rule.layer === layer)
  return standingOf(rules, proven, { choices: readChoices(readFileSync(catalogue.page, 'utf8')), unseen: readUnseen() })
}

/** Tells how many rules of a service are proven and chosen. Returns those of the layer api that are neither. */
function summed(catalogue: Catalogue): readonly Rule[] {
  for (const layer of LAYERS) {
    const { proven: by, chosen, open } = standing(catalogue, layer)
    const all = by.length + chosen.length + open.length
    console.log(`${`${catalogue.service}, ${layer}:`.padEnd(19)} ${String(by.length).padStart(3)} of ${all} proven, ${String(chosen.length).padStart(2)} chosen; neither: ${open.map(({ id }) => id).join(' ') || 'none'}`)
  }
  return standing(catalogue, 'api').open
}

function report(catalogue: Catalogue): void {
  const rules = readRules(readFileSync(catalogue.rules, 'utf8'))
  for (const layer of LAYERS) {
    console.log(`\n${catalogue.service}, ${layer}`)
    const ofLayer = rules.filter((rule) => rule.layer === layer)
    const kinds = [...new Set(ofLayer.map((rule) => rule.kind))].sort()
    for (const kind of kinds) console.log(lineOf(kind, ofLayer.filter((rule) => rule.kind === kind)))
    console.log(lineOf('all', ofLayer, false))
  }
  const choices = readChoices(readFileSync(catalogue.page, 'utf8'))
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
