import { join, resolve } from 'node:path'
import type { SessionConfig } from '../engine/config.ts'
import { Session } from '../engine/session.ts'
import { readStore } from '../feed/store.ts'
import { Digest } from '../record/digest.ts'
import { EXTERNAL_NAME, type ExternalRow, readExternal } from '../record/externalTable.ts'
import { type Manifest, readManifest, type ServedRun } from '../record/manifest.ts'
import type { Sink } from '../record/sink.ts'
import { readToldDigest, TOLD_TABLES, type ToldDigest, ToldHashes, type ToldTable } from '../record/toldDigest.ts'
import { checkFile } from '../result/check.ts'
import { placeOf } from '../result/place.ts'
import { buildSession } from '../scenario/build.ts'
import { resolvedOf, sourcesOf, untilOf } from '../scenario/finishedRun.ts'
import { freshServices } from '../scenario/freshServices.ts'
import { play, type Progress } from '../scenario/play.ts'
import { replayedDigest } from '../scenario/replay.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import { ownSourceTree } from '../scenario/run.ts'
import { playServed, turnsEndUs } from '../scenario/served.ts'
import { LockstepReplay, TurnDifference } from '../scenario/servedLockstep.ts'
import { importOf, type LoadedStrategy, loadStrategy, type Role, type StrategyImport } from '../scenario/strategies.ts'
import { whyUnreproducible } from '../scenario/strategyLimits.ts'
import type { StrategySet } from '../scenario/strategySet.ts'
import { InputError } from '../unit/inputError.ts'
import { thousands } from '../unit/numberText.ts'
import { ToldRows } from '../unit/toldRows.ts'

/** One thing that was checked. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** What was found, and when it failed what was expected. */
  readonly about: string
}

export interface Verification {
  readonly ok: boolean
  readonly digest: string
  /** Why the run may differ when it is played again, null where it does not. */
  readonly unreproducible: string | null
  readonly checks: readonly Check[]
}

