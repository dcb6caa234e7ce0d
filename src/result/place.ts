import { existsSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { newToken } from './lease.ts'
import { allowedToRead, bytesOf, codeOf } from './failures.ts'
import { makeFolders, removeIfEmpty, syncFolder } from './folders.ts'
import { isWithin, MANIFEST_NAME, type NamedFiles, readHead } from './head.ts'

/** A folder of files that are complete, followed by the SHA-256 of their manifest. */
export const GENERATION = '.generation-'
/** A folder of files that grow, followed by a random token. */
export const PARTIAL = '.partial-'
const LITTER = '.litter-'
/** What is called a little different is somebody else's. */
const OWN_NAME = /^\.(?:partial-[0-9a-f]{16}|generation-[0-9a-f]{64}(?:\.[0-9a-f]{16})?|litter-[0-9a-f]{16})$/
/** In the folder of a generation: a JSON list of the files that the manifest before it named. */
export const REPLACED_NAME = '.replaced'

/**
 * Puts the files of a committed result in place, where the process that committed it did not get so far, and clears away what they
 * replace. Anybody may call this at any time: each step moves a file out of or into the folder of the generation, which bears the hash of
 * the manifest. Without the right to write, what lies there stays.
 */
export function settle(dir: string, name = MANIFEST_NAME): void {
  const head = readHead(dir, name)
  if (head === null || head.files === null) return
  for (const folder of namesIn(dir, `${GENERATION}${head.hash}`)) putInPlace(dir, join(dir, folder), head.files)
}

/**
 * Where a file of a result lies: in its place, or still in the folder of the generation, where nobody who came by since the commit had the
 * right to move it.
 */
export function placeOf(dir: string, file: string, manifest = MANIFEST_NAME): string {
  return waitingIn(dir, manifest).map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? join(dir, file)
}

/** The folders in which files of the committed result wait to be put in place. */
export function waitingIn(dir: string, manifest = MANIFEST_NAME): string[] {
  const folders = existsSync(dir) ? namesIn(dir, GENERATION) : []
  const hash = folders.length === 0 ? undefined : readHead(dir, manifest)?.hash
  return hash === undefined ? [] : folders.filter((name) => name.startsWith(`${GENERATION}${hash}`)).map((name) => join(dir, name))
}

function putInPlace(dir: string, folder: string, files: NamedFiles): void {
  const touched = new Set([dir])
  const move = (from: string, to: string): void => {
    try {
      renameSync(from, to)
    } catch (error) {
      // Another process was quicker.
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  const left = Object.keys(files).filter((name) => existsSync(join(folder, name)))
  // A new folder is on the disk before anything moves into it.
  for (const name of left) {
    refuseLinks(dir, join(basename(folder), name))
    refuseLinks(dir, name)
    makeFolders(dirname(join(dir, name)))
  }
  for (const name of left) {
    move(join(folder, name), join(dir, name))
    touched.add(dirname(join(dir, name)))
  }
  const replaced = replacedBy(folder).filter((name) => !Object.hasOwn(files, name) && isWithin(name) && existsSync(join(dir, name)))
  for (const [i, name] of replaced.entries()) {
    refuseLinks(dir, name)
    move(join(dir, name), join(folder, `.replaced-${i}`))
    touched.add(dirname(join(dir, name)))
  }
  // The moves are on the disk before what they came from goes.
  for (const path of touched) if (existsSync(path)) syncFolder(path)
  for (const path of touched) if (path !== dir) removeIfEmpty(path)
  removeFolder(dir, folder)
}

/** A folder from a stranger may have links in it that lead elsewhere. Nothing is moved through them. */
export function refuseLinks(dir: string, name: string): void {
  let folder = dirname(join(dir, name))
  while (!existsSync(folder)) folder = dirname(folder)
  if (!isWithin(relative(realpathSync(dir), realpathSync(folder)))) throw new InputError('leads out of the folder of its result', { position: { file: folder } })
}

function replacedBy(folder: string): string[] {
  try {
    const names: unknown = JSON.parse(bytesOf(join(folder, REPLACED_NAME)).toString('utf8'))
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return []
    throw error
  }
}

/**
 * Clears away what other processes left in a folder, or are about to leave. Only for the holder of its lease. A process that sleeps loses
 * its folder here, and with it every later change that it could make.
 */
export function takeOver(dir: string, name = MANIFEST_NAME): void {
  const token = newToken()
  for (const [prefix, isComplete] of [[PARTIAL, false], [GENERATION, true]] as const) {
    for (const folder of namesIn(dir, prefix)) {
      // A complete generation keeps its hash: it may just have been committed.
      if (isComplete) rename(join(dir, folder), join(dir, `${folder.slice(0, GENERATION.length + 64)}.${token}`))
      else removeFolder(dir, join(dir, folder))
    }
  }
  settle(dir, name)
  for (const prefix of [GENERATION, LITTER]) for (const folder of namesIn(dir, prefix)) removeFolder(dir, join(dir, folder))
}

/** What a system says of a folder in which somebody has a file open: Windows, and network disks that keep it under another name until then. */
const IN_USE = ['EBUSY', 'ENOTEMPTY', 'EPERM']

/**
 * Removes a folder: its own name goes first, at once, so that nobody can use what is left of it. What the system keeps of it because it is in
 * use is left to the next writer (`takeOver`).
 */
export function removeFolder(dir: string, folder: string): void {
  const litter = join(dir, `${LITTER}${newToken()}`)
  if (!rename(folder, litter)) return
  try {
    rmSync(litter, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if (!IN_USE.includes(codeOf(error)!)) throw error
  }
}

/** False when it is not there any more. */
function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Folders of ours in a result's folder whose names begin in a certain way. */
export const namesIn = (dir: string, prefix: string): string[] => allowedToRead(dir, () => readdirSync(dir)).filter((name) => name.startsWith(prefix) && isOwnName(name))

/** Whether only the writers of results give a folder such a name. */
export const isOwnName = (name: string): boolean => OWN_NAME.test(name)
