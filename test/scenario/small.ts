import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadScenario, type LoadedScenario, type Overrides } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { type PreparedScenario, prepareScenario } from '../../src/scenario/run.ts'

export const QUICKSTART_STORE = fileURLToPath(new URL('../../data/quickstart', import.meta.url))

/** A scenario of a few hundred requests on the repository's own history. */
export const SMALL = `version: 1
name: small
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 10m, max: 200 }
bettors:
  - { kind: noise, n: 100, every: 10m }
  - { kind: informed, n: 20, every: 10m }
makers:
  - { use: fixed-margin, capital: 50000 USDC }
  - { use: shade, capital: 50000 USDC, count: 2 }
`

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'parlor-scenario-'))

export function put(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

export async function prepared(text: string, overrides?: Overrides): Promise<{ loaded: LoadedScenario; prepared: PreparedScenario }> {
  const loaded = loadScenario(put(newFolder(), 'small.yaml', text), overrides)
  return { loaded, prepared: await prepareScenario(loaded) }
}

/** What is wrong with the small scenario when a part of it is another: line, setting and message of each mistake. */
export async function mistakes(from: string | RegExp, to: string): Promise<string[]> {
  try {
    await prepared(SMALL.replace(from, to))
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position, path, message }) => `${position.line} ${path}: ${message}`)
  }
  return []
}
