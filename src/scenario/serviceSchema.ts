import { z } from 'zod'
import { DAY_US, SECOND_US } from '../unit/time.ts'
import { ParlayFault } from '../venue/parlay/protocol/commands.ts'
import { PARLAY_GATE_PROFILE_NAME, PARLAY_GATE_SETTINGS, type ParlayGateProfile } from '../venue/parlay/protocol/gate.ts'
import { MAKER_WEBHOOK_EVENTS, WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import { profileOf } from '../venue/profile.ts'
import { oneOf, quantity, settingName, settingsSchema, strict } from './settings.ts'
import { shown } from './units.ts'
import { delay, instantOrSpan, list, named, share, span, text, YEAR_US } from './written.ts'

const FAULT_NAMES = Object.keys(ParlayFault) as [keyof typeof ParlayFault, ...(keyof typeof ParlayFault)[]]

const from = instantOrSpan('after the begin').describe('an instant, or a duration after the begin of the session')
const length = quantity('duration', 1, YEAR_US)

/** A fault that is switched on for a time. */
export const fault = strict({ fault: oneOf(FAULT_NAMES), from, for: length })

export const halt = strict({ market: text.describe('ticker'), from, for: length.describe('its trading goes on then, unless it is over') })

export const delist = strict({ market: text.describe('ticker'), at: from })

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
    .describe('whether it asks once more for a delivery that ended because it could not be reached, as soon as it can be'),
})

const SETTING_OF = Object.fromEntries(Object.keys(PARLAY_GATE_SETTINGS).map((name) => [settingName(name), name]))

/** The gate of the parlay service. */
export const gate = strict({
  profile: z.literal(PARLAY_GATE_PROFILE_NAME, { error: (issue) => `expected ${PARLAY_GATE_PROFILE_NAME}, got ${shown(issue.input)}` })
    .prefault(PARLAY_GATE_PROFILE_NAME).describe('the rules of the gate'),
  set: settingsSchema(PARLAY_GATE_SETTINGS).prefault({}).describe('settings of the profile to replace'),
  keys: strict({
    life: span().optional().describe('life of each key; default: for ever'),
    renewAfter: span(DAY_US).prefault('10s').describe('expiry of a key to the next one: till then its account is refused'),
  }).prefault({}),
  endpoints: list(endpoint, 0, 'endpoints').prefault([]).describe('webhook endpoints, at most one of a kind for each account'),
}).transform(({ profile, set, keys, endpoints }) => {
  const given = Object.entries(set as Record<string, number | undefined>).flatMap(([name, value]) => (value === undefined ? [] : [[SETTING_OF[name]!, value] as const]))
  const settings: ParlayGateProfile = profileOf(PARLAY_GATE_SETTINGS, Object.fromEntries(given))
  return { profile, settings, keys: { lifeUs: keys.life ?? 0, renewAfterUs: keys.renewAfter }, endpoints }
})
