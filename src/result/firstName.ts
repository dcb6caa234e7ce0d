import { existsSync, linkSync, renameSync } from 'node:fs'
import { codeOf } from './failures.ts'

/** What systems say of hard links on disks that have none, such as exFAT and some network disks. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

/**
 * Gives a file a name, unless another has it. Returns whether it did. On a disk without hard links two processes that do so at one instant may
 * both be first: the file of the later one stays.
 */
export function isFirst(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!NO_LINKS.includes(codeOf(error)!)) throw error
  }
  if (existsSync(path)) return false
  renameSync(own, path)
  return true
}
