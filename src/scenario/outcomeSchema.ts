import { z } from 'zod'
import { DAY_US } from '../unit/time.ts'
import { ChannelBit, GateFault } from '../venue/outcome/protocol/access.ts'
import { OutcomeFault } from '../venue/outcome/protocol/commands.ts'
import { OUTCOME_GATE_PROFILE_NAME, OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../venue/outcome/protocol/gate.ts'
import { OUTCOME_PROFILES, OUTCOME_SETTINGS, type OutcomeProfile } from '../venue/outcome/protocol/profile.ts'
import { profileOf } from '../venue/profile.ts'
import { oneOf, profileNames, quantity, settingName, settingsSchema, strict } from './settings.ts'
import { shown } from './units.ts'
import { from, length, list, named, span } from './fields.ts'

/** Faults of the venue and of its gate by name, as values of the operator's `setFault`. */
export const OUTCOME_FAULTS = { ...OutcomeFault, ...GateFault } as const
export type OutcomeFaultName = keyof typeof OUTCOME_FAULTS

const FAULT_NAMES = Object.keys(OUTCOME_FAULTS) as [OutcomeFaultName, ...OutcomeFaultName[]]

const fault = strict({ fault: oneOf(FAULT_NAMES), from, for: length })

const CHANNELS = Object.keys(ChannelBit) as [keyof typeof ChannelBit, ...(keyof typeof ChannelBit)[]]
const resnapshot = strict({ channel: oneOf(CHANNELS), at: from })

/** Settings of which the first is at most the second. */
const ORDERED = [
  ['legsMin', 'legsMax'], ['cashoutExpiryMinMs', 'cashoutExpiryMaxMs'], ['exitAheadMinMs', 'exitAheadMaxMs'],
  ['fundingAheadMinMs', 'fundingSpanMaxMs'],
] as const

const gate = strict({
  profile: z.literal(OUTCOME_GATE_PROFILE_NAME, { error: (issue) => `expected ${OUTCOME_GATE_PROFILE_NAME}, got ${shown(issue.input)}` })
    .prefault(OUTCOME_GATE_PROFILE_NAME).describe('the rules of the gate'),
  set: settingsSchema(OUTCOME_GATE_SETTINGS).prefault({}).describe('settings of the profile to replace'),
  keys: strict({
    life: quantity('duration', DAY_US).optional().describe('life of each key, whole days; default: for ever'),
    renewAfter: span(DAY_US).prefault('10s').describe('expiry of a key to the next one: till then its account is refused'),
  }).prefault({}),
  retries: strict({
    most: quantity('count', 0, 100).prefault(3).describe('repetitions of a call that was told to come back'),
    backoff: span(DAY_US).prefault('1s').describe('wait before the first, where no Retry-After was told; doubles with each'),
  }).prefault({}),
  resnapshots: list(resnapshot, 0, 'resnapshots').prefault([]).describe('when streams of a channel are closed, so that their clients load state anew'),
}).transform(({ profile, set, keys, retries, resnapshots }, context) => {
  const settings: OutcomeGateProfile = profileOf(OUTCOME_GATE_SETTINGS, profileNames(OUTCOME_GATE_SETTINGS, set))
  const lifeDays = (keys.life ?? 0) / DAY_US
  if (!Number.isInteger(lifeDays) || lifeDays > settings.keyDaysMax) {
    context.addIssue({ code: 'custom', path: ['keys', 'life'], message: `expected whole days, at most ${settings.keyDaysMax}, as 30d` })
  }
  return {
    profile, settings, keys: { lifeDays, renewAfterUs: keys.renewAfter }, retries: { most: retries.most, backoffUs: retries.backoff }, resnapshots,
  }
})

/** The outcome-market RFQ service of a scenario. */
export const outcome = strict({
  profile: oneOf(Object.keys(OUTCOME_PROFILES) as [string, ...string[]]).describe('the rules of the service'),
  set: settingsSchema(OUTCOME_SETTINGS).prefault({}).describe('settings of the profile to replace'),
  signatures: oneOf(['tag', 'eip712']).prefault('tag')
    .describe('signed terms: a cheap fingerprint, or the digest of EIP-712 for chain 999, about a thousand a second'),
  gate: gate.optional().describe('keys, sessions, scopes, idempotency, limits, streams; absent: commands reach the service unchecked'),
  faults: list(fault, 0, 'faults').prefault([]).describe('when the service, its gate, or the chain under it, fails'),
  embeddedWallets: list(named, 0, 'seats of clients').prefault([]).describe("seats whose wallets the service's own app holds, so that they sign in through the app"),
}).transform(({ profile, set, signatures, gate, faults, embeddedWallets }, context) => {
  const settings: OutcomeProfile = profileOf(OUTCOME_SETTINGS, { ...OUTCOME_PROFILES[profile], ...profileNames(OUTCOME_SETTINGS, set) })
  for (const [low, high] of ORDERED) {
    if (settings[low] <= settings[high]) continue
    const at = settingName(set[settingName(high)] === undefined ? low : high)
    context.addIssue({ code: 'custom', path: ['set', at], message: `${settingName(low)} is above ${settingName(high)}` })
  }
  for (const [i, { fault }] of faults.entries()) {
    if (gate !== undefined || !Object.hasOwn(GateFault, fault)) continue
    context.addIssue({ code: 'custom', path: ['faults', i, 'fault'], message: `${fault} is a fault of the gate, and the service has none` })
  }
  return { profile, settings, signatures, gate, faults, embeddedWallets }
})
