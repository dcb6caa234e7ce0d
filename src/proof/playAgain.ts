import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWholeJson } from '../arrow/wholeFile.ts'
import { Session } from '../engine/session.ts'
import { Digest } from '../record/digest.ts'
import { EXTERNAL_NAME, type ExternalRow, readExternal } from '../record/externalTable.ts'
import { type Manifest, manifestPath, type RunIdentity, type ServedRun, writeManifest } from '../record/manifest.ts'
import type { Sink } from '../record/sink.ts'
import { placeOf } from '../result/place.ts'
import { buildSession } from '../scenario/build.ts'
import type { Progress } from '../scenario/play.ts'
import { countsOf, identityOf, playInto, type PreparedScenario, recorderOf, runRecordOf, type RunSources, SOURCES_NAME } from '../scenario/run.ts'
import { playServed, turnsEndUs } from '../scenario/served.ts'
import { LockstepReplay } from '../scenario/servedLockstep.ts'
import { InputError } from '../unit/inputError.ts'
import { PAGE_NAME } from '../unit/pageName.ts'
import { DeliveredRows } from '../unit/deliveredRows.ts'
import { ToldRows } from '../unit/toldRows.ts'

export interface PlayAgainOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Plays a run again into a folder, and makes all of its files there that it can make. Returns the manifest, in which the code and the Node are
 * those that the run names. Throws what playing a session throws, TurnDifference for a client's turn that is another.
 */
export async function playAgain(dir: string, folder: string, manifest: Manifest, prepared: PreparedScenario, sources: Partial<RunSources>, options: PlayAgainOptions): Promise<Manifest> {
  const { sourceTree, node } = manifest.identity
  const identity = { ...identityOf(prepared, sourceTree), node }
  const again = manifest.served === undefined
    ? await playInto(folder, prepared, { ...options, identity, isScratch: manifest.record?.isScratch === true, isDurable: false })
    : playServedAgain(dir, folder, manifest, manifest.served, prepared, identity)
  const has = (file: string): boolean => manifest.files !== undefined && Object.hasOwn(manifest.files, file)
  if (!prepared.record.tables || !(has('summary.json') || has(PAGE_NAME))) return again
  // The page has the name of the scenario: that of the manifest, and with an older version that of the sources.
  writeWholeJson(manifestPath(folder), { ...again, record: manifest.record })
  if (manifest.record?.name === undefined) writeWholeJson(join(folder, SOURCES_NAME), sources)
  const { summariseRun } = await import('../score/summary.ts')
  const summary = await summariseRun(folder)
  if (has('summary.json')) writeWholeJson(join(folder, 'summary.json'), summary)
  if (has(PAGE_NAME)) {
    const { writeRunReport } = await import('../report/runReport.ts')
    await writeRunReport(folder, join(folder, PAGE_NAME), { summary, requests: manifest.record?.pageRequests ?? [] })
  }
  return again
}

/** Plays a run in which clients took part: what came in from outside comes in again. */
function playServedAgain(dir: string, folder: string, { tables }: Manifest, served: ServedRun, prepared: PreparedScenario, identity: RunIdentity): Manifest {
  const external = tables[EXTERNAL_NAME]
  if (external === undefined) throw new InputError(`the run was served, and has no table ${EXTERNAL_NAME}`, { position: { file: manifestPath(dir) } })
  const rows = readExternal(placeOf(dir, external.file))
  const { resolved, record } = prepared
  const digest = new Digest()
  const told = record.tables ? new ToldRows() : undefined
  const deliveries = record.tables && record.deliveries ? new DeliveredRows() : undefined
  const { built, play } = servedPlay(prepared, rows, served)
  const recorder = record.tables ? recorderOf(folder, prepared, built, identity, { isDurable: false, told, deliveries }) : undefined
  const sinks: Sink[] = [digest, ...(recorder === undefined ? [] : [recorder])]
  const session = new Session({ ...built.config, sinks, ...(told && { told }), ...(deliveries && { deliveries }) })
  try {
    play(session)
    for (const sink of sinks) sink.finish(session.nowUs)
  } catch (error) {
    for (const sink of sinks) sink.abort()
    throw error
  }
  const path = join(folder, 'tables', `${EXTERNAL_NAME}.arrow`)
  mkdirSync(dirname(path), { recursive: true })
  copyFileSync(placeOf(dir, external.file), path)
  return writeManifest(folder, {
    label: resolved.mode, digest: digest.hex(), identity, record: runRecordOf(record), served, tables: [...(recorder?.tables() ?? []), { name: EXTERNAL_NAME, path, rows: rows.length }],
    counts: countsOf(prepared, built, session), history: prepared.store.files,
  })
}

function servedPlay({ resolved, strategies, store }: PreparedScenario, rows: readonly ExternalRow[], served: ServedRun) {
  const { clock } = served
  if (clock === 'wall') {
    const built = buildSession(resolved, strategies, store, { clock, hear: () => {} })
    return { built, play: (session: Session): void => { playServed(session, rows, served) } }
  }
  const replay = new LockstepReplay(rows, served)
  const built = buildSession(resolved, strategies, store, { clock, hear: (seat, { kind }) => { replay.hear(seat, kind) } })
  const accountOf = (name: string): number => built.directory.accounts.findIndex((account) => account.name === name)
  return { built, play: (session: Session): void => { replay.play(session, { accountOf, turnsEndUs: turnsEndUs(built.config) }) } }
}
