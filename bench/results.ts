import { readFileSync } from 'node:fs'
import { writeWholeJson } from '../src/arrow/wholeFile.ts'
import { InputError } from '../src/unit/inputError.ts'
import type { Figure } from './figures.ts'
import type { Machine } from './machine.ts'
import type { Shares } from './shares.ts'

const FORMAT = 'parlor-bench'

/** What one run of the bench leaves. */
export interface Results {
  readonly machine: Machine
  readonly requests: number
  readonly rounds: number
  readonly isQuick: boolean
  /** What could not be measured, and why. */
  readonly leftOut: readonly string[]
  readonly shares: readonly (Shares & { readonly name: string })[]
  readonly figures: readonly Figure[]
}

export const writeResults = (path: string, results: Results): void => writeWholeJson(path, { format: FORMAT, ...results })

/** Throws InputError where there is none, or something else. */
export function readResults(path: string): Results {
  let results: Results & { readonly format: string }
  try {
    results = JSON.parse(readFileSync(path, 'utf8')) as typeof results
  } catch (cause) {
    throw new InputError('no results of a bench', { position: { file: path }, hint: 'npm run bench -- --json FILE writes them', cause })
  }
  if (results.format !== FORMAT) throw new InputError('no results of a bench', { position: { file: path } })
  return results
}
