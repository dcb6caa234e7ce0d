import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Generation, isFree } from '../result/generation.ts'
import { readHead } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import { remark } from './common.ts'

/** What a command leaves in a folder, besides runs. */
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
export async function beginResult(out: string, kind: ResultKind, signal: AbortSignal): Promise<Generation> {
  const generation = await Generation.begin(out, { isPatient: true, say: remark, signal })
  try {
    checkResultFolder(out, kind)
    return generation
  } catch (error) {
    generation.discard()
    throw error
  }
}

export function commitResult(generation: Generation, kind: ResultKind): void {
  generation.commit({ version: MANIFEST_VERSION, kind }, { replaced: [`${kind}.json`, `${kind}.arrow`, 'report.html'] })
}
