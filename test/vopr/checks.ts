import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { summariseRun } from '../../src/score/summary.ts'
import { drawsOf } from '../draws.ts'
import { checkChains } from './chains.ts'
import { checkDelays, noteSights, type Sight } from './delays.ts'
import { DELIVERIES, type ListedMarket, watchDesks } from './desks.ts'
import { checkFigures } from './figures.ts'
import { checkInvariants } from './invariants.ts'
import { checkKills } from './kills.ts'
import { recompute } from './recomputation.ts'
import { checkImport } from './recordings.ts'
import { checkSweeps } from './sweeps.ts'
import { readRun } from './tables.ts'
import { type Watch, witness } from './witness.ts'
import { type Finding, playedElsewhere, playedOtherwise, playedRun } from './world.ts'
import { openStore } from '../../src/feed/store/openStore.ts'

/** Findings of one check that are told; what follows has the same reason most of the time. */
const TOLD_MAX = 3

/** Strategies play in rooms, as users' do, but for one world in so many. In one world in so many they play both ways. */
const TRUSTED_EVERY = 4
const ELSEWHERE_EVERY = 2

/** Checks that cost more than all others together. */
export interface Costly {
  readonly sweeps: boolean
  readonly chains: boolean
  readonly kills: boolean
}

export const NOTHING_COSTLY: Costly = { sweeps: false, chains: false, kills: false }

/** Plays the scenario in a file in every way, and tells what is wrong. A scenario that is refused throws InputError. */
export async function examine(path: string, room: string, seed: number, { sweeps, chains, kills }: Costly = NOTHING_COSTLY): Promise<Finding[]> {
  const out = join(room, 'run')
  const isTrusted = seed % TRUSTED_EVERY === 0
  const { loaded, prepared, digest, findings } = await playedRun(path, out, isTrusted)
  const listed = JSON.parse(readFileSync(join(prepared.store.path, 'markets', '0.json'), 'utf8')) as (Omit<ListedMarket, 'number'> & { exclusionKeys: string[] })[]
  const markets = listed.map((market, number): ListedMarket & { exclusionKeys: string[] } => ({ number, ...market } as never))
  const numberOf = new Map(markets.map(({ ticker, number }) => [ticker, number]))
  const keysOf = new Map(markets.map(({ ticker, exclusionKeys }) => [ticker, exclusionKeys]))
  const run = readRun(out)
  for (const folder of loaded.file.history.import?.files ?? []) findings.push(...told('import', (tell) => checkImport(join(loaded.folder, folder), openStore(prepared.store.path), tell)))
  findings.push(...told('invariants', (tell) => checkInvariants(run, numberOf, keysOf, tell)))
  findings.push(...told('recomputation', (tell) => recompute(run, numberOf, tell)))
  const summary = await summariseRun(out)
  findings.push(...told('figures', (tell) => checkFigures(run, (service) => ('services' in summary ? summary.services[service]! : summary), tell)))
  findings.push(...told('desks', (tell) => {
    const [sights, watch]: [Sight[], Watch] = [[], watchDesks(prepared, run, markets, tell)]
    const note = noteSights(sights)
    witness(prepared, (...call) => {
      note(...call)
      watch(...call)
    }, DELIVERIES)
    findings.push(...told('delays', (tellOfDelays) => checkDelays(prepared, sights, run, tellOfDelays)))
  }))
  // What follows repeats what is wrong already, more slowly.
  if (findings.length > 0) return findings
  findings.push(...playedOtherwise(prepared, digest, drawsOf(seed)))
  if (seed % ELSEWHERE_EVERY === 0) findings.push(...(await playedElsewhere(path, digest, isTrusted)))
  if (sweeps) findings.push(...(await checkSweeps(path, room)))
  if (kills) findings.push(...(await checkKills(path, digest, room, drawsOf(seed))))
  if (chains) findings.push(...(await checkChains(loaded, prepared, digest, room)))
  return findings
}

function told(check: string, run: (tell: (about: string) => void) => void): Finding[] {
  const found: Finding[] = []
  run((about) => { if (found.length < TOLD_MAX) found.push({ check, about }) })
  return found
}
