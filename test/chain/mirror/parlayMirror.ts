import { ChainFaultPlan, type ChainFaults } from '../../../src/chain/mirror/chainFaultPlan.ts'
import { MirrorSink } from '../../../src/chain/mirror/mirrorSink.ts'
import { ParlayReader } from '../../../src/chain/mirror/parlayReader.ts'
import type { SettlementChain } from '../../../src/chain/settlementChain.ts'
import { Draws, rootKey } from '../../../src/kernel/random.ts'
import type { Batch } from '../../../src/record/sink.ts'
import { ParlayJournal } from '../../../src/venue/parlay/protocol/journal.ts'
import { PARLAY_SETTINGS, type ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { Driver, type Row, usd } from '../../venue/parlay/driver.ts'

const NO_CHAIN_FAULTS: ChainFaults = {
  droppedShare: 0, unconfirmedShare: 0, reorganisations: null, sponsorOutageEveryBatches: 0, unfundedShare: 0,
}

/** In force when a bench begins. */
export const RATES = profileOf(PARLAY_SETTINGS)

/** A plan with some faults, by the seed. */
export function faultsOf(faults: Partial<ChainFaults>, seed = 'a'): ChainFaultPlan {
  const draws = new Draws(rootKey(seed), 1)
  return new ChainFaultPlan({ ...NO_CHAIN_FAULTS, ...faults }, (entity, index) => draws.uniform(entity, index))
}

export const mirrorOf = (chain: SettlementChain, faults: ChainFaultPlan | null = null): MirrorSink =>
  new MirrorSink({ service: 'parlay', reader: new ParlayReader(RATES), chain, faults })

/** Takes a batch as a sink does. */
export type Take = (batch: Batch) => void

/** A parlay venue on a bench that hands its rows over after each command. */
export class FlushedDriver extends Driver {
  private readonly journal = new ParlayJournal(0, 1)
  private readonly take: Take

  constructor(take: Take, overrides: Partial<ParlayProfile> = {}) {
    super(overrides)
    this.take = take
  }

  protected override run(what: () => void): Row[] {
    return super.run(() => {
      what()
      this.take({ parlay: { events: this.events, postings: this.postings, journal: this.journal }, outcome: null })
    })
  }
}

/** Bettors 10 and 11, makers 20, 21 and 22 with 1,000 USDC each, and markets 1…`markets`. */
export function mirroredTable(take: Take, overrides: Partial<ParlayProfile> = {}, markets = 12): FlushedDriver {
  const d = new FlushedDriver(take, overrides)
  d.listMarkets(markets)
  for (const account of [10, 11, 20, 21, 22]) d.deposit(account, usd(1000))
  return d
}
