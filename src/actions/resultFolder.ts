import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Generation, isFree } from '../result/generation.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import type { LeaseWait } from '../result/lease.ts'
import { readHead } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import { PAGE_NAME } from '../unit/pageName.ts'

/** What an action leaves in a folder, besides runs. */
export type ResultKind = 'sweep' | 'league' | 'validation'

const MANIFEST_VERSION = 1

/** A result replaces one of its kind, and nothing else. Throws InputError. */
export function checkResultFolder(out: string, kind: ResultKind): void {
  if (isFree(out) || readHead(out)?.fields['kind'] === kind) return
  // A result of an older version has no manifest.
  if (readHead(out) === null && existsSync(join(out, `${kind}.json`))) return
  throw new InputError(`there is something here that is no ${kind}`, { position: { file: out }, hint: 'choose another folder' })
}

/** Begins a result. Waits while another process writes it: both are about to leave the same, or the last one counts. */
export async function beginResult(out: string, kind: ResultKind, { signal, say }: LeaseWait): Promise<Generation> {
  const generation = await Generation.begin(out, { isPatient: true, ...(say && { say }), ...(signal && { signal }) })
  try {
    checkResultFolder(out, kind)
    return generation
  } catch (error) {
    generation.discard()
    throw error
  }
}

export function commitResult(generation: Generation, kind: ResultKind): void {
  generation.commit({ version: MANIFEST_VERSION, kind }, { replaced: [`${kind}.json`, `${kind}.arrow`, PAGE_NAME] })
}

/** Where a result is made: in the folder that it is for, or, where it is for none, in one that is removed. */
export interface ResultPlace {
  /** The folder for its files. */
  readonly folder: string
  /** The result is complete. */
  commit(): void
  /** Discards, after an error. Returns what to throw. */
  giveUp(error: unknown): unknown
}

export async function beginOrScratch(out: string | undefined, kind: ResultKind, waiting: LeaseWait): Promise<ResultPlace> {
  if (out !== undefined) {
    const generation = await beginResult(out, kind, waiting)
    return { folder: generation.folder, commit: () => { commitResult(generation, kind) }, giveUp: (error) => generation.giveUp(error) }
  }
  const scratch = new LeasedFolder(tmpdir(), `parlor-${kind}-`)
  scratch.make()
  return {
    folder: scratch.path, commit: () => { scratch.remove() },
    giveUp: (error) => {
      scratch.remove()
      return error
    },
  }
}
