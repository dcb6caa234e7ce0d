import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { stringify } from 'yaml'
import { Session } from '../../src/engine/session.ts'
import type { Store } from '../../src/feed/store.ts'
import { Digest } from '../../src/record/digest.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { openHistory } from '../../src/scenario/history.ts'
import { type LoadedScenario, loadScenario } from '../../src/scenario/load.ts'
import { type PreparedScenario, prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOnce } from '../../src/scenario/strategies.ts'
import { verifyRun } from '../../src/scenario/verify.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import type { Draw } from '../draws.ts'
import type { Written } from './grammar.ts'

const STRATEGIES = fileURLToPath(new URL('strategies', import.meta.url))
/** Steps after which a session counts as endless. */
const STEPS_MAX = 50_000_000

/** What a check found: which check, and what is wrong. */
export interface Finding {
  readonly check: string
  readonly about: string
}

export const yamlOf = (scenario: Written): string => stringify(scenario, { lineWidth: 160, flowCollectionPadding: true })

const stores = new Map<string, Promise<Store>>()

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

export function put(path: string, scenario: Written): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, yamlOf(scenario))
  return path
}

export async function prepared(path: string): Promise<{ readonly loaded: LoadedScenario; readonly prepared: PreparedScenario }> {
  const loaded = loadScenario(path)
  return { loaded, prepared: await prepareScenario(loaded, () => {}, { open: openOnce, importFile: importOnce }) }
}

export interface PlayedRun {
  readonly loaded: LoadedScenario
  readonly prepared: PreparedScenario
  readonly digest: string
  readonly findings: Finding[]
}

/** Plays a scenario into a run folder, and has it verified. */
export async function playedRun(path: string, out: string): Promise<PlayedRun> {
  const { loaded, prepared: ready } = await prepared(path)
  const { manifest } = await runScenario(loaded, ready, { target: { path: out, force: true, numbered: false }, isScratch: true })
  const { ok, checks } = await verifyRun(out, { isTrusted: true })
  const findings = ok ? [] : checks.filter((check) => !check.ok).map(({ name, about }) => ({ check: 'verify', about: `${name}: ${about}` }))
  return { loaded, prepared: ready, digest: manifest.digest, findings }
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
 * Plays the scenario in chunks of other sizes; stops it at a drawn step, throws the session away and goes on from its checkpoint; and forks that
 * checkpoint, so that two sessions go on in turns. All must end with the same rows and the same state.
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

export const textOf = (path: string): string => readFileSync(path, 'utf8')
