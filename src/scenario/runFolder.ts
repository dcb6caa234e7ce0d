import { existsSync, readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readHead } from '../result/head.ts'
import { Generation, isFree, tidyBeside } from '../result/generation.ts'
import type { LeaseWait } from '../result/lease.ts'
import { InputError } from '../unit/inputError.ts'
import { PAGE_NAME } from '../unit/pageName.ts'

/** Where a run's folder is to stand. */
export interface RunTarget {
  readonly path: string
  /** A complete run of that name is replaced. */
  readonly force: boolean
  /** A run that is not replaced keeps its name: the new one gets a number, `NAME-2`, `NAME-3`, … Else it is a mistake. */
  readonly numbered: boolean
}

/** Files that a run may have whose manifest does not name all of its files: one of an older version. */
const UNNAMED_FILES = ['summary.json', PAGE_NAME, 'settlement.json', 'sources.json']

/** Begins a run in its folder. Throws InputError where the name is taken. */
export async function beginRun({ path, force, numbered }: RunTarget, waiting: LeaseWait = {}): Promise<Generation> {
  const first = resolve(path)
  tidyBeside(dirname(first))
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? first : `${first}-${number}`
    if (!numbered || force) {
      checkReplaceable(candidate, force)
      const generation = await Generation.begin(candidate, waiting)
      try {
        checkReplaceable(candidate, force)
        return generation
      } catch (error) {
        generation.discard()
        throw error
      }
    }
    if (!isFree(candidate)) continue
    const generation = Generation.beginIfFree(candidate, waiting)
    if (generation !== null && isFree(candidate)) return generation
    generation?.discard()
  }
}

/** Files of the run in a folder that its manifest may not name. */
export function unnamedFiles(dir: string): string[] {
  const tables = existsSync(`${dir}/tables`) ? readdirSync(`${dir}/tables`).map((name) => `tables/${name}`) : []
  return [...tables, ...UNNAMED_FILES]
}

function checkReplaceable(path: string, force: boolean): void {
  if (isFree(path)) return
  const head = readHead(path)
  const isRun = head !== null && head.fields['kind'] === undefined
  if (isRun && force) return
  const position = { file: path }
  if (isRun) throw new InputError('there is a run here already', { position, hint: '--force replaces it' })
  throw new InputError('there is something here that is no run', { position, hint: 'choose another folder' })
}
