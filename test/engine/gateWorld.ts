import type { GateConfig } from '../../src/engine/config.ts'
import { PARLAY_GATE_SETTINGS, type ParlayGateProfile } from '../../src/venue/parlay/protocol/gate.ts'
import { OwnerKind } from '../../src/venue/parlay/protocol/webhooks.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { SOUND_ENDPOINT } from './soundEndpoint.ts'
import { auctionConfig, type ParlayConfig, type Replaced } from './world.ts'

export const gateProfile = (replaced: Partial<ParlayGateProfile> = {}): ParlayGateProfile => profileOf(PARLAY_GATE_SETTINGS, replaced)

/** Keys that live for a minute, a maker endpoint that fails in every way, and endpoints of ten bettors, at which every second attempt fails. */
export const gate = (replaced: Partial<GateConfig> = {}): GateConfig => ({
  profile: gateProfile({ limitWindowMs: 10_000, quoteServiceLimit: 150, deliveryAttemptsMax: 4, deliveryBackoffMs: 2_000, deliveryTimeoutMs: 1_000 }),
  keys: { lifeUs: 60_000_000, renewAfterUs: 3_000_000 },
  endpoints: [
    {
      of: 'maker 0', owner: OwnerKind.maker, events: 7,
      behaviour: {
        ...SOUND_ENDPOINT, timeout: 0.1, serverError: 0.2, requestTimeout: 0.05, tooManyRequests: 0.05, clientError: 0.05, networkError: 0.1,
        delay: { baseUs: 20_000, jitterUs: 200_000 }, downEveryUs: 30_000_000, downForUs: 5_000_000,
      },
    },
    { of: 'impatient', first: 10, owner: OwnerKind.user, events: 127, behaviour: { ...SOUND_ENDPOINT, serverError: 0.5, delay: { baseUs: 10_000, jitterUs: 0 } } },
  ],
  ...replaced,
})

/** Bettors that cash out and makers that bid, behind a gate. */
export const gateConfig = (seconds: number, replaced: Replaced = {}): ParlayConfig =>
  auctionConfig(seconds, { gate: gate(), ...replaced })
