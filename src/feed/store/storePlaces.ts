import { existsSync, readdirSync } from 'node:fs'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFree } from '../../result/generation.ts'
import { InputError } from '../../unit/inputError.ts'
import { STORE_FILE } from './storeHead.ts'

/** The folders in which stores are looked up by name: `store/` of the working folder, then `data/` of the repository. */
export const storeRoots = (): readonly string[] => [resolve('store'), fileURLToPath(new URL('../../../data', import.meta.url))]

/** Paths of the complete stores under the roots, by root and then by name. */
export function listStores(roots: readonly string[] = storeRoots()): string[] {
  return roots.flatMap((root) => {
    if (!existsSync(root)) return []
    return readdirSync(root).sort().map((name) => join(root, name)).filter((path) => existsSync(join(path, STORE_FILE)))
  })
}

const isPath = (name: string): boolean => isAbsolute(name) || /[\\/]/.test(name) || name.startsWith('.')

/**
 * The folder of a store that is given by name or as a path (a text with a slash or a leading dot, relative to `base`,
 * which is the working folder by default). Throws InputError with the known stores when there is none.
 */
export function resolveStore(name: string, options: { readonly base?: string; readonly roots?: readonly string[] } = {}): string {
  const roots = options.roots ?? storeRoots()
  const candidates = isPath(name) ? [resolve(options.base ?? '.', name)] : roots.map((root) => join(root, name))
  // A folder in which a store is only about to be is none.
  const found = candidates.find((path) => !isFree(path))
  if (found !== undefined) return found
  const known = listStores(roots).map((path) => basename(path))
  throw new InputError(`no store ${isPath(name) ? 'at' : 'named'} ${name}`, {
    hint: known.length === 0
      ? 'there are no stores yet: `parlor import FORMAT FILE… --into NAME` makes one'
      : `known stores: ${[...new Set(known)].join(', ')}`,
  })
}

/** Where an import writes a store that is given by name or as a path, which is relative to `base`, the working folder by default. */
export const newStorePath = (name: string, base = '.'): string => (isPath(name) ? resolve(base, name) : join(storeRoots()[0]!, name))

