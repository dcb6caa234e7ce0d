import { z } from 'zod'
import { NO_DELAY } from '../agent/latency.ts'
import { WITHIN } from '../draw/drawnOutcomes.ts'
import type { Seeds } from '../kernel/seeds.ts'
import { thousands } from '../unit/numberText.ts'
import { ODDS_E4_MAX, ODDS_E4_MIN, ODDS_ONE } from '../unit/odds.ts'
import { SERVICE_NAMES } from '../unit/services.ts'
import { DAY_US, SECOND_US } from '../unit/time.ts'
import { cohortArrivals } from './arrivalsSchema.ts'
import { BETTOR_KINDS, BUILT_IN_BETTORS, BUILT_IN_MAKERS, SCRIPTED } from './builtIn.ts'
import { LEVELS_MAX } from '../market/depth.ts'
import { LEG_PRICES } from './legPrices.ts'
import { chain } from './chainSchema.ts'
import { leagueOf } from './leagueSchema.ts'
import { outcome } from './outcomeSchema.ts'
import { parlay } from './parlaySchema.ts'
import { logFile, loggedMaker, RECORDED, recordedCohort } from './recordedSchema.ts'
import { oneOf, parameterSchema, parameterShape, quantity, strict } from './settings.ts'
import { strategies } from './strategySchema.ts'
import { sweep } from './sweepSchema.ts'
import { shown } from './units.ts'
import { EXTERNAL } from './externalSeats.ts'
import { delay, flag, from, instant, instantOrSpan, length, list, money, named, share, span, text, YEAR_US } from './fields.ts'

export const SCENARIO_VERSION = 1
const SEATS_MAX = 1_000
const BETTORS_MAX = 1_000_000

const seed = z.union([z.string().min(1, { error: 'expected a text of one character or more' }), z.int()], { error: (issue) => `expected a text or a whole number, got ${shown(issue.input)}` })
  .transform(String)

/** A part without a seed of its own is absent, so that the scenario of old is resolved as of old. */
const seeds = strict({
  outcomes: seed.optional().describe('results that are drawn'),
  bettors: seed.optional().describe('when bettors arrive, what they ask for and want, and how long it is on its way'),
  makers: seed.optional().describe('how long what makers are sent and send is on its way, their faults, and what their strategies draw'),
}).transform(({ outcomes, bettors, makers }): Seeds => ({ ...(outcomes !== undefined && { outcomes }), ...(bettors !== undefined && { bettors }), ...(makers !== undefined && { makers }) }))

const halt = strict({ market: text.describe('ticker'), from, for: length.describe('its trading goes on then, unless it is over') })

const delist = strict({ market: text.describe('ticker'), at: from })

/** A maker or a cohort takes money out of its vault; of the outcome service a maker lowers its collateral. */
const withdrawal = strict({
  of: named.describe('name of a maker or a cohort'),
  first: quantity('count', 1, 1e6).optional().describe('only that many of the cohort; default: each of them'),
  at: from,
  amount: money(1).describe('out of the free balance of each account; what it does not have is refused'),
})

/** Each maker hears of each request: with more of them nobody would wait for the end of a session. */
const MAKERS_MAX = 10_000

const services = strict({ parlay: parlay.optional(), outcome: outcome.optional() }).superRefine((given, context) => {
  if (given.parlay === undefined && given.outcome === undefined) context.addIssue({ code: 'custom', message: `expected ${SERVICE_NAMES.join(' or ')}, or both` })
})

const service = oneOf(SERVICE_NAMES).optional()

const history = strict({
  store: text.min(1).describe('name or path of a price store'),
  import: strict({
    format: text.describe('a format of `parlor import`'),
    files: list(text, 1, 'files').describe('files or folders, relative to the scenario'),
    map: text.min(1).optional().describe('a mapping, relative to the scenario, for the formats csv, ndjson and parquet, which need one (docs/import.md)'),
    groups: text.min(1).optional().describe('a file of rules, relative to the scenario, whose groups are written into the store (docs/groups.md)'),
  }).optional().describe('how to make the store when it is not there'),
  from: instant.optional().describe('begin of the session; default: the first price'),
  to: instant.optional().describe('first instant that is no longer part of it; default: after the last price'),
  legs: oneOf(LEG_PRICES).prefault('executable')
    .describe('what participants see of a book: both sides; or one price for both: its middle, its bid, its ask, or its ask over the sum of both sides\' asks'),
  depth: quantity('count', 1, LEVELS_MAX).optional().describe('how many levels of a side of each book strategies see, of those that the store keeps; default: the best prices alone'),
  maxAge: span().optional().describe('default of every strategy parameter maxAge'),
  groups: text.min(1).optional().describe('a file of rules, relative to the scenario, that say which markets exclude each other (docs/groups.md)'),
})

