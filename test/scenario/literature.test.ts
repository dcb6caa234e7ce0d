import { describe, expect, it } from 'vitest'
import { buildSession } from '../../src/scenario/build.ts'
import { mistakes, prepared, SMALL } from './small.ts'

const SEAT = '- { use: fixed-margin, capital: 50000 USDC }'
const withSettlement = (settlement: string): [string, string] => ['arrivals:', `settlement: ${settlement}\narrivals:`]

describe('makers of the literature in a scenario', () => {
  it('takes each of them with its defaults', async () => {
    const uses = ['copula', 'inventory', 'logistic-demand', 'last-look', 'silent', 'random']
    const { prepared: { resolved } } = await prepared(SMALL.replace(SEAT, uses.map((use) => `- { use: ${use} }`).join('\n  ')))
    expect(resolved.makers.map(({ name }) => name)).toEqual([...uses, 'shade', 'shade-2'])
    expect(resolved.makers[0]!.parameters).toMatchObject({ all: 0, category: 0.1, game: 0.5 })
  })

  it.each([
    ['fall as legs come closer', '{ category: 5%, all: 10% }', '11 makers.0.params.category: category 5% is below the 10% of legs that have nothing in common: no outcomes of many legs are so correlated (the matrix is not positive semidefinite)'],
    ['fall within a game', '{ game: 5% }', '11 makers.0.params.game: game 5% is below the 10% of legs of one category: no outcomes of many legs are so correlated (the matrix is not positive semidefinite)'],
    ['are beyond 1', '{ game: 101% }', '11 makers.0.params.game: expected'],
  ])('refuses correlations that %s', async (_, params, message) => {
    const found = await mistakes(SEAT, `- { use: copula, params: ${params} }`)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message.replace(/: expected$/, ''))
  })

  it('refuses a random mark-up whose ends are turned around', async () => {
    expect(await mistakes(SEAT, '- { use: random, params: { markupMin: 12% } }')).toEqual(['11 makers.0.markupMin: markupMin 12% is above markupMax 10%'])
  })

  it('tells makers what the list says of each market', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(SMALL)
    const { facts } = buildSession(resolved, strategies, store).config
    const { markets } = store.catalogue
    for (const a of markets.slice(0, 20)) {
      for (const b of markets) {
        expect(facts!.event[a.number] === facts!.event[b.number]).toBe(a.event === b.event)
        expect(facts!.category[a.number] === facts!.category[b.number]).toBe(a.category === b.category)
      }
    }
  })
})

describe('the world of a scenario', () => {
  it('is the recorded one unless it is told otherwise, and then says so where it is resolved', async () => {
    const { prepared: plain } = await prepared(SMALL)
    expect(plain.resolved.settlement).toEqual({ lagUs: 600_000_000, missing: 'exclude', scalar: 'void' })
    const { prepared: made } = await prepared(SMALL.replace(...withSettlement('{ outcomes: drawn, correlation: 30%, within: day }')))
    expect(made.resolved.settlement).toEqual({
      lagUs: 600_000_000, missing: 'exclude', scalar: 'void', outcomes: 'drawn', correlation: { share: 0.3, within: 'day' },
    })
    const { prepared: drawn } = await prepared(SMALL.replace(...withSettlement('{ missing: draw, correlation: 10% }')))
    expect(drawn.resolved.settlement).toEqual({ lagUs: 600_000_000, missing: 'draw', scalar: 'void', correlation: { share: 0.1, within: 'all' } })
  })

  it('draws the outcomes of a made-up world, and those alone', async () => {
    const coverageOf = async (settlement: string) => {
      const { prepared: { resolved, strategies, store } } = await prepared(SMALL.replace(...withSettlement(settlement)))
      return buildSession(resolved, strategies, store).coverage
    }
    const recorded = await coverageOf('{ outcomes: recorded }')
    const made = await coverageOf('{ outcomes: drawn }')
    expect(recorded.drawn).toBe(0)
    expect(made.listed).toBe(recorded.listed + recorded.excluded)
    expect(made.drawn).toBe(made.listed - made.voided)
    expect(made.drawn).toBeGreaterThan(0)
  })

  it.each([
    ['{ correlation: 30% }', '6 settlement.correlation: correlates drawn outcomes, and none are drawn: expected missing: draw or outcomes: drawn beside it'],
    ['{ missing: draw, within: day }', '6 settlement.within: says where outcomes are correlated, and there is no correlation'],
  ])('refuses %s, which would change nothing', async (settlement, message) => {
    expect(await mistakes(...withSettlement(settlement))).toEqual([message])
  })
})
