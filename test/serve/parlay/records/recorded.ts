import { ParlayRecords, type Told } from '../../../../src/serve/parlay/records/records.ts'
import type { ParlayProfile } from '../../../../src/venue/parlay/protocol/profile.ts'
import { Driver, type Row, usd } from '../../../venue/parlay/driver.ts'

/** A venue on a bench whose rows are taken into records. */
export class Recorded extends Driver {
  readonly records: ParlayRecords

  constructor(kept: readonly number[], overrides: Partial<ParlayProfile> = {}, told: Told | null = null) {
    super(overrides)
    this.records = new ParlayRecords(new Set(kept), this.profile, told)
  }

  protected override run(what: () => void): Row[] {
    return super.run(() => {
      what()
      this.records.takeAll(this.events)
    })
  }
}

/** Bettor 10 and makers 20, 21, 22 with 1,000 USDC each, and markets 1…6. Accounts 10, 20 and 21 are kept. */
export function recordedTable(overrides: Partial<ParlayProfile> = {}, told: Told | null = null): Recorded {
  const d = new Recorded([10, 20, 21], overrides, told).listMarkets(6) as Recorded
  for (const account of [10, 20, 21, 22]) d.deposit(account, usd(1000))
  return d
}
