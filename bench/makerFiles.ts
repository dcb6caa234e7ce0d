import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MakerStrategy } from '../src/agent/maker.ts'
import { importOf } from '../src/scenario/strategies.ts'
import { MAKERS } from './workload.ts'

/** How the makers of the workload are made: of one function; or of a file each, in rooms, or in none (`--trusted`). */
export const MAKER_KINDS = ['function', 'rooms', 'trusted'] as const
export type MakerKind = (typeof MAKER_KINDS)[number]

const TEXT = join(import.meta.dirname, 'makers', 'pricer.ts')

/**
 * A strategy for each maker of the workload, from a file of its own in `dir`. The files have one text, so that the session is that of the
 * one function, and V8 compiles each apart: what calls them cannot rely on calling one function. Undefined: the one function.
 */
export async function makersOf(kind: MakerKind, dir: string): Promise<readonly MakerStrategy[] | undefined> {
  if (kind === 'function') return undefined
  const load = importOf(kind === 'trusted')
  return Promise.all(Array.from({ length: MAKERS }, async (_, i) => {
    const path = join(dir, `pricer${i}.ts`)
    copyFileSync(TEXT, path)
    return await load(path, 'maker') as MakerStrategy
  }))
}
