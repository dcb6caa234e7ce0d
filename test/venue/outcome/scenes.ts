import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { type Driver, table, unix, usd } from './driver.ts'

/** RFQ 1 of participant 10: 25 USDC, net stake 24.95. */
export function asked(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = table(overrides)
  d.create(10)
  return d
}

/** Besides, quote 1 of maker 20 for 100 USDC, at risk 75.05, until 30 s. */
export function quoted(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = asked(overrides)
  d.quote(20, 1, usd(100), { expiryS: unix(30) })
  return d
}

/** Acceptance 1 of that quote waits for maker 20 until 2 s. */
export function accepted(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = quoted(overrides)
  d.accept(10, 1)
  return d
}

/** RFQ 2 sells position 1 of participant 10, which maker 20 backs and that pays 100 USDC; it opened at 2 s. */
export function selling(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = table(overrides)
  d.cashout(10, d.open(10, 20, usd(100)))
  return d
}

/** Besides, quote 2 of maker 21: 30 USDC for the position, until 32 s. */
export function offered(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = selling(overrides)
  d.quote(21, 2, usd(30))
  return d
}
