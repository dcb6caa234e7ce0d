import { z } from 'zod'
import { quantity, oneOf, strict } from './settings.ts'
import { shown } from './units.ts'
import { list, money, named, share } from './fields.ts'

const ENTRIES_MAX = 64
const REPLICATIONS_MAX = 100_000
const DEMAND_MAX = 100
const RIVALS_MAX = 100

/** How the entries of a league are played: alone, beside the scenario's own makers, or each two head to head. */
export const FORMATS = ['alone', 'field', 'pairs'] as const
export type Format = (typeof FORMATS)[number]

/** Values to try of one parameter. */
const choices = z.array(z.union([z.string(), z.number(), z.boolean()], { error: (issue) => `expected the value of a parameter, got ${shown(issue.input)}` }), {
  error: (issue) => `expected a list of values, got ${shown(issue.input)}`,
}).min(1, { error: 'expected at least one value' })

const tune = z.record(z.string(), choices, { error: (issue) => `expected a map from parameters to lists of values, got ${shown(issue.input)}` })

/** What the league gives to all entries alike, or what has no meaning for one. */
const NOT_OF_ENTRIES = ['count', 'capital']

/**
 * An entry: the terms of a maker, and with `tune` the values of parameters to choose from. It stays as written, since it becomes
 * the maker of many scenarios; `maker` checks it.
 */
const entryOf = (maker: z.ZodType) => z.looseObject({ name: named, tune: tune.optional() }, {
  error: (issue) => (issue.code === 'invalid_type' ? `expected a map, got ${shown(issue.input)}` : undefined),
}).transform((input, context): LeagueEntryFile => {
  const { name, tune: choose = {}, ...rest } = input
  const fail = (path: PropertyKey[], message: string): void => { context.issues.push({ code: 'custom', input: undefined, path, message } as z.core.$ZodRawIssue) }
  for (const key of NOT_OF_ENTRIES) if (key in rest) fail([key], key === 'capital' ? 'is given once for all entries: league.capital' : 'an entry has one seat')
  const { params = {} } = rest as { params?: Record<string, unknown> }
  for (const key of Object.keys(choose)) if (typeof params === 'object' && params !== null && key in params) fail(['tune', key], `${key} is given in params, too`)
  const { capital: _, count: __, ...terms } = rest as Record<string, unknown>
  const parsed = maker.safeParse({ ...terms, name }, { reportInput: true })
  if (!parsed.success) for (const issue of parsed.error.issues) context.issues.push({ ...issue, path: [...issue.path] } as z.core.$ZodRawIssue)
  return { name, tune: choose, terms }
})

/** An entry as written. */
export interface LeagueEntryFile {
  readonly name: string
  /** Values to choose from, by parameter; empty of an entry that is not tuned. */
  readonly tune: Readonly<Record<string, readonly (string | number | boolean)[]>>
  /** What the scenario's `makers` take besides name and capital. */
  readonly terms: Readonly<Record<string, unknown>>
}

const count = (least: number, most: number) => quantity('count', least, most)

const bands = strict({
  rivals: list(count(0, RIVALS_MAX), 1, 'numbers').optional().describe('numbers of rivals: the first of the scenario\'s makers, and again from the first when they run out'),
  demand: list(quantity('share', 0.001, DEMAND_MAX), 1, 'shares').optional().describe('bettors, as shares of the scenario\'s'),
  aggressiveness: strict({
    margins: list(quantity('share', 0, 1), 2, 'margins').describe('margins of rivals that quote at a fixed one, ascending'),
    rivals: count(1, RIVALS_MAX).prefault(1).describe('how many of them'),
  }).optional().describe('at which margin of its rivals an entry breaks even'),
  replications: count(1, REPLICATIONS_MAX).optional().describe('of each point of a band; default: as many as the league has'),
})

/** The `league` section: who plays whom, how often, and how it is judged. It changes no session of the scenario itself. */
export const leagueOf = (maker: z.ZodType) => strict({
  entries: list(entryOf(maker), 1, 'entries').max(ENTRIES_MAX, { error: `expected at most ${ENTRIES_MAX} entries` }),
  capital: money(1).prefault('100000 USDC').describe('of each entry'),
  play: list(oneOf(FORMATS), 1, 'formats').prefault(['alone', 'field', 'pairs'])
    .describe('alone; beside the scenario\'s own makers; each two entries head to head'),
  replications: count(1, REPLICATIONS_MAX).prefault(8).describe('sessions of each, with the same seeds for all'),
  racing: strict({
    after: count(2, REPLICATIONS_MAX).prefault(4).describe('replications before anything is dropped'),
    level: quantity('share', 1e-6, 0.5).prefault('1%').describe('p-value, adjusted for all that race, at which what is behind the leader is dropped'),
  }).optional().describe('what is hopeless against the leader is dropped early'),
  holdout: share.refine((value) => value < 1, { error: 'expected less than 100%' }).prefault(0)
    .describe('last share of the settlement clusters by time: nothing is tuned on them'),
  bands: bands.optional().describe('rivals and demand, which history never shows'),
}).superRefine(({ entries, bands: given }, context) => {
  const names = new Set<string>()
  for (const [i, entry] of entries.entries()) {
    if (names.has(entry.name)) context.addIssue({ code: 'custom', path: ['entries', i, 'name'], message: `another entry is named ${entry.name}` })
    names.add(entry.name)
  }
  const margins = given?.aggressiveness?.margins ?? []
  if (margins.some((margin, i) => i > 0 && margin <= margins[i - 1]!)) {
    context.addIssue({ code: 'custom', path: ['bands', 'aggressiveness', 'margins'], message: 'expected margins in ascending order' })
  }
})

export type LeagueFile = z.output<ReturnType<typeof leagueOf>>