const arrivals = strict({
  until: instantOrSpan('before the end').optional().describe('no bettor arrives from then on: an instant, or a duration that is counted back from the end'),
  max: quantity('count', 1, 1e9).optional().describe('most arrivals, those included that ask for nothing'),
})

const settlement = strict({
  lag: span().prefault('10m').describe('where no settlement time is known: this long after the last price'),
  missing: oneOf(['exclude', 'void', 'draw']).prefault('exclude')
    .describe('a market without an outcome is left out, voided at the end, or drawn at its last price'),
  scalar: oneOf(['void', 'exclude']).prefault('void').describe('a market that settled between yes and no'),
  outcomes: oneOf(['recorded', 'drawn']).optional()
    .describe('drawn: every result, even a recorded one, is drawn at the market\'s last price; prices stay as recorded; default recorded'),
  correlation: share.optional().describe('correlation of drawn outcomes on the normal scale: markets of a group are YES together, and events end with their favourites together; default 0%'),
  within: oneOf(WITHIN).optional().describe('what a group of correlated outcomes has in common: everything, the category, the game (else event), or the day of the last price; default all'),
}).superRefine(({ missing, outcomes, correlation, within }, context) => {
  const fail = (key: string, message: string): void => { context.addIssue({ code: 'custom', path: [key], message }) }
  if (correlation !== undefined && missing !== 'draw' && outcomes !== 'drawn') fail('correlation', 'correlates drawn outcomes, and none are drawn: expected missing: draw or outcomes: drawn beside it')
  if (within !== undefined && correlation === undefined) fail('within', 'says where outcomes are correlated, and there is no correlation')
})

const feed = span(DAY_US).prefault('100ms').describe('price source to participant')
const broadcast = delay.prefault('25ms').describe('venue to participant')

const bettorTerms = {
  name: named.optional().describe('cohort; default: the strategy'),
  service: service.describe('where it bets; default: the only service'),
  n: quantity('count', 1, BETTORS_MAX).describe('bettors'),
  account: named.optional().describe('name of a maker: the one bettor bets with its account and money'),
  bankroll: money(1).prefault('1000 USDC').describe('money of each bettor at the start'),
  every: quantity('duration', 1, YEAR_US).prefault('1h').describe('mean time between two intents of one bettor, not counting those that other arrivals trigger'),
  arrivals: cohortArrivals.optional().describe('how they come: at random, in bursts, or as recorded; default: kind: poisson'),
  latency: strict({ feed, broadcast, submit: delay.prefault('100ms').describe('bettor to venue') }).prefault({}),
}

/** Keys of a cohort that are no parameters of its strategy. */
export const BETTOR_KEYS: readonly string[] = ['kind', 'use', ...Object.keys(bettorTerms), 'params']

const anyParams = z.record(z.string(), z.unknown(), { error: (issue) => `expected a map of parameters, got ${shown(issue.input)}` })

/** A cohort of a built-in strategy: its parameters stand beside `kind`, or under `params`. */
function builtInBettor<const K extends keyof typeof BUILT_IN_BETTORS>(kind: K) {
  const { parameters } = BUILT_IN_BETTORS[kind]
  return strict({
    // What every cohort has comes before a parameter of the same name, which `params` takes.
    kind: z.literal(kind), ...bettorTerms, ...parameterShape(parameters), ...bettorTerms, params: parameterSchema(parameters).optional(),
  }).transform((entry, context) => {
    const { kind: use, name, service, n, account, bankroll, every, arrivals, latency, params, ...inline } = entry as z.output<z.ZodObject<typeof bettorTerms>>
      & { kind: K; params?: Record<string, number> }
    for (const key of Object.keys(params ?? {})) {
      if (key in inline) context.addIssue({ code: 'custom', path: ['params', key], message: `${key} is given twice` })
    }
    return { use: use as string, external: undefined, name, service, n, account, bankroll, every, arrivals, latency, written: undefined, params: defined({ ...inline, ...params }), requests: undefined, recorded: undefined }
  })
}

const defined = (values: Record<string, unknown>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== undefined))

const BETTOR_EXPECTED = `${BETTOR_KINDS.slice(0, -1).join(', ')} or ${BETTOR_KINDS.at(-1)}, or use: the path of a strategy file`

