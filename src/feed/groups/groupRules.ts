import { z } from 'zod'

/** Fields of a market that patterns look at. */
export const MATCHED = ['ticker', 'event', 'series', 'title', 'category', 'venue'] as const
export type MatchedField = (typeof MATCHED)[number]

const text = z.string().min(1)
const patterns = z.union([text, z.array(text).min(1)])
const match = z.strictObject(Object.fromEntries(MATCHED.map((field) => [field, patterns.optional()])) as Record<MatchedField, z.ZodOptional<typeof patterns>>)

const rule = z.strictObject({
  /** What reports call the rule. */
  name: text,
  /** A market is of the rule when each of these fields matches one of its patterns. */
  match,
  /** And when none of these does. */
  unless: match.optional(),
  event: text.optional(),
  /** The market's game, and an exclusion key `game:`. */
  game: text.optional(),
  /** The market's ladder, and an exclusion key `ladder:`. */
  ladder: text.optional(),
  /** An exclusion key `event:`. */
  subEvent: text.optional(),
  /** Exclusion keys `group:`, across series and events. */
  group: patterns.optional(),
  /** Whether at most one market of the event comes true. */
  exclusive: z.boolean().optional(),
})

export const groupsSchema = z.strictObject({
  version: z.literal(1),
  /** Whether exclusion keys that an import made stay beside those of the rules. */
  imported: z.enum(['keep', 'drop']).default('keep'),
  /** Names with their other spellings, for parts of patterns. */
  lists: z.record(text, z.union([z.array(text).min(1), z.record(text, z.array(text))])).default({}),
  rules: z.array(rule).min(1),
})

/** Rules as they are written, with their defaults. */
export type GroupRules = z.infer<typeof groupsSchema>
export type GroupRule = GroupRules['rules'][number]
