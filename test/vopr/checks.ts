import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawsOf } from '../draws.ts'
import { checkInvariants } from './invariants.ts'
import { recompute } from './recomputation.ts'
import { readRun } from './tables.ts'
import { type Finding, playedOtherwise, playedRun } from './world.ts'

/** Findings of one check that are told; what follows has the same reason most of the time. */
const TOLD_MAX = 3

/** Plays the scenario in a file in every way, and tells what is wrong. A scenario that is refused throws InputError. */
export async function examine(path: string, room: string, seed: number): Promise<Finding[]> {
  const out = join(room, 'run')
  const { prepared, digest, findings } = await playedRun(path, out)
  const markets = JSON.parse(readFileSync(join(prepared.store.path, 'markets.json'), 'utf8')) as { ticker: string; number: number; exclusionKeys: string[] }[]
  const numberOf = new Map(markets.map(({ ticker, number }) => [ticker, number]))
  const keysOf = new Map(markets.map(({ ticker, exclusionKeys }) => [ticker, exclusionKeys]))
  const run = readRun(out)
  findings.push(...told('invariants', (tell) => checkInvariants(run, numberOf, keysOf, tell)))
  findings.push(...told('recomputation', (tell) => recompute(run, numberOf, tell)))
  findings.push(...playedOtherwise(prepared, digest, drawsOf(seed)))
  return findings
}

function told(check: string, run: (tell: (about: string) => void) => void): Finding[] {
  const found: Finding[] = []
  run((about) => { if (found.length < TOLD_MAX) found.push({ check, about }) })
  return found
}
