// Sees the rules of both services over real sockets: `npm run conformance:wire` starts sessions as processes, and plays the documents' calls with
// a client that shares no code with them. A refuted rule is told with what was seen, and so is every rule of the layer api that is not tried.
// `--only TEXT` plays the areas whose names hold the text, `--session NAME` those of one session. `--out FILE` writes what was seen of each rule,
// `--root FOLDER` tries another checkout, `--patience SECONDS` is how long an answer may take,
// and `--abreast COUNT` how many rules are tried at a time.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { CATALOGUES } from '../coverage.ts'
import { readRules } from '../../../tools/docs/rules.ts'
import { bePatient, inTime, type Seen } from './client.ts'
import { OUTCOME_AREAS, openOutcome, OUTCOME_SESSIONS } from './outcome/index.ts'
import { openParlay, PARLAY_AREAS, PARLAY_SESSIONS } from './parlay/index.ts'
import type { Area, Row } from './rules.ts'
import { ServedProcess, type SessionTerms } from './session.ts'

const TEXT_MAX = 4000
const ROW_MS = 90_000

/** What came of a row. */
interface Outcome {
  readonly ids: readonly string[]
  readonly area: string
  readonly about: string
  /** Why it is refuted; null: it is proven. */
  readonly why: string | null
  readonly seen: readonly Seen[]
}

const { values } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string' }, root: { type: 'string' }, session: { type: 'string' }, patience: { type: 'string' }, abreast: { type: 'string', default: '4' }, quiet: { type: 'boolean' } } })
if (values.patience !== undefined) bePatient(Number(values.patience) * 1000)
const root = values.root ?? fileURLToPath(new URL('../../..', import.meta.url))

type Open<W> = (served: ServedProcess, noted: Seen[], place: number) => W

async function playArea<W>(served: ServedProcess, area: Area<W>, open: Open<W>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const rows = [...area.rows.entries()]
  const next = async (): Promise<void> => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) outcomes.push(await playRow(served, area, row[1], row[0], open))
  }
  await Promise.all(Array.from({ length: area.isOneByOne === true ? 1 : Number(values.abreast) }, next))
  return outcomes
}

async function playRow<W>(served: ServedProcess, { name, service }: Area<W>, [ids, about, play]: Row<W>, place: number, open: Open<W>): Promise<Outcome> {
  const seen: Seen[] = []
  let why: string | null = null
  try {
    await inTime(play(open(served, seen, place)), 'the end of the row', ROW_MS)
    if (seen.length === 0) why = 'nothing was seen'
  } catch (error) {
    why = String(error instanceof Error ? error.message : error)
  }
  return { ids: ids.split(' '), area: `${service}/${name}`, about, why, seen }
}

async function playSessions<W>(sessions: Readonly<Record<string, SessionTerms>>, areas: readonly Area<W>[], open: Open<W>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [name, terms] of Object.entries(sessions)) {
    const played = areas.filter((area) => area.session === name && (values.session ?? name) === name && `${area.service}/${area.name}`.includes(values.only ?? ''))
    if (played.length === 0) continue
    const served = await ServedProcess.start(root, terms)
    try {
      for (const area of played) outcomes.push(...await playArea(served, area, open))
    } finally {
      await served.end().catch((error: unknown) => { console.error(String(error)) })
    }
  }
  return outcomes
}

const outcomes = [...await playSessions(PARLAY_SESSIONS, PARLAY_AREAS, openParlay), ...await playSessions(OUTCOME_SESSIONS, OUTCOME_AREAS, openOutcome)]
const refuted = outcomes.filter(({ why }) => why !== null)
const tried = new Set(outcomes.flatMap(({ ids }) => ids))
const refutedIds = new Set(refuted.flatMap(({ ids }) => ids))

for (const name of new Set(outcomes.map(({ area }) => area))) {
  const of = outcomes.filter(({ area }) => area === name)
  const calls = of.reduce((sum, { seen }) => sum + seen.length, 0)
  console.log(`${name.padEnd(24)} ${String(of.filter(({ why }) => why === null).length).padStart(3)} of ${String(of.length).padStart(3)} rows, ${calls} calls, events and frames`)
}
for (const { ids, about, why, seen } of refuted) {
  console.log(`\nrefuted: ${ids.join(' ')} ${about}\n  ${why}`)
  for (const { method, path, status, text } of values.quiet === true ? [] : seen.slice(-3)) console.log(`  ${method} ${path} → ${status} ${text.slice(0, 300)}`)
}

for (const { service, rules: page } of CATALOGUES) {
  const rules = readRules(readFileSync(page, 'utf8'))
  const api = rules.filter(({ layer }) => layer === 'api')
  const proven = api.filter(({ id }) => tried.has(id) && !refutedIds.has(id))
  console.log(`\n${service}, api: ${proven.length} of ${api.length} proven over the socket, ${api.filter(({ id }) => refutedIds.has(id)).length} refuted; of the mechanics ${rules.filter(({ id, layer }) => layer !== 'api' && tried.has(id) && !refutedIds.has(id)).length}`)
  for (const kind of [...new Set(api.map((rule) => rule.kind))].sort()) {
    const of = api.filter((rule) => rule.kind === kind)
    const missing = of.filter(({ id }) => !tried.has(id))
    console.log(`  ${kind.padEnd(12)} ${String(of.filter((rule) => proven.includes(rule)).length).padStart(3)} of ${String(of.length).padStart(3)}${missing.length > 0 ? `  not tried: ${missing.map(({ id }) => id).join(' ')}` : ''}`)
  }
}

if (values.out !== undefined) {
  writeFileSync(values.out, JSON.stringify(outcomes.map(({ seen, ...outcome }) => ({
    ...outcome, seen: seen.map(({ method, path, status, text }) => ({ method, path, status, text: text.slice(0, TEXT_MAX) })),
  })), null, 1))
}
process.exitCode = refuted.length > 0 || outcomes.length === 0 ? 1 : 0