/** A cohort of a strategy file: its parameters are checked once it has been loaded. */
const fileBettor = z.looseObject({
  kind: z.undefined().optional(), external: z.undefined().optional(),
  use: z.string({ error: `expected kind: ${BETTOR_EXPECTED}` }),
  ...bettorTerms, params: anyParams.optional(),
}).transform((entry) => {
  const { use, name, service, n, account, bankroll, every, arrivals, latency, kind: _, external: __, params, ...inline } = entry
  return { use, external: undefined, name, service, n, account, bankroll, every, arrivals, latency, written: { inline, params: params ?? {} }, params: undefined, requests: undefined, recorded: undefined }
})

const external = z.literal(true, { error: (issue) => `expected true, or no such key, got ${shown(issue.input)}` })
  .describe('a client outside of the session holds the seat: `parlor serve`')

/** One bettor for whom a client acts. */
const externalBettor = strict({
  kind: z.undefined().optional(), external, name: bettorTerms.name, service: bettorTerms.service, account: bettorTerms.account, bankroll: bettorTerms.bankroll,
  latency: bettorTerms.latency,
}).transform(({ external: isExternal, name, service, account, bankroll, latency }) => ({
  use: EXTERNAL, external: isExternal, name, service, n: 1, account, bankroll, every: 0, arrivals: undefined, latency, written: { inline: {}, params: {} }, params: undefined,
  requests: undefined, recorded: undefined,
}))

/** A cohort without a kind. */
const otherBettor = z.discriminatedUnion('external', [fileBettor, externalBettor], {
  error: (issue) => (issue.code === 'invalid_union' ? 'expected true, or no such key' : undefined),
})

const LEG = /^(\S(?:.*\S)?)\s+(\S+)$/

