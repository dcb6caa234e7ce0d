import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXTERNAL_NAME } from '../record/externalTable.ts'
import { type Manifest, readManifest } from '../record/manifest.ts'
import { isFromSystem } from '../result/failures.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { placeOf } from '../result/place.ts'
import { resolvedOf, untilOf } from '../scenario/finishedRun.ts'
import { freshServices } from '../scenario/freshServices.ts'
import { replayedDigest } from '../scenario/replay.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import { type PreparedScenario, SETTLEMENT_NAME, SOURCES_NAME } from '../scenario/run.ts'
import { whyUnreproducible } from '../scenario/strategyLimits.ts'
import { InputError } from '../unit/inputError.ts'
import { arrowDifference, parquetDifference } from './cellsDifference.ts'
import { type Check, checkOf, short } from './check.ts'
import { bytesDifference, type Difference, differenceText, jsonDifference, textDifference } from './difference.ts'
import { circumstances, type InputOptions, openInputs, sourcesIfThere } from './inputs.ts'
import { playAgain, type PlayAgainOptions } from './playAgain.ts'
import { addedChecks, type FileCheckOfRun, filesIn, hashChecks, identityCheck, leftChecks, manifestCheck, manifestDiffers, settlementCheck } from './runFiles.ts'
import { signatureChecks } from './signatureChecks.ts'

/** `proven`: the same run, played again, has the same bytes. `differs`: something is not what the run left. `unproven`: nothing is found to differ, and not all could be tried. */
export type Verdict = 'proven' | 'differs' | 'unproven'

export interface Verification {
  /** Whether the run is proven. */
  readonly ok: boolean
  readonly verdict: Verdict
  readonly digest: string
  /** Why the run may differ when it is played again, null where it does not. */
  readonly unreproducible: string | null
  readonly checks: readonly Check[]
}

export interface VerifyOptions extends InputOptions, PlayAgainOptions {
  /** Files of public keys that must have signed the manifest. */
  readonly keys?: readonly string[]
  /** Called before strategies are, with the names of the participants. */
  readonly begins?: (names: readonly string[]) => void
}

/** What no session makes again, and why the hash of each is all that is held against it. */
const BY_HASH_ALONE: ReadonlyMap<string, string> = new Map([
  [`tables/${EXTERNAL_NAME}.arrow`, 'what clients did, by its hash, and by what it gives when it is played again'],
  [SETTLEMENT_NAME, 'what chains held, by its hash alone: parlor reconcile settles the run again'],
])

/**
 * Proves a run. Its files must have the hashes of its manifest, and there must be no others. A fresh venue that is given the commands of the
 * journal table must write the same rows. The manifest's scenario, played again on the same history by the same strategies, must leave the same
 * bytes: tables, summary, page and manifest. Where a run was made in other circumstances, or its inputs are not there, what differs when it is
 * played again is no damage, and what does not is no proof. Throws InputError when there is no run, DamagedResult where its lists are no lists.
 */
export async function verifyRun(dir: string, options: VerifyOptions = {}): Promise<Verification> {
  const manifest = readManifest(dir)
  const resolved = resolvedOf(manifest, dir)
  const signatures = signatureChecks(dir, options.keys ?? [])
  const files = hashChecks(dir, manifest)
  const tables = files.filter(({ check: { ok, name } }) => ok && name.startsWith('table ')).map(({ check: { name } }) => name.slice('table '.length))
  const identity = identityCheck(dir, manifest, tables)
  const written = manifestCheck(dir, manifest, resolved)
  const journal = tables.includes('journal') ? [journalCheck(dir, manifest, resolved)] : []
  const sources = sourcesIfThere(dir)
  const made = circumstances(manifest, sources)
  const inputs = await openInputs(dir, manifest, resolved, options)
  const unreproducible = whyUnreproducible(manifest.identity)
  const doubts = [...made.map(({ about }) => about), ...(unreproducible === null ? [] : [`the run is not reproducible: ${unreproducible}`])]
  const again = inputs.prepared === null ? { files, checks: [] } : await checkedAgain({ dir, manifest, resolved, files, sources, lost: inputs.lost, doubts }, inputs.prepared, options)
  const whole = written.ok ? again.checks.find(({ name }) => name === 'manifest') ?? written : written
  const settled = settlementCheck(manifest)
  const circumstance = made.map(({ about }) => about)
  // No machine changes what the manifest says of chains, and older code did not say it.
  const byCode = made.filter(({ name }) => name === 'code').map(({ about }) => about)
  const checks = [
    ...again.files.map(({ check }) => check), ...addedChecks(dir, manifest), whole, ...(identity === null ? [] : [identity]),
    ...journal.map((check) => doubted(check, circumstance)), ...(settled === null ? [] : [doubted(settled, byCode)]), ...leftChecks(manifest, byCode.length === 0), ...again.checks.filter(({ name }) => name !== 'manifest'),
    ...signatures, ...made, ...inputs.checks,
  ]
  const has = (state: Check['state']): boolean => checks.some((check) => check.state === state)
  const verdict = has('differs') ? 'differs' : has('unproven') ? 'unproven' : 'proven'
  return { ok: verdict === 'proven', verdict, digest: manifest.digest, unreproducible, checks }
}

