// Sees the rules of both services over real sockets: `npm run conformance:wire` starts sessions as processes, and plays the documents' calls with
// a client that shares no code with them. It fails where a rule is refuted, and where a rule of the layer api is neither proven nor chosen.
// `--only TEXT` plays the areas whose names hold the text, `--session NAME,NAME` those of some sessions. Then no rule needs to be there.
// `--out FILE` writes what was seen of each rule, `--root FOLDER` tries another checkout, `--patience SECONDS` is how long an answer may take,
// `--abreast COUNT` how many rules of a session are tried at a time, and `--sessions COUNT` how many sessions.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CATALOGUES, type Catalogue, readUnseen } from '../coverage.ts'
import { readRules } from '../../../tools/docs/rules.ts'
import { bePatient } from './client.ts'
import { playAll } from './play.ts'

const TEXT_MAX = 4000
/** Of a rule that sees more than this, the first and the last are written. */
const SEEN_MAX = 400

const { values } = parseArgs({ options: {
  only: { type: 'string' }, out: { type: 'string' }, root: { type: 'string' }, session: { type: 'string' }, patience: { type: 'string' }, abreast: { type: 'string', default: '4' },
  sessions: { type: 'string', default: '4' }, quiet: { type: 'boolean' },
} })
if (values.patience !== undefined) bePatient(Number(values.patience) * 1000)
const isWhole = values.only === undefined && values.session === undefined

const beganMs = Date.now()
const outcomes = await playAll({
  root: values.root ?? fileURLToPath(new URL('../../..', import.meta.url)), abreast: Number(values.abreast), sessions: Number(values.sessions),
  isPlayed: (session, area) => (values.session === undefined || values.session.split(',').includes(session)) && area.includes(values.only ?? ''),
})
const refuted = outcomes.filter(({ why }) => why !== null)
const tried = new Set(outcomes.flatMap(({ ids }) => ids))
const refutedIds = new Set(refuted.flatMap(({ ids }) => ids))

for (const name of new Set(outcomes.map(({ area }) => area))) {
  const of = outcomes.filter(({ area }) => area === name)
  const calls = of.reduce((sum, { seen }) => sum + seen.length, 0)
  console.log(`${name.padEnd(26)} ${String(of.filter(({ why }) => why === null).length).padStart(3)} of ${String(of.length).padStart(3)} rows, ${calls} calls, events and frames`)
}
for (const { ids, about, why, seen } of refuted) {
  console.log(`\nrefuted: ${ids.join(' ')} ${about}\n  ${why}`)
  for (const { method, path, status, text } of values.quiet === true ? [] : seen.slice(-3)) console.log(`  ${method} ${path} → ${status} ${text.slice(0, 300)}`)
}
const missing = CATALOGUES.flatMap(missingOf)
console.log(`\n${Math.round((Date.now() - beganMs) / 1000)} s`)

if (values.out !== undefined) {
  writeFileSync(values.out, JSON.stringify(outcomes.map(({ seen, ...outcome }) => ({
    ...outcome, seen: [...seen.slice(0, SEEN_MAX), ...seen.slice(Math.max(SEEN_MAX, seen.length - SEEN_MAX))].map(({ method, path, status, text }) => ({ method, path, status, text: text.slice(0, TEXT_MAX) })),
  })), null, 1))
}
// A row that was refuted may have left something open.
process.exit(refuted.length > 0 || outcomes.length === 0 || (isWhole && missing.length > 0) ? 1 : 0)

/** Tells how many rules of a service were seen. Returns those of the layer api that are neither proven nor chosen. */
function missingOf({ service, prefix, rules: page }: Catalogue): readonly string[] {
  if (![...tried].some((id) => id.startsWith(prefix))) return []
  const rules = readRules(readFileSync(page, 'utf8'))
  const api = rules.filter(({ layer }) => layer === 'api').map(({ id }) => id)
  const isProven = (id: string): boolean => tried.has(id) && !refutedIds.has(id)
  const chosen = api.filter((id) => readUnseen().has(id))
  const ofMechanics = rules.filter(({ id, layer }) => layer === 'mechanics' && isProven(id)).length
  console.log(`\n${service}, api: ${api.filter(isProven).length} of ${api.length} proven over the socket, ${chosen.length} chosen; of the mechanics ${ofMechanics} proven`)
  console.log(`  chosen: ${chosen.join(' ') || 'none'}`)
  const both = chosen.filter((id) => tried.has(id))
  if (both.length > 0) console.log(`  tried all the same: ${both.join(' ')}`)
  const missing = [...api.filter((id) => !isProven(id) && !chosen.includes(id)), ...both]
  if (isWhole) console.log(`  neither proven nor chosen: ${missing.filter((id) => !both.includes(id)).join(' ') || 'none'}`)
  return missing
}
