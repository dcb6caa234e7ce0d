import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { stringify } from 'yaml'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { openHistory } from '../../src/scenario/history.ts'
import { type LoadedScenario, loadScenario } from '../../src/scenario/load.ts'
import { type PreparedScenario, prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import type { Draw } from '../draws.ts'
import type { Written } from './dice.ts'
import { textOf } from './strategyGrammar.ts'

const STRATEGIES = fileURLToPath(new URL('strategies', import.meta.url))
/** Steps after which a session counts as endless. */
const STEPS_MAX = 50_000_000

/** What a check found: which check, and what is wrong. */
export interface Finding {
  readonly check: string
  readonly about: string
}

const yamlOf = (scenario: Written): string => stringify(scenario, { lineWidth: 160, flowCollectionPadding: true })

const stores = new Map<string, ReturnType<typeof openHistory>>()

/** The history of a scenario, read once. */
const openOnce: typeof openHistory = (loaded, say) => {
  const key = `${loaded.file.history.store} ${loaded.folder}`
  const known = stores.get(key) ?? openHistory(loaded, say)
  stores.set(key, known)
  return known
}

/** A folder in which drawn scenarios find the strategies as kept ones do. */
export function roomFor(folder: string): string {
  mkdirSync(join(folder, 'drawn'), { recursive: true })
  symlinkSync(STRATEGIES, join(folder, 'strategies'))
  return join(folder, 'drawn')
}

/** A world of which a shrinker may have left anything out. */
interface Partly {
  readonly scenario?: Written
  readonly strategies?: { readonly [file: string]: Written }
  readonly recordings?: { readonly [folder: string]: { readonly [file: string]: readonly string[] } }
}

/** The files of a drawn world, one after the other. */
export function textsOf(world: Written): string {
  const { scenario = {}, strategies = {}, recordings = {} } = world as Partly
  const recorded = Object.entries(recordings).flatMap(([folder, files]) => Object.entries(files).map(([file, rows]) => `# ${folder}/${file}\n${rows.join('\n')}\n`))
  return [yamlOf(scenario), ...Object.entries(strategies).map(([file, drawn]) => `// ${file}\n${textOf(drawn)}`), ...recorded].join('\n')
}

/** Writes a drawn world: its scenario at the path, its strategies and recordings beside it. */
export function put(path: string, world: Written): string {
  const { scenario = {}, strategies = {}, recordings = {} } = world as Partly
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, yamlOf(scenario))
  for (const [file, drawn] of Object.entries(strategies)) writeFileSync(join(dirname(path), file), textOf(drawn))
  // The store of other recordings would be taken for theirs.
  if (Object.keys(recordings).length > 0) stores.clear()
  for (const [folder, files] of Object.entries(recordings)) {
    rmSync(join(dirname(path), folder.replace('recorded', 'store')), { recursive: true, force: true })
    rmSync(join(dirname(path), folder), { recursive: true, force: true })
    mkdirSync(join(dirname(path), folder))
    for (const [file, rows] of Object.entries(files)) writeFileSync(join(dirname(path), folder, file), `${rows.join('\n')}\n`)
  }
  return path
}

/** Loads what a scenario names; its strategies run in rooms, as users' do, or, trusted, as any module does. */
export async function prepared(path: string, isTrusted: boolean): Promise<{ readonly loaded: LoadedScenario; readonly prepared: PreparedScenario }> {
  const loaded = loadScenario(path)
  return { loaded, prepared: await prepareScenario(loaded, () => {}, { open: openOnce, importFile: importOf(isTrusted) }) }
}

export interface PlayedRun {
  readonly loaded: LoadedScenario
  readonly prepared: PreparedScenario
  readonly digest: string
  readonly findings: Finding[]
}