/** A difference that other code, another machine or an unbounded strategy may have made is no damage. */
const doubted = (check: Check, doubts: readonly string[]): Check =>
  (check.state !== 'differs' || doubts.length === 0 ? check : checkOf(check.name, 'unproven', `${check.about}; ${doubts.join('; ')}`, check.difference))

const sameDigest = (name: string, what: string, found: string, { digest }: Manifest): Check =>
  checkOf(name, found === digest ? 'same' : 'differs', `${what}: digest ${short(found)}${found === digest ? '' : `, expected ${short(digest)}`}`)

function journalCheck(dir: string, manifest: Manifest, resolved: ResolvedScenario): Check {
  try {
    return sameDigest('journal', 'replayed through a fresh venue', replayedDigest(placeOf(dir, manifest.tables['journal']!.file), freshServices(resolved), untilOf(manifest)), manifest)
  } catch (error) {
    return checkOf('journal', 'differs', `cannot be replayed: ${saidBy(error)}`)
  }
}

/** What an error says that a run which was changed may bring about. Throws the others. */
function saidBy(error: unknown): string {
  if (error instanceof InputError) return error.describe()
  if (!(error instanceof Error) || error.name === 'Interrupted' || isFromSystem(error)) throw error
  return error.message
}

interface RunToProve {
  readonly dir: string
  readonly manifest: Manifest
  readonly resolved: ResolvedScenario
  readonly files: readonly FileCheckOfRun[]
  readonly sources: ReturnType<typeof sourcesIfThere>
  /** Files of the history that are not there as they were. */
  readonly lost: readonly string[]
  readonly doubts: readonly string[]
}

/** Plays a run again, and holds all that it left against that. */
async function checkedAgain(run: RunToProve, prepared: PreparedScenario, options: VerifyOptions): Promise<{ readonly files: readonly FileCheckOfRun[]; readonly checks: readonly Check[] }> {
  const { dir, manifest, resolved, files, sources, lost, doubts } = run
  const scratch = new LeasedFolder(tmpdir(), 'parlor-verify-')
  scratch.make()
  try {
    const folder = join(scratch.path, 'run')
    options.begins?.([...resolved.makers, ...resolved.bettors].map(({ name }) => name))
    const again = await playAgain(dir, folder, manifest, prepared, sources, options)
    const replayed = doubted(sameDigest('rerun', 'the scenario played again', again.digest, manifest), doubts)
    // What is recorded has a part in what is read.
    if (manifest.record === undefined) return { files, checks: [replayed] }
    const unread = unreadCheck(manifest, again)
    const rerun = [replayed, ...(unread === null ? [] : [doubted(unread, doubts)])]
    const compared = await comparedFiles(run, folder)
    const expected = manifestDiffers(dir, expectedManifest(manifest, again))
    return { files: compared, checks: [...rerun, doubted(expected ?? checkOf('manifest', 'same', 'is that of the run played again'), doubts)] }
  } catch (error) {
    const read = lost.find((name) => isOfFile(error, join(prepared.store.path, name)))
    if (read !== undefined) return { files, checks: [checkOf('rerun', 'unproven', `the scenario played again reads ${read}, which is missing or has changed`)] }
    return { files, checks: [doubted(checkOf('rerun', 'differs', `the scenario played again: ${saidBy(error)}`), doubts)] }
  } finally {
    scratch.remove()
  }
}

