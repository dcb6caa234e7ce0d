import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChainFaults } from '../../../src/chain/mirror/chainFaultPlan.ts'
import { openSvmChain } from '../../../src/chain/svm/svmChain.ts'
import { drawsOf } from '../../draws.ts'
import { walk } from './mirrorWalk.ts'
import { faultsOf, mirrorOf } from './parlayMirror.ts'

/** Random money of the parlay service on the vault's program, with what may go wrong; a difference would be thrown. */
async function mirrored(seed: number, faults: Partial<ChainFaults>, callsPerBundle: number) {
  const chain = await openSvmChain({ seed: String(seed), profitFeeOnTransfer: true, callsPerBundle })
  const sink = mirrorOf(chain, faultsOf(faults, String(seed)))
  walk((batch) => { sink.flush(batch) }, drawsOf(seed), 150, { hasSelfFills: false })
  sink.finish()
  await sink.settled()
  return sink.summary()
}

describe('the vault program under the mirror', () => {
  it('comes to the ledger through every kind of end and every fault', async () => {
    const seen = new Map<string, number>()
    const share = fc.constantFrom(0, 0.2, 0.6)
    const faults = fc.record({
      droppedShare: share, unconfirmedShare: share, unfundedShare: share, sponsorOutageEveryBatches: fc.constantFrom(0, 5),
      reorganisations: fc.constantFrom(null, { everyBatches: 7, depthBatches: 5 }, { everyBatches: 16, depthBatches: 16 }),
    })
    await fc.assert(fc.asyncProperty(fc.integer(), faults, fc.constantFrom(1, 24), async (seed, plan, callsPerBundle) => {
      const { positions, recovery } = await mirrored(seed, plan, callsPerBundle)
      for (const [what, times] of Object.entries({ ...positions, ...recovery })) seen.set(what, (seen.get(what) ?? 0) + times)
    }), { seed: 63, numRuns: 5 })
    // Where batches are undone wallets get their money once.
    for (const [what, times] of seen) expect([what, times > (what === 'unfunded' ? 0 : 3)]).toEqual([what, true])
  })
})