/** Plays a scenario into a run folder, and has it verified. */
export async function playedRun(path: string, out: string, isTrusted: boolean): Promise<PlayedRun> {
  const { loaded, prepared: ready } = await prepared(path, isTrusted)
  const { manifest } = await runScenario(loaded, ready, { target: { path: out, force: true, numbered: false }, isScratch: true })
  const { ok, checks } = await verifyRun(out, { isTrusted: true })
  const findings = ok ? [] : checks.filter((check) => !check.ok).map(({ name, about }) => ({ check: 'verify', about: `${name}: ${about}` }))
  return { loaded, prepared: ready, digest: manifest.digest, findings }
}

/** Plays the scenario with its strategies in rooms where they were in none, and in none where they were in rooms: the rows must be the same. */
export async function playedElsewhere(path: string, expected: string, wasTrusted: boolean): Promise<Finding[]> {
  const { digest } = toEnd(newPlay((await prepared(path, !wasTrusted)).prepared), 512)
  return digest === expected ? [] : [{ check: 'rooms', about: `${wasTrusted ? 'in rooms' : 'trusted'}: digest ${digest.slice(0, 12)}, expected ${expected.slice(0, 12)}` }]
}

interface Play {
  readonly session: Session
  readonly digest: Digest
}

function newPlay({ resolved, strategies, store }: PreparedScenario): Play {
  const digest = new Digest()
  return { session: new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }), digest }
}

interface Ended {
  readonly digest: string
  readonly state: string
  readonly steps: number
}

function toEnd({ session, digest }: Play, chunk: number): Ended {
  let steps = chunk
  for (; session.run(chunk); steps += chunk) if (steps > STEPS_MAX) throw new Error('the session does not end')
  digest.finish()
  return { digest: digest.hex(), state: session.stateHash(), steps }
}

const imageOf = ({ session, digest }: Play): Buffer => serialize({ session: session.snapshot(), digest: digest.snapshot() })

function restored(scenario: PreparedScenario, image: Buffer): Play {
  const play = newPlay(scenario)
  const { session, digest } = deserialize(image) as { session: Image; digest: Image }
  play.session.restore(session)
  play.digest.restore(digest)
  return play
}

/**
 * Plays the scenario in chunks of other sizes. Stops it at a drawn step, throws the session away and goes on from its checkpoint. Forks
 * that checkpoint, so that two sessions go on in turns. All must end with the same rows and the same state.
 */
export function playedOtherwise(scenario: PreparedScenario, expected: string, draw: Draw): Finding[] {
  const findings: Finding[] = []
  const plain = toEnd(newPlay(scenario), 1 + draw(200))
  const compare = (check: string, about: string, got: Ended): void => {
    if (got.digest !== expected) findings.push({ check, about: `${about}: digest ${got.digest.slice(0, 12)}, expected ${expected.slice(0, 12)}` })
    else if (got.state !== plain.state) findings.push({ check, about: `${about}: the same rows, and another state at the end` })
  }
  compare('chunks', 'chunks of another size', plain)
  compare('chunks', 'chunks of one step', toEnd(newPlay(scenario), 1))
  const first = newPlay(scenario)
  const stopAt = 1 + draw(plain.steps)
  const goesOn = first.session.run(stopAt)
  const image = imageOf(first)
  const [left, right] = [restored(scenario, image), restored(scenario, image)]
  if (left.session.stateHash() !== first.session.stateHash()) findings.push({ check: 'checkpoint', about: `restored after ${stopAt} steps, the state is another` })
  // The two go on in turns, so that anything that they share would show.
  for (let turns = goesOn ? 20 : 0; turns > 0; turns--) {
    left.session.run(1 + draw(50))
    right.session.run(1 + draw(50))
  }
  compare('checkpoint', `resumed after ${stopAt} steps`, toEnd(left, 1 + draw(500)))
  compare('fork', `forked after ${stopAt} steps`, toEnd(restored(scenario, imageOf(right)), 512))
  compare('checkpoint', `went on after a checkpoint at ${stopAt} steps`, toEnd(first, 1 + draw(500)))
  return findings
}
