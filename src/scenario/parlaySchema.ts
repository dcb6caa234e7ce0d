import { z } from 'zod'
import { COMBO_LEGS_MAX } from '../engine/combos.ts'
import { DAY_US, SECOND_US } from '../unit/time.ts'
import { ParlayFault } from '../venue/parlay/protocol/commands.ts'
import { PARLAY_GATE_PROFILE_NAME, PARLAY_GATE_SETTINGS, type ParlayGateProfile } from '../venue/parlay/protocol/gate.ts'
import { PARLAY_PROFILES, PARLAY_SETTINGS, type ParlayProfile } from '../venue/parlay/protocol/profile.ts'
import { MAKER_WEBHOOK_EVENTS, WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import { profileOf } from '../venue/profile.ts'
import { oneOf, profileNames, quantity, settingName, settingsSchema, strict } from './settings.ts'
import { shown } from './units.ts'
import { delay, from, length, list, named, share, span, YEAR_US } from './fields.ts'

const FAULT_NAMES = Object.keys(ParlayFault) as [keyof typeof ParlayFault, ...(keyof typeof ParlayFault)[]]

const fault = strict({ fault: oneOf(FAULT_NAMES), from, for: length })

const shares = {
  timeout: share.prefault(0).describe('no answer'),
  serverError: share.prefault(0).describe('500'),
  requestTimeout: share.prefault(0).describe('408'),
  tooManyRequests: share.prefault(0).describe('429'),
  clientError: share.prefault(0).describe('400, after which nothing is tried again'),
  networkError: share.prefault(0).describe('no connection'),
}

const answers = strict(shares).superRefine((given, context) => {
  const sum = Object.values(given).reduce((total, one) => total + one, 0)
  // Shares are decimal fractions: their sum may be off by a rounding.
  if (sum > 1 + 1e-12) context.addIssue({ code: 'custom', message: `its shares sum to ${Number((sum * 100).toPrecision(6))}%, above 100%` })
})

const endpoint = strict({
  of: named.describe('a maker, or a cohort of bettors'),
  first: quantity('count', 1, 1e6).optional().describe('only so many bettors of the cohort, its first ones; default: all'),
  as: oneOf(['user', 'maker']).optional().describe('whose events it hears; default: maker for a maker, user for a cohort'),
  events: list(oneOf(WEBHOOK_EVENT_NAMES), 1, 'events').optional()
    .describe(`default: all that it can hear; a maker's ${WEBHOOK_EVENT_NAMES.filter((_, event) => ((MAKER_WEBHOOK_EVENTS >> event) & 1) === 1).join(', ')}`),
  answers: answers.prefault({}).describe('shares of the attempts; the rest is answered with 200'),
  delay: delay.prefault('100ms').describe('attempt to answer'),
  outages: strict({ every: quantity('duration', SECOND_US, YEAR_US).describe('mean time between two'), for: quantity('duration', 1, YEAR_US).describe('mean length') })
    .optional().describe('drawn times at which it cannot be reached'),
  down: list(strict({ from, for: length }), 0, 'outages').prefault([]).describe('given times at which it cannot be reached'),
  redeliver: z.boolean({ error: (issue) => `expected true or false, got ${shown(issue.input)}` }).prefault(false)
    .describe('whether the endpoint, once reachable again, requests the deliveries that it missed'),
})

const gate = strict({
  profile: z.literal(PARLAY_GATE_PROFILE_NAME, { error: (issue) => `expected ${PARLAY_GATE_PROFILE_NAME}, got ${shown(issue.input)}` })
    .prefault(PARLAY_GATE_PROFILE_NAME).describe('the rules of the gate'),
  set: settingsSchema(PARLAY_GATE_SETTINGS).prefault({}).describe('settings of the profile to replace'),
  keys: strict({
    life: span().optional().describe('life of each key; default: for ever'),
    renewAfter: span(DAY_US).prefault('10s').describe('expiry of a key to the next one: till then its account is refused'),
  }).prefault({}),
  endpoints: list(endpoint, 0, 'endpoints').prefault([]).describe('webhook endpoints, at most one of a kind for each account'),
  deliveriesOff: list(named, 0, 'makers and cohorts').prefault([]).describe('whose webhook deliveries are switched off'),
}).transform(({ profile, set, keys, endpoints, deliveriesOff }) => {
  const settings: ParlayGateProfile = profileOf(PARLAY_GATE_SETTINGS, profileNames(PARLAY_GATE_SETTINGS, set))
  return { profile, settings, keys: { lifeUs: keys.life ?? 0, renewAfterUs: keys.renewAfter }, endpoints, deliveriesOff }
})

/** Settings of which the first is at most the second. */
const ORDERED = [
  ['legsMin', 'legsMax'], ['betMinMicros', 'betMaxMicros'], ['oddsE4Min', 'oddsE4Max'],
  ['quoteValidityMinMs', 'quoteValidityDefaultMs'], ['quoteValidityDefaultMs', 'quoteValidityMaxMs'],
  ['bidValidityMinMs', 'bidValidityDefaultMs'], ['bidValidityDefaultMs', 'bidValidityMaxMs'],
] as const

/** The parlay quote service of a scenario. */
export const parlay = strict({
  profile: oneOf(Object.keys(PARLAY_PROFILES) as [string, ...string[]])
    .describe('the rules of the service'),
  set: settingsSchema(PARLAY_SETTINGS, { legsMin: COMBO_LEGS_MAX, legsMax: COMBO_LEGS_MAX }).prefault({})
    .describe('settings of the profile to replace'),
  gate: gate.optional().describe('keys, scopes, limits, streams and webhooks; absent: commands reach the service unchecked'),
  faults: list(fault, 0, 'faults').prefault([]).describe('when the service, or the chain under it, fails'),
  walletsOff: list(named, 0, 'makers and cohorts').prefault([]).describe('whose wallets are not on record'),
}).transform(({ profile, set, gate, faults, walletsOff }, context) => {
  const settings: ParlayProfile = profileOf(PARLAY_SETTINGS, { ...PARLAY_PROFILES[profile], ...profileNames(PARLAY_SETTINGS, set) })
  for (const [low, high] of ORDERED) {
    if (settings[low] <= settings[high]) continue
    const at = settingName(set[settingName(high)] === undefined ? low : high)
    context.addIssue({ code: 'custom', path: ['set', at], message: `${settingName(low)} is above ${settingName(high)}` })
  }
  return { profile, settings, gate, faults, walletsOff }
})
