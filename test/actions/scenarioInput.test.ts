import { describe, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { ScenarioInput } from '../../src/actions/scenarioInput.ts'
import type { scenarioSchema } from '../../src/scenario/schema.ts'

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
