import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { loadedOf } from '../../src/actions/loaded.ts'
import type { BettorInput, BettorKind, BuiltInBettorInput, ScenarioInput } from '../../src/actions/scenarioInput.ts'
import { scenarioSchema as printedSchema } from '../../src/actions/scenarioSchema.ts'
import type { scenarioSchema } from '../../src/scenario/schema.ts'
import { OBJECT } from './small.ts'

type Read = z.input<typeof scenarioSchema>

/** Lists as the schema's types have them. */
type Writable<T> = T extends readonly (infer U)[] ? Writable<U>[] : T extends object ? { [K in keyof T]: Writable<T[K]> } : T

/** The keys of a type, down to where something else than a map or a list stands. No key may be left out: one that one of two shapes lacks keeps them apart. */
type Shape<T> = T extends readonly (infer U)[] ? Shape<U>[] : T extends object ? { [K in keyof T]-?: Shape<Exclude<T[K], undefined>> } : 'value'

/** Sections of which the schema's own types have a loose map. */
type Loose = 'bettors' | 'makers' | 'league' | 'chain' | 'services'

describe('a scenario as an object', () => {
  it('is one that the schema of scenario files reads', () => {
    expectTypeOf<Writable<ScenarioInput>>().toExtend<Read>()
  })

  it('has all settings that the schema has, in every section that the schema writes out', () => {
    expectTypeOf<Shape<Omit<Read, Loose>>>().toExtend<Shape<Omit<ScenarioInput, Loose>>>()
    expectTypeOf<Shape<Omit<ScenarioInput, Loose>>>().toExtend<Shape<Omit<Read, Loose>>>()
    expectTypeOf<keyof Read>().toEqualTypeOf<keyof ScenarioInput>()
  })

  it('has all settings of a maker, of the gates and of the services', () => {
    expectTypeOf<keyof Read['makers'][number]>().toEqualTypeOf<keyof ScenarioInput['makers'][number]>()
    expectTypeOf<keyof NonNullable<Read['makers'][number]['layOff']>>().toEqualTypeOf<keyof NonNullable<ScenarioInput['makers'][number]['layOff']>>()
    type Parlay<S extends { readonly services: { readonly parlay?: unknown } }> = NonNullable<S['services']['parlay']>
    type Outcome<S extends { readonly services: { readonly outcome?: unknown } }> = NonNullable<S['services']['outcome']>
    type Gate<S> = S extends { readonly gate?: infer G } ? NonNullable<G> : never
    expectTypeOf<keyof Parlay<Read>>().toEqualTypeOf<keyof Parlay<ScenarioInput>>()
    expectTypeOf<keyof Gate<Parlay<Read>>>().toEqualTypeOf<keyof Gate<Parlay<ScenarioInput>>>()
    expectTypeOf<keyof Outcome<Read>>().toEqualTypeOf<keyof Outcome<ScenarioInput>>()
    expectTypeOf<keyof Gate<Outcome<Read>>>().toEqualTypeOf<keyof Gate<Outcome<ScenarioInput>>>()
  })
})

/** The keys of a cohort and of its `params`, as the types have them. The compiler takes all of them and no others. */
type KeysOf<B> = { readonly [Key in keyof B]-?: 1 }
interface Keys<K extends BettorKind> {
  readonly beside: KeysOf<Extract<BuiltInBettorInput, { readonly kind: K }>>
  readonly params: KeysOf<NonNullable<Extract<BuiltInBettorInput, { readonly kind: K }>['params']>>
}

const TERMS = { kind: 1, name: 1, service: 1, n: 1, account: 1, bankroll: 1, every: 1, arrivals: 1, latency: 1, params: 1 } as const
const HABITS = {
  legsMin: 1, legsMax: 1, betMin: 1, betMax: 1, legsRatio: 1, betMedian: 1, betSigma: 1, decideMin: 1, decideMax: 1, patience: 1, wait: 1, priceMin: 1, maxAge: 1,
} as const
const NOISE = { ...HABITS, yes: 1, toleranceMin: 1, toleranceMax: 1 } as const
const SELLING = { ...NOISE, shareMin: 1, shareMax: 1, listen: 1 } as const
const WATCHING = { ...SELLING, looks: 1, level: 1 } as const
const keysOf = <P extends object>(params: P): { readonly beside: typeof TERMS & P; readonly params: P } => ({ beside: { ...TERMS, ...params }, params })
const WATCHING_KEYS = { beside: { ...TERMS, ...WATCHING }, params: { ...WATCHING, every: 1 } } as const