/** Whether an error, or what brought it about, is of a file. */
const isOfFile = (error: unknown, file: string): boolean =>
  error instanceof Error && ((error instanceof InputError && error.position?.file === file) || isOfFile(error.cause, file))

/** What the run says that it did not read of its history, held against what it did not read when it was played again; null where it is the same. */
function unreadCheck(said: Manifest, again: Manifest): Check | null {
  const [own, found] = [said, again].map(({ unread }) => new Set<unknown>(Array.isArray(unread) ? unread : [])) as [Set<unknown>, Set<unknown>]
  const more = [...own].filter((name) => !found.has(name)).map((name) => `reads ${name}, and the manifest says that it did not`)
  const less = [...found].filter((name) => !own.has(name)).map((name) => `does not read ${name}, and the manifest says that it did`)
  return more.length + less.length === 0 ? null : checkOf('unread', 'differs', `the scenario played again ${[...more, ...less].join('; ')}`)
}

/** What the manifest would say of the run played again, and nothing else. Digests and hashes have checks of their own. */
function expectedManifest(manifest: Manifest, { label, identity, counts, tables, unread }: Manifest): Manifest {
  const named = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, { ...table, sha256: manifest.tables[name]?.sha256 ?? table.sha256 }]))
  const { version, digest, record, history, served, files } = manifest
  return {
    version, label, digest, identity, ...(record === undefined ? {} : { record }), counts, tables: named, ...(history === undefined ? {} : { history }), ...(unread === undefined ? {} : { unread }), ...(served === undefined ? {} : { served }), ...(files === undefined ? {} : { files }),
  }
}

/** The files of a run, held against those of the run played again. */
async function comparedFiles({ dir, files, doubts }: RunToProve, folder: string): Promise<FileCheckOfRun[]> {
  const made = filesIn(folder).filter((file) => file !== SOURCES_NAME)
  const compared: FileCheckOfRun[] = []
  for (const { file, check } of files) compared.push({ file, check: await comparedFile(placeOf(dir, file), made.includes(file) ? join(folder, file) : null, file, check, doubts) })
  const named = new Set(files.map(({ file }) => file))
  const missing = made.filter((file) => !named.has(file)).map((file) => ({ file, check: doubted(checkOf(`file ${file}`, 'differs', 'is not among the files of the run, and is left when it is played again'), doubts) }))
  return [...compared, ...missing]
}

/** `made`: the file of the run played again, null where that leaves none. */
async function comparedFile(path: string, made: string | null, file: string, check: Check, doubts: readonly string[]): Promise<Check> {
  const { name, ok, about } = check
  const reason = BY_HASH_ALONE.get(file)
  if (file === SOURCES_NAME || !existsSync(path)) return check
  if (reason !== undefined) return ok ? checkOf(name, 'same', `${about}: ${reason}`) : check
  if (made === null) return ok ? doubted(checkOf(name, 'differs', 'no such file is left when the run is played again'), doubts) : check
  const difference = await fileDifference(path, made, file)
  if (difference === null) return ok ? checkOf(name, 'same', `${about}, and so when it is played again`) : check
  const said = differenceText(difference)
  return ok ? doubted(checkOf(name, 'differs', said, difference), doubts) : checkOf(name, 'differs', `${said}; ${about}`, difference)
}

async function fileDifference(path: string, made: string, file: string): Promise<Difference | null> {
  const other = bytesDifference(path, made)
  if (other === null) return null
  try {
    if (file.endsWith('.arrow')) return arrowDifference(path, made) ?? other
    if (file.endsWith('.parquet')) return await parquetDifference(path, made) ?? other
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { ...other, more: [`${error.message}`, other.more].filter((part) => part !== '').join('; ') }
  }
  const differ = file.endsWith('.json') ? jsonDifference : textDifference
  return differ(readFileSync(path, 'utf8'), readFileSync(made, 'utf8')) ?? other
}