export interface VerifyOptions {
  /** Whether strategies that ran in no room may do so again. */
  readonly isTrusted?: boolean
  /** Makes what imports strategy files of what would. */
  readonly importing?: (load: StrategyImport) => StrategyImport
  /** Called before strategies are, with the names of the participants. */
  readonly begins?: (names: readonly string[]) => void
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Checks a run. Its tables must have the hashes of its manifest. A fresh venue that is given the commands of the journal table
 * must write the same rows, and so must the manifest's scenario, played again on the same history by the same strategies. These must say of
 * themselves what the tables `passes` and `logs` have.
 * A history or a strategy that is not there is a check that fails. Throws InputError when there is no run.
 */
export async function verifyRun(dir: string, options: VerifyOptions = {}): Promise<Verification> {
  const manifest = readManifest(dir)
  const resolved = resolvedOf(manifest, dir)
  const checks = fileChecks(dir, manifest)
  if (manifest.files === undefined) checks.push({ name: 'files', ok: true, about: 'are not named, as of an older version: only the tables were compared' })
  if (checks.find(({ name }) => name === 'table journal')?.ok === true) {
    checks.push(sameDigest('journal', 'replayed through a fresh venue', replayedDigest(placeOf(dir, manifest.tables['journal']!.file), freshServices(resolved), untilOf(manifest)), manifest))
  }
  const unreproducible = whyUnreproducible(manifest.identity)
  const code = codeNote(manifest)
  const inputs = await openInputs(dir, manifest, resolved, options).catch(missingInput)
  checks.push(...inputs.inputChecks)
  if ('store' in inputs && inputs.inputChecks.every(({ ok }) => ok)) {
    // What strategies say is compared with the tables that are as they were written.
    const tables = TOLD_TABLES.filter((name) => checks.find((check) => check.name === `table ${name}`)?.ok === true)
    const told = tables.length === 0 ? null : new ToldRows()
    const reruns = await rerun(resolved, inputs.strategies, inputs.store, options, { came: cameIn(dir, manifest), told })
      .then(({ digest, said }) => {
        const check = sameDigest('rerun', `the scenario played again${code}`, digest, manifest)
        // In another session strategies say other things.
        return [check, ...(check.ok ? tables : []).map((name) => sameSaid(name, said!.digest(name), placeOf(dir, manifest.tables[name]!.file), code))]
      }, (error: unknown) => [otherTurn(error, code)])
    checks.push(...reruns.map((check) => (check.ok || unreproducible === null ? check : { ...check, about: `${check.about}; the run is not reproducible: ${unreproducible}` })))
  }
  return { ok: checks.every(({ ok }) => ok), digest: manifest.digest, unreproducible, checks }
}

/** Tables, then the other files. */
function fileChecks(dir: string, { tables, files = {} }: Manifest): Check[] {
  const paths = new Set(Object.values(tables).map(({ file }) => file))
  return [
    ...Object.entries(tables).map(([name, { file, sha256 }]) => ({ ...checkFile(dir, file, sha256), name: `table ${name}` })),
    ...Object.entries(files).filter(([file]) => !paths.has(file)).map(([file, { sha256 }]) => ({ ...checkFile(dir, file, sha256), name: `file ${file}` })),
  ].map(({ name, ok, about }) => ({ name, ok, about }))
}

/** What verification of a run that was moved says of an input that is not where it was. */
function missingInput(error: unknown): { readonly inputChecks: Check[] } {
  if (!(error instanceof InputError)) throw error
  return { inputChecks: [{ name: 'inputs', ok: false, about: error.describe() }] }
}

const short = (digest: string): string => digest.slice(0, 12)

const sameDigest = (name: string, what: string, found: string, { digest }: Manifest): Check =>
  found === digest
    ? { name, ok: true, about: `${what}: digest ${short(digest)}` }
    : { name, ok: false, about: `${what}: digest ${short(found)}, expected ${short(digest)}` }

/** Whether strategies said again what a table has. No digest has it. */
function sameSaid(table: ToldTable, again: ToldDigest, path: string, code: string): Check {
  const name = `said ${table}`
  const shown = ({ rows, hash }: ToldDigest): string => `${thousands(rows)} rows, hash ${short(hash)}`
  try {
    const written = readToldDigest(path, table)
    const about = `what strategies say when they play again${code}: ${shown(again)}`
    return written.hash === again.hash ? { name, ok: true, about } : { name, ok: false, about: `${about}, the table has ${shown(written)}` }
  } catch (error) {
    if (error instanceof InputError) return { name, ok: false, about: error.describe() }
    throw error
  }
}

/** The first turn of a client that is not the run's. */
function otherTurn(error: unknown, code: string): Check {
  if (!(error instanceof TurnDifference)) throw error
  return { name: 'rerun', ok: false, about: `the scenario played again${code}: ${error.message}` }
}

/** Other code or another Node may still give the same rows; when they do not, this is the likely reason. */
function codeNote({ identity }: Manifest): string {
  const notes: string[] = []
  if (identity.node !== process.version) notes.push(`Node ${process.version} instead of ${identity.node}`)
  if (identity.sourceTree !== ownSourceTree()) notes.push('other code of parlor')
  return notes.length === 0 ? '' : ` (by ${notes.join(', ')})`
}

async function openInputs(dir: string, { identity }: Manifest, resolved: ResolvedScenario, { isTrusted, importing = (load) => load }: VerifyOptions) {
  const { trusted = [], unhashed = [] } = identity
  if (unhashed.length > 0) throw new InputError(`${unhashed.join(', ')} cannot be played again: the program that ran it gave an object, whose code no digest has`, { hint: 'give a run that is to be verified its strategies as files' })
  // A manifest may come from anybody: what it calls trusted is run as such for those alone who say so.
  if (trusted.length > 0 && isTrusted !== true) throw new InputError(`${trusted.join(', ')} was played with --trusted`, { hint: 'parlor verify --trusted plays it the same way, with your files, network and clock' })
  const inRoom = importing(importOf(false, resolved.strategies?.allow))
  const inNone = importing(importOf(true))
  const sources = sourcesOf(dir)
  const store = readStore(resolve(dir, sources.store))
  const folder = resolve(dir, sources.scenario, '..')
  const load = async (role: Role, names: readonly string[]): Promise<Map<string, LoadedStrategy>> => {
    const loaded = new Map<string, LoadedStrategy>()
    for (const use of new Set(names)) loaded.set(use, await loadStrategy(use, role, folder, trusted.includes(use) ? inNone : inRoom))
    return loaded
  }
  const strategies: StrategySet = {
    maker: await load('maker', resolved.makers.map(({ strategy }) => strategy)),
    bettor: await load('bettor', resolved.bettors.filter(({ script }) => script === undefined).map(({ strategy }) => strategy)),
  }
  const inputChecks: Check[] = []
  const check = (name: string, found: string | null | undefined, expected: string | null | undefined): void => {
    if (found !== expected) inputChecks.push({ name, ok: false, about: `has changed since the run: ${short(found ?? 'none')}, expected ${short(expected ?? 'none')}` })
  }
  check(`history ${resolved.history.store}`, store.dataHash, identity.data)
  for (const { use, graph } of [...strategies.maker.values(), ...strategies.bettor.values()]) {
    if (graph !== undefined) check(`strategy ${use}`, graph.digest, identity.strategies[use])
  }
  return { store, strategies, inputChecks }
}

/** What clients of a served run did. */
interface CameIn {
  readonly served: ServedRun
  readonly rows: readonly ExternalRow[]
}

/** Null of a run without clients. */
function cameIn(dir: string, { served, tables }: Manifest): CameIn | null {
  if (served === undefined) return null
  const table = tables[EXTERNAL_NAME]
  if (table === undefined) throw new InputError(`the run was served, and has no table ${EXTERNAL_NAME}`, { position: { file: join(dir, 'manifest.json') } })
  return { served, rows: readExternal(placeOf(dir, table.file)) }
}

/** Who hears a session. */
type Hearing = Pick<SessionConfig, 'sinks' | 'told'>

/** Plays a served run again. */
function playAgain(resolved: ResolvedScenario, strategies: StrategySet, store: ReturnType<typeof readStore>, { served, rows }: CameIn, hearing: Hearing): void {
  const { clock } = served
  if (clock === 'wall') return playServed(new Session({ ...buildSession(resolved, strategies, store, { clock, hear: () => {} }).config, ...hearing }), rows, served)
  const replay = new LockstepReplay(rows, served)
  const built = buildSession(resolved, strategies, store, { clock, hear: (seat, { kind }) => { replay.hear(seat, kind) } })
  const accountOf = (name: string): number => built.directory.accounts.findIndex((account) => account.name === name)
  replay.play(new Session({ ...built.config, ...hearing }), { accountOf, turnsEndUs: turnsEndUs(built.config) })
}

/** Plays a run again. `told` gets what its strategies say, which is hashed. */
async function rerun(
  resolved: ResolvedScenario, strategies: StrategySet, store: ReturnType<typeof readStore>, options: VerifyOptions,
  { came, told }: { readonly came: CameIn | null; readonly told: ToldRows | null },
): Promise<{ readonly digest: string; readonly said: ToldHashes | null }> {
  options.begins?.([...resolved.makers, ...resolved.bettors].map(({ name }) => name))
  const digest = new Digest()
  const said = told === null ? null : new ToldHashes(told)
  const sinks: Sink[] = [digest, ...(said === null ? [] : [said])]
  const hearing: Hearing = { sinks, ...(told !== null && { told }) }
  if (came === null) {
    const session = new Session({ ...buildSession(resolved, strategies, store).config, ...hearing })
    await play(session, sinks, {
      startUs: resolved.history.fromUs, untilUs: resolved.arrivals.untilUs, arrivalsMax: resolved.arrivals.max,
      signal: options.signal, onProgress: options.onProgress,
    })
  } else playAgain(resolved, strategies, store, came, hearing)
  return { digest: digest.hex(), said }
}