const scriptedLeg = z.string({ error: (issue) => `expected a leg such as TICKER yes, got ${shown(issue.input)}` })
  .transform((input, context): { ticker: string; side: 'yes' | 'no' } => {
    const [, ticker = '', side = ''] = LEG.exec(input.trim()) ?? []
    if (side === 'yes' || side === 'no') return { ticker, side }
    const message = side === '' ? `expected a ticker and its side, as TICKER yes, got ${shown(input)}` : `expected yes or no after the ticker, got ${shown(side)}`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

const scriptedRequest = strict({
  at: instantOrSpan('after the begin').describe('when the bettor makes it: an instant, or a duration after the begin of the session'),
  legs: list(scriptedLeg, 1, 'legs').describe('each a ticker and yes or no, as TICKER yes'),
  bet: money(0),
  floor: quantity('odds', ODDS_E4_MIN, ODDS_E4_MAX).prefault(ODDS_E4_MIN / ODDS_ONE).describe('lowest odds taken'),
  decide: span(DAY_US).prefault('5s').describe('request to decision'),
  cancel: flag.prefault(false).describe('cancel the request at the decision'),
})

/** One bettor that makes the requests of a list, and no others. */
const scriptedBettor = strict({
  kind: z.literal(SCRIPTED), name: bettorTerms.name, service: bettorTerms.service, account: bettorTerms.account, bankroll: bettorTerms.bankroll, latency: bettorTerms.latency,
  requests: list(scriptedRequest, 1, 'requests').describe('in order of time'),
}).transform(({ name, service, account, bankroll, latency, requests }) =>
  ({ use: SCRIPTED, external: undefined, name, service, n: 1, account, bankroll, every: 0, arrivals: undefined, latency, written: undefined, params: undefined, requests, recorded: undefined }))

/** Whoever asked in a log. How many they are, and what money they need, says the log. */
const recordedBettor = recordedCohort.transform(({ name, service, bankroll, log, takes }) => ({
  use: RECORDED, external: undefined, name, service, n: 1, account: undefined, bankroll: bankroll ?? 0, every: 0, arrivals: undefined,
  latency: { feed: 0, broadcast: NO_DELAY, submit: NO_DELAY }, written: undefined, params: undefined, requests: undefined, recorded: { log, takes },
}))

const bettor = z.discriminatedUnion('kind', [
  builtInBettor('noise'), builtInBettor('informed'), builtInBettor('impatient'), builtInBettor('stop-loss'), builtInBettor('take-profit'),
  builtInBettor('price-sensitive'), builtInBettor('favourite'),
  scriptedBettor, recordedBettor, otherBettor,
], {
  error: (issue) => {
    if ((issue.code as string) === 'invalid_type') return `expected a map, got ${shown(issue.input)}`
    return issue.code === 'invalid_union' ? `expected ${BETTOR_EXPECTED}` : undefined
  },
})

/** What keeps a maker from being a strategy's seat or a client's. */
function faultOfSeat(entry: {
  use?: string | undefined; external?: true | undefined; params?: unknown; layOff?: unknown; faults: { ignore: number; missConfirm: number; disconnect?: unknown }
}): { path: string[]; message: string } | undefined {
  const { use, external: isExternal, params, layOff, faults } = entry
  if (isExternal === undefined) {
    if (use === undefined) return { path: [], message: 'expected use: a strategy, or external: true for the seat of a client' }
    return use === EXTERNAL ? { path: ['use'], message: 'is no strategy; the seat of a client is external: true' } : undefined
  }
  if (use !== undefined) return { path: ['use'], message: 'a seat is a strategy\'s or a client\'s: expected use, or external: true' }
  if (params !== undefined) return { path: ['params'], message: 'the seat of a client has no strategy, and no parameters' }
  if (layOff !== undefined) return { path: ['layOff'], message: 'the client of a seat lays off as it likes' }
  if (faults.ignore > 0 || faults.missConfirm > 0 || faults.disconnect !== undefined) return { path: ['faults'], message: 'the client of a seat has faults of its own' }
}

/** What keeps a maker from being one of a log. Its quotes come when they were recorded, on no way of its own. */
function faultOfRecorded(entry: {
  use?: string | undefined; log?: string | undefined; maker?: string | undefined; count: number; layOff?: unknown; latency: unknown; faults: { ignore: number; missConfirm: number; disconnect?: unknown }
}): { path: string[]; message: string } | undefined {
  const { use, log, maker: of, count, layOff, latency, faults } = entry
  if (use !== RECORDED) {
    const key = log !== undefined ? 'log' : of !== undefined ? 'maker' : undefined
    return key === undefined ? undefined : { path: [key], message: `is for makers with use: ${RECORDED}` }
  }
  if (log === undefined) return { path: [], message: 'expected log: the file of a recorded log' }
  if (of === undefined) return { path: [], message: 'expected maker: which maker of the log it is' }
  if (count !== 1) return { path: ['count'], message: 'a maker of a log has one seat' }
  if (layOff !== undefined) return { path: ['layOff'], message: 'a maker of a log lays off nothing' }
  if (JSON.stringify(latency) !== JSON.stringify(makerLatency.parse({}))) return { path: ['latency'], message: 'a maker of a log quotes when it was recorded, whatever its latency' }
  if (faults.ignore > 0 || faults.missConfirm > 0 || faults.disconnect !== undefined) return { path: ['faults'], message: 'a maker of a log has the faults that were recorded' }
}

const makerLatency = strict({
  feed, broadcast,
  quote: delay.prefault('75ms').describe('maker to venue, thinking included'),
  confirm: delay.prefault('75ms').describe('selection to confirmation at the venue'),
})

const maker = strict({
  use: text.optional().describe(`${Object.keys(BUILT_IN_MAKERS).join(', ')}, or the path of a strategy file`),
  log: logFile.optional(),
  maker: loggedMaker.optional(),
  external: external.optional(),
  name: named.optional().describe('default: the strategy, with a number from the second on'),
  service: service.describe('where it quotes; default: the only service'),
  count: quantity('count', 1, SEATS_MAX).prefault(1).describe('seats with these terms'),
  capital: money(1).prefault('10000 USDC').describe('money of each maker at the start'),
  params: anyParams.optional().describe('parameters of the strategy'),
  latency: makerLatency.prefault({}),
  faults: strict({
    ignore: share.prefault(0).describe('share of requests that it does not get to price'),
    missConfirm: share.prefault(0).describe('share of confirmations that it never sends'),
    disconnect: strict({
      every: quantity('duration', SECOND_US, YEAR_US).describe('mean time between two'), for: quantity('duration', 1, YEAR_US).describe('mean length'),
    }).optional(),
  }).prefault({}),
  layOff: strict({
    account: named.optional().describe('with which it takes on the other service; default: its name with "lay-off" behind it'),
    bankroll: money(1).prefault('10000 USDC').describe('of that account'),
    latency: strict({ broadcast, submit: delay.prefault('75ms').describe('maker to the other service') }).prefault({}),
  }).optional().describe('an account on the other service, for strategies that lay off there what they take here'),
}).transform((entry, context) => {
  const { params, use = EXTERNAL, ...rest } = entry
  const terms = { use, ...rest }
  const fault = faultOfSeat(entry) ?? faultOfRecorded(entry)
  if (fault !== undefined) {
    context.addIssue({ code: 'custom', ...fault })
    return z.NEVER
  }
  if (!Object.hasOwn(BUILT_IN_MAKERS, use)) return { ...terms, written: { inline: {}, params: params ?? {} }, params: undefined }
  const parsed = parameterSchema(BUILT_IN_MAKERS[use as keyof typeof BUILT_IN_MAKERS].parameters).safeParse(params ?? {}, { reportInput: true })
  if (parsed.success) return { ...terms, written: undefined, params: defined(parsed.data) }
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, path: ['params', ...issue.path] } as z.core.$ZodRawIssue)
  return z.NEVER
})

