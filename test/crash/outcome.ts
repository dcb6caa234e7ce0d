import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { checkFiles } from '../../src/result/check.ts'
import { DamagedResult } from '../../src/result/failures.ts'
import { Generation, LEASE_NAME } from '../../src/result/generation.ts'
import { MANIFEST_NAME, readHead } from '../../src/result/head.ts'
import { settle } from '../../src/result/place.ts'

/** What a reader finds in a result's folder: the hash of a whole result's manifest, null where there is no result. Throws DamagedResult. */
export function resultIn(dir: string, manifest = MANIFEST_NAME): string | null {
  settle(dir, manifest)
  const head = existsSync(dir) ? readHead(dir, manifest) : null
  checkFiles(dir, head)
  return head?.hash ?? null
}

/** The same for who may come by next as well: a writer, which then gives up. */
export function afterNextWriter(dir: string, manifest = MANIFEST_NAME): string | null {
  forgetLeases(dir)
  Generation.beginIfFree(dir, { manifest })?.discard()
  return resultIn(dir, manifest)
}

/** Everything in a folder, with its bytes; a folder is null. */
export function contentsOf(dir: string): Map<string, string | null> {
  if (!existsSync(dir)) return new Map()
  return new Map(readdirSync(dir, { recursive: true }).map(String).toSorted().map((name) => {
    const path = join(dir, name)
    return [name, statSync(path).isDirectory() ? null : readFileSync(path, 'latin1')]
  }))
}

/** Makes the leases and the unfinished files below a folder stale: by the clock of the disk, two hours have gone by. */
export function forgetLeases(dir: string): void {
  if (!existsSync(dir)) return
  const longAgo = Date.now() / 1000 - 7200
  for (const name of readdirSync(dir, { recursive: true }).map(String)) {
    // A folder whose lease is gone has its own age.
    if (name.endsWith(LEASE_NAME) || name.endsWith('/lease') || /\/\.playing-\w+$/.test(name) || /\.[\da-f]{16}\.tmp$/.test(name)) utimesSync(join(dir, name), longAgo, longAgo)
  }
}

/** Whole results with all that is in their folders, by the hash of their manifest; null: no result. */
export type Results = ReadonlyMap<string | null, ReadonlyMap<string, string | null>>

/** What is wrong with a folder after a crash, null when nothing is. `whole`: the results that it may have. */
export function faultOf(dir: string, whole: Results, manifest = MANIFEST_NAME): string | null {
  try {
    const read = resultIn(dir, manifest)
    if (!whole.has(read)) return `a reader finds ${read === null ? 'nothing' : 'another result'}`
    const next = afterNextWriter(dir, manifest)
    if (next !== read) return 'the next writer changes the result'
    const [left, expected] = [contentsOf(dir), whole.get(next)!]
    const more = [...left.keys()].filter((name) => !expected.has(name))
    const fewer = [...expected.keys()].filter((name) => left.get(name) !== expected.get(name))
    return more.length + fewer.length === 0 ? null : `left: ${more.join(', ') || 'nothing'}; missing or changed: ${fewer.join(', ') || 'nothing'}`
  } catch (error) {
    if (error instanceof DamagedResult) return error.message
    throw error
  }
}
