// Runs the tests and lists the rules that passed tests prove, by kind: `npm run conformance`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CATALOGUES, idsOfTitle, provenIds, readChoices, readOutcomes, readRules, type Catalogue, type Rule } from './coverage.ts'

const INVARIANTS = 30

const folder = mkdtempSync(join(tmpdir(), 'parlor-conformance-'))
const file = join(folder, 'report.json')
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2), '--reporter=json', `--outputFile=${file}`], { stdio: ['ignore', 'ignore', 'inherit'] })
const outcomes = readOutcomes(readFileSync(file, 'utf8'))
rmSync(folder, { recursive: true })

const proven = provenIds(outcomes)
const passed = outcomes.filter((o) => o.status === 'passed').length
console.log(`${passed} of ${outcomes.length} tests passed; ${proven.size} rule ids proven`)
const tooMany = outcomes.filter((o) => idsOfTitle(o.title).length > 3)
for (const o of tooMany) console.log(`more than three ids: ${o.title}`)

for (const catalogue of CATALOGUES) {
  if (existsSync(catalogue.rules)) report(catalogue)
  else console.log(`\nthe rule catalogue is not at ${catalogue.rules}: ids without kinds\n${idsOf(catalogue).join(' ')}`)
}
const invariants = Array.from({ length: INVARIANTS }, (_, i) => `INV-${String(i + 1).padStart(2, '0')}`)
console.log(`\ninvariants: ${invariants.filter((id) => proven.has(id)).join(' ')}`)
console.log(`not in a title: ${invariants.filter((id) => !proven.has(id)).join(' ')}`)
process.exitCode = status === 0 && tooMany.length === 0 ? 0 : 1

function lineOf(name: string, rules: readonly Rule[], list = true): string {
  const covered = rules.filter((rule) => proven.has(rule.id))
  const head = `  ${name.padEnd(12)} ${String(covered.length).padStart(3)} of ${String(rules.length).padStart(3)}`
  return list && covered.length > 0 ? `${head}  ${covered.map((rule) => rule.id).join(' ')}` : head
}

function report(catalogue: Catalogue): void {
  const rules = readRules(catalogue.rules)
  for (const layer of ['mechanics', 'api']) {
    console.log(`\n${catalogue.service}, ${layer}`)
    const ofLayer = rules.filter((rule) => rule.layer === layer)
    const kinds = [...new Set(ofLayer.map((rule) => rule.kind))].sort()
    for (const kind of kinds) console.log(lineOf(kind, ofLayer.filter((rule) => rule.kind === kind)))
    console.log(lineOf('all', ofLayer, false))
  }
  const choices = readChoices(readFileSync(catalogue.page, 'utf8'))
  console.log(`\n${catalogue.service}, gaps of the document, mechanics: what was chosen`)
  for (const { id } of rules.filter(({ layer, kind }) => layer === 'mechanics' && kind === 'gap')) {
    console.log(`  ${id} ${proven.has(id) ? 'proven' : '      '}  ${choices.get(id) ?? 'NO CHOICE RECORDED'}`)
  }
  const known = new Set(rules.map((rule) => rule.id))
  const unknown = idsOf(catalogue).filter((id) => !known.has(id))
  if (unknown.length > 0) console.log(`\nids that the catalogue does not know: ${unknown.join(' ')}`)
}

function idsOf({ prefix }: Catalogue): string[] {
  return [...proven].filter((id) => id.startsWith(prefix)).sort()
}