const KEYS: { readonly [K in BettorKind]: Keys<K> } = {
  noise: keysOf(NOISE), informed: keysOf({ ...HABITS, horizon: 1, noise: 1, edge: 1 }), favourite: keysOf({ ...HABITS, toleranceMin: 1, toleranceMax: 1, favouriteMin: 1, taste: 1 }),
  'price-sensitive': keysOf({ ...HABITS, yes: 1, alpha: 1, beta: 1 }), impatient: keysOf({ ...SELLING, holdMin: 1, holdMax: 1, tries: 1 }),
  'stop-loss': WATCHING_KEYS, 'take-profit': WATCHING_KEYS,
}

interface BettorSchema {
  readonly properties: { readonly kind?: { readonly const: string }; readonly params?: { readonly properties?: object } }
}
/** The cohorts of a printed schema, in which a choice of choices may stand. */
const cohortsIn = (schema: unknown): BettorSchema[] => {
  const { oneOf, anyOf } = schema as { readonly oneOf?: readonly unknown[]; readonly anyOf?: readonly unknown[] }
  return (oneOf ?? anyOf)?.flatMap(cohortsIn) ?? [schema as BettorSchema]
}
const { properties } = printedSchema() as { readonly properties: { readonly bettors: { readonly items: unknown } } }
const cohorts = cohortsIn(properties.bettors.items)

const cohortOf = (bettor: BettorInput) => loadedOf(loadScenario({ ...OBJECT, bettors: [bettor] })).file.bettors[0]!

describe('a cohort of a built-in bettor as an object', () => {
  it.each(Object.entries(KEYS))('%s has the keys that `parlor schema` prints, beside its kind and under params', (kind, { beside, params }) => {
    const schema = cohorts.find((cohort) => cohort.properties.kind?.const === kind)!
    expect(Object.keys(schema.properties).toSorted()).toEqual(Object.keys(beside).toSorted())
    expect(Object.keys(schema.properties.params!.properties!).toSorted()).toEqual(Object.keys(params).toSorted())
  })

  it('has no kind that `parlor schema` does not print, and all that it prints', () => {
    const printed = cohorts.flatMap((cohort) => cohort.properties.kind?.const ?? [])
    expect(printed.toSorted()).toEqual([...Object.keys(KEYS), 'scripted', 'recorded'].toSorted())
  })

  it('takes parameters beside its kind, and no others', () => {
    expect(cohortOf({ kind: 'informed', n: 3, legsMax: 4, horizon: '30s' }).params).toEqual({ legsMax: 4, horizon: 30_000_000 })
    // @ts-expect-error Noise sees nothing ahead.
    expect(() => cohortOf({ kind: 'noise', n: 3, horizon: '30s' })).toThrow('unknown key horizon')
    // @ts-expect-error A parameter is a quantity.
    expect(() => cohortOf({ kind: 'noise', n: 3, legsMax: true })).toThrow('legsMax')
  })

  it('takes parameters of a strategy file beside its name', () => {
    expect(cohortOf({ use: './mine.ts', n: 3, stake: '10 USDC' }).written).toEqual({ inline: { stake: '10 USDC' }, params: {} })
  })

  it('reads every beside the kind as the time between two intents, of which the default is an hour', () => {
    const watching = cohortOf({ kind: 'stop-loss', n: 3, params: { every: '10s' } })
    expect([watching.every, watching.params]).toEqual([3_600_000_000, { every: 10_000_000 }])
    const rarely = cohortOf({ kind: 'take-profit', n: 3, every: '2h' })
    expect([rarely.every, rarely.params]).toEqual([7_200_000_000, {}])
  })
})
