// Where the bundle of the present sources lies, in a checkout. This is plain JavaScript, because the caller plays sessions, which Node's own
// stripping of types would slow down (docs/decisions/0014). Every start of the command line waits for this file, and an unchanged start loads no
// more than it needs.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Where tools keep what they can make again. `npm ci` removes it. */
export const CACHE = join(ROOT, 'node_modules', '.cache', 'parlor')
const BUNDLES = join(CACHE, 'bundles')
const BUNDLER = join(ROOT, 'tools', 'bundle', 'bundle.ts')

/** What npm says about the packages that it has installed there. */
const INSTALLED = [join(ROOT, 'node_modules', '.package-lock.json')]

const HOUR_MS = 3_600_000
/** The number of bundles that stay, from the one that was started last. Older ones stay while a process may still run from them. */
const KEPT_MAX = 20
const IN_USE_MS = 24 * HOUR_MS
/** Compiled code that is older than this is thrown away when a bundle is made. It includes code of other bundles. */
const COMPILED_MS = 7 * 24 * HOUR_MS
/** A file that was written this recently could be written again without a change of its time. */
const CLOCK_MS = 1000

/**
 * The folder of the bundle of the command line, or of a script. The bundle is made when there is none, unless `mayMake` is false. Null when
 * there is none, or none can be made, which is said on stderr: then the sources run, more slowly.
 */
export async function bundleFolder(script, mayMake = true) {
  try {
    return await found(script, mayMake)
  } catch (error) {
    process.stderr.write(`parlor runs from its sources, slower: no bundle could be made: ${error.message}\n`)
    return null
  }
}

/** Bundles are named by their sources. For the last one the times of its files are kept too, because they show faster that nothing changed. */
async function found(script, mayMake) {
  const nowMs = Date.now()
  const files = filesOf(script)
  const times = files.map(({ path, stat: { size, ino, mtimeMs, ctimeMs } }) => `${path} ${size} ${ino} ${mtimeMs} ${ctimeMs}`).join('\n')
  const last = join(CACHE, 'last', `${script ?? ROOT}`.replaceAll(/[^\w.]+/g, '-'))
  const kept = keptIn(last)
  if (kept.times === times && existsSync(kept.folder)) {
    markStarted(kept.folder)
    return kept.folder
  }
  const folder = join(BUNDLES, await keyOf(files, script))
  if (!existsSync(folder)) {
    if (!mayMake) return null
    await make(folder, script)
  }
  if (files.every(({ stat: { ctimeMs } }) => ctimeMs < nowMs - CLOCK_MS)) keep(last, `${folder}\n${times}`)
  return folder
}

/** All files from which a bundle may be made. */
function filesOf(script) {
  const folders = [join(ROOT, 'src'), join(ROOT, 'tools', 'bundle')]
  // A script may use files beside it, and files that benches and tests share.
  if (script !== undefined) folders.push(join(ROOT, 'bench'), join(ROOT, 'test'), dirname(script))
  const files = folders.flatMap(filesIn)
  // Packages go into the bundle as `npm ci` has installed them.
  return [...files, fileAt(join(ROOT, 'package.json')), ...INSTALLED.filter(existsSync).map(fileAt)]
}

const fileAt = (path) => ({ path, stat: statSync(path) })

const filesIn = (folder) => readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => {
  const path = `${folder}${sep}${entry.name}`
  if (entry.isDirectory()) return filesIn(path)
  return /\.(?:m?ts|json)$/.test(entry.name) ? [fileAt(path)] : []
})

/** Modules of a bundle contain their places, so that one checkout cannot use the bundle of another. */
async function keyOf(files, script) {
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256').update(`${ROOT}\n${script ?? ''}\n`)
  for (const { path } of files) {
    const bytes = readFileSync(path)
    hash.update(`${path}\n${bytes.byteLength}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Makes a bundle, whole or not at all, in another process, because the bundler leaves things in memory. Throws the bundler's words. */
async function make(folder, script) {
  const { spawnSync } = await import('node:child_process')
  const partial = `${folder}.${ownName()}.partial`
  mkdirSync(BUNDLES, { recursive: true })
  try {
    const args = [BUNDLER, partial, ...(script === undefined ? [] : [script])]
    const env = { ...process.env, NODE_COMPILE_CACHE: CACHE }
    const { status, stderr, error } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], env })
    if (status !== 0) throw error ?? new Error(stderr.trim())
    // Else Node would read each file as CommonJS first, which is no module of node_modules.
    writeFileSync(join(partial, 'package.json'), '{ "type": "module" }\n')
    // Another process may have been quicker.
    if (!existsSync(folder)) renameSync(partial, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  try {
    removeOld()
  } catch {
    // Another process removes them too.
  }
}

/** A process id is not enough of a name: containers that share a folder have the same ones. */
const ownName = () => `${process.pid}-${performance.timeOrigin}`

function keptIn(last) {
  try {
    const text = readFileSync(last, 'utf8')
    const end = text.indexOf('\n')
    return { folder: text.slice(0, end), times: text.slice(end + 1) }
  } catch {
    return {}
  }
}

function keep(last, text) {
  const partial = `${last}.${ownName()}.partial`
  try {
    mkdirSync(dirname(last), { recursive: true })
    writeFileSync(partial, text)
    renameSync(partial, last)
  } catch {
    // The next start reads the sources again.
  }
}

function markStarted(folder) {
  try {
    const now = new Date()
    if (now - statSync(folder).mtime > HOUR_MS) utimesSync(folder, now, now)
  } catch {
    // Where nothing can be written, nothing is removed either.
  }
}

function removeOld() {
  const now = Date.now()
  const ageMs = (path) => now - statSync(path).mtimeMs
  const bundles = readdirSync(BUNDLES).map((name) => join(BUNDLES, name)).sort((a, b) => ageMs(a) - ageMs(b))
  for (const path of bundles.slice(KEPT_MAX)) if (ageMs(path) > IN_USE_MS) rmSync(path, { recursive: true, force: true })
  for (const entry of readdirSync(CACHE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !path.startsWith(BUNDLES + sep) && ageMs(path) > COMPILED_MS) rmSync(path, { force: true })
  }
}
