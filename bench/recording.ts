import { Reference } from '../src/engine/reference.ts'
import type { SessionConfig } from '../src/engine/config.ts'
import { Recorder, type RecorderOptions } from '../src/record/recorder.ts'
import { ParlayOp } from '../src/venue/parlay/protocol/commands.ts'

/** A recorder of all tables of a session of the workload, in the folder, with what `parlor run` records by default. */
export function recorderOf(config: SessionConfig, dir: string, more: Partial<RecorderOptions> = {}): Recorder {
  const { cohorts, makers } = config.parlay ?? config.outcome!
  const accounts = [
    ...cohorts.flatMap(({ name, bettors }) => Array.from({ length: bettors }, () => ({ name, role: 'bettor' as const, group: name }))),
    ...makers.map(({ name }) => ({ name, role: 'maker' as const, group: name })),
  ]
  const markets = Array.from({ length: config.marketCount }, (_, i) => ({ ticker: `B${i}`, cluster: `C${i % 100}` }))
  return new Recorder({ dir, directory: { accounts, markets }, ...servicesOf(config), identity: {}, reference: referenceOf(config), ...more })
}

function servicesOf({ parlay, outcome }: SessionConfig): Pick<RecorderOptions, 'parlay' | 'outcome'> {
  if (outcome === undefined) return { parlay: { legsMax: parlay!.profile.legsMax } }
  const { legsMax, feeOnCashout, profitOverGross } = outcome.profile
  return { outcome: { legsMax, feeOnCashout: feeOnCashout === 1, profitOverGross: profitOverGross === 1 } }
}

/** What quotes are scored against: the undelayed prices, and the results that the operator will bring. */
function referenceOf({ ticks, marketCount, operator }: SessionConfig): Reference {
  const value = new Float64Array(marketCount).fill(NaN)
  const atUs = new Float64Array(marketCount).fill(Infinity)
  for (const input of operator) {
    if (input.op !== ParlayOp.resolveMarket) continue
    value[input.market] = input.value!
    atUs[input.market] = input.atUs
  }
  return new Reference(ticks, marketCount, { value, atUs })
}
