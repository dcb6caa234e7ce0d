import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { summariseRun } from '../../src/score/summary.ts'
import { drawsOf } from '../draws.ts'
import { checkChains } from './chains.ts'
import { checkDelays } from './delays.ts'
import { checkFigures } from './figures.ts'
import { checkInvariants } from './invariants.ts'
import { recompute } from './recomputation.ts'
import { checkSweeps } from './sweeps.ts'
import { readRun } from './tables.ts'
import { type Finding, playedOtherwise, playedRun } from './world.ts'

/** Findings of one check that are told; what follows has the same reason most of the time. */
const TOLD_MAX = 3

/** Checks that cost more than all others together. */
export interface Costly {
  readonly sweeps: boolean
  readonly chains: boolean
}

/** Plays the scenario in a file in every way, and tells what is wrong. A scenario that is refused throws InputError. */
export async function examine(path: string, room: string, seed: number, { sweeps, chains }: Costly = { sweeps: false, chains: false }): Promise<Finding[]> {
  const out = join(room, 'run')
  const { loaded, prepared, digest, findings } = await playedRun(path, out)
  const markets = JSON.parse(readFileSync(join(prepared.store.path, 'markets.json'), 'utf8')) as { ticker: string; number: number; exclusionKeys: string[] }[]
  const numberOf = new Map(markets.map(({ ticker, number }) => [ticker, number]))
  const keysOf = new Map(markets.map(({ ticker, exclusionKeys }) => [ticker, exclusionKeys]))
  const run = readRun(out)
  findings.push(...told('invariants', (tell) => checkInvariants(run, numberOf, keysOf, tell)))
  findings.push(...told('recomputation', (tell) => recompute(run, numberOf, tell)))
  const summary = await summariseRun(out)
  findings.push(...told('figures', (tell) => checkFigures(run, (service) => ('services' in summary ? summary.services[service]! : summary), tell)))
  findings.push(...told('delays', (tell) => checkDelays(prepared, run, tell)))
  // What follows repeats what is wrong already, more slowly.
  if (findings.length > 0) return findings
  findings.push(...playedOtherwise(prepared, digest, drawsOf(seed)))
  if (sweeps) findings.push(...(await checkSweeps(path, room)))
  if (chains) findings.push(...(await checkChains(loaded, prepared, digest, room)))
  return findings
}

function told(check: string, run: (tell: (about: string) => void) => void): Finding[] {
  const found: Finding[] = []
  run((about) => { if (found.length < TOLD_MAX) found.push({ check, about }) })
  return found
}