export const CLUSTERS = ['gameDay', 'game', 'event', 'day', 'week'] as const

/** A scenario file, as written: units become numbers, defaults are filled in where they depend on nothing else. */
export const scenarioSchema = strict({
  version: z.literal(SCENARIO_VERSION, { error: (issue) => `expected ${SCENARIO_VERSION}, got ${shown(issue.input)}` }),
  name: named.optional().describe('of the run; default: the name of the file'),
  mode: oneOf(['interactive', 'replay']).describe('label of the results: agents respond, or history is fixed'),
  seed: seed.prefault('1').describe('everything random is drawn from it that has no seed of its own'),
  seeds: seeds.prefault({}).describe('seeds of parts, each of which keeps its own over replications; default of each: seed'),
  services: services.describe('one service, or both on one clock'),
  history,
  arrivals: arrivals.prefault({}),
  settlement: settlement.prefault({}),
  halts: list(halt, 0, 'halts').prefault([]).describe('markets that stop trading for a time'),
  delist: list(delist, 0, 'delistings').prefault([]).describe('markets that are taken off the list'),
  withdrawals: list(withdrawal, 0, 'withdrawals').prefault([]).describe('money that participants take out while the session runs'),
  bettors: list(bettor, 1, 'bettors'),
  makers: list(maker, 0, 'makers').describe('at least one, unless there is a league'),
  inference: strict({
    cluster: oneOf(CLUSTERS).prefault('gameDay').describe('the units that intervals rest on'),
    replications: quantity('count', 1, 1e6).prefault(1),
  }).prefault({}),
  record: strict({
    tables: flag.prefault(true),
    marks: list(quantity('duration', 1, YEAR_US), 1, 'durations').prefault(['10s', '1m', '10m']).describe('horizons of the marks table'),
    equityEvery: span().prefault('1m').describe('span between rows of the equity table; 0: none'),
    parquet: flag.prefault(false).describe('write Parquet beside Arrow'),
    deliveries: flag.prefault(false).describe('write the table deliveries: what reached each maker, when, and what did not'),
  }).prefault({}),
  strategies: strategies.prefault({}).describe('what strategy files may do, and how much'),
  chain: chain.prefault('none').describe('settles the run on chains besides, and stops it at the first difference: svm for the parlay service, evm for the outcome service; more by a map {on, rpc, start, patience, batch, faults}'),
  league: leagueOf(maker).optional().describe('makers to compare: `parlor league`'),
  sweep: sweep.optional().describe('settings to vary: `parlor sweep`'),
}).superRefine(({ makers, league }, context) => {
  if (makers.length === 0 && league === undefined) context.addIssue({ code: 'custom', path: ['makers'], message: 'expected at least one of the makers' })
  const seats = makers.reduce((sum, { count }) => sum + count, 0)
  if (seats > MAKERS_MAX) context.addIssue({ code: 'custom', path: ['makers'], message: `there are ${thousands(seats)} makers, and a scenario has ${thousands(MAKERS_MAX)} at most` })
})

export type ScenarioFile = z.output<typeof scenarioSchema>
export type MakerFile = ScenarioFile['makers'][number]
export type BettorFile = ScenarioFile['bettors'][number]
export type ParlayFile = NonNullable<ScenarioFile['services']['parlay']>
export type OutcomeFile = NonNullable<ScenarioFile['services']['outcome']>
export type GateFile = NonNullable<ParlayFile['gate']>
export type EndpointFile = GateFile['endpoints'][number]
export type RequestFile = NonNullable<BettorFile['requests']>[number]

/** JSON Schema of scenario files, for editors. */
export function scenarioJsonSchema(): object {
  const schema = z.toJSONSchema(scenarioSchema, {
    io: 'input', unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { properties } = jsonSchema
      // The cohort of a strategy file is told by the absence of a kind.
      if (properties?.['use'] !== undefined && properties['kind'] !== undefined) delete properties['kind']
    },
  }) as unknown as { properties: { makers: { items: Record<string, unknown> } } }
  schema.properties.makers.items['allOf'] = Object.entries(BUILT_IN_MAKERS).map(([use, { parameters }]) => ({
    anyOf: [{ properties: { use: { not: { const: use } } } }, { properties: { params: inputSchema(parameterSchema(parameters)) } }],
  }))
  return schema
}

function inputSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}
