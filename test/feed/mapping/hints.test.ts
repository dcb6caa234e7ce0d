import { describe, expect, test } from 'vitest'
import { lines, mapped, refusal, shown, T0, troubles } from './mapped.ts'

const S = T0 / 1e6
const quotes = 'kind: quotes, match: q*, market: id, time: { column: t, unit: any }, bid: bid'

describe('what other files call a market', () => {
  const listed = '{ kind: markets, match: m*, market: ticker, also: id, event: event }'

  test('is the name under which their rows find it', async () => {
    const imported = await mapped(`files: [${listed}, { ${quotes} }]`, { 'm.csv': lines('ticker,id,event', 'A,1,E', 'B,2,E'), 'q.csv': lines('id,t,bid', `1,${S},0.4`, `B,${S},0.5`, `3,${S},0.6`) })
    expect(shown(imported).map(([market, , bid]) => [market, bid])).toEqual([['A', 400_000], ['B', 500_000], ['3', 600_000]])
  })

  test('is one market’s alone', async () => {
    const imported = await mapped(`files: [${listed}, { ${quotes} }]`, { 'm.csv': lines('ticker,id,event', 'A,1,E', 'B,1,E', 'A,1,E'), 'q.csv': lines('id,t,bid', `1,${S},0.4`) })
    expect(troubles(imported).slice(0, 1)).toEqual(['quarantined contradiction: 1 from 3'])
    expect(imported.markets.map(({ ticker }) => ticker)).toEqual(['A'])
  })
})

describe('what rows with prices say of their market', () => {
  const files = { 'q.csv': lines('id,t,bid,e,v', `1,${S},0.4,E,poly`, `2,${S},0.5,E,Poly`, `3,${S},0.6,,`, `1,${S + 1},0.4,F,poly`, `4,${S},0.4,E,nyse`) }

  test('is its event and its venue, and a row that says otherwise is set aside', async () => {
    const imported = await mapped(`{ venues: { poly: venue_b }, files: [{ ${quotes}, event: e, venue: v }] }`, files)
    expect(imported.markets.map(({ ticker, event, venue, exclusionKeys }) => [ticker, event, venue, exclusionKeys])).toEqual([
      ['1', 'E', 'venue_b', ['event:E']], ['2', 'E', 'venue_b', ['event:E']], ['3', '3', 'venue_a', ['market:3']],
    ])
    expect(troubles(imported).filter((one) => one.startsWith('quarantined'))).toEqual(['quarantined contradiction: 1 from 5', 'quarantined unknown venue: 1 from 6'])
  })

  test('gives way to what a file of markets says', async () => {
    const imported = await mapped(`{ venues: { poly: venue_b }, files: [{ kind: markets, match: m*, market: id, event: event, venue: where }, { ${quotes}, event: e, venue: v }] }`, {
      'm.csv': lines('id,event,where', '1,G,kalshi'), 'q.csv': lines('id,t,bid,e,v', `1,${S},0.4,E,poly`),
    })
    expect(imported.markets.map(({ event, venue }) => [event, venue])).toEqual([['G', 'venue_a']])
  })
})

test.each([[S, 0], [`${S}.25`, 250_000], [T0 / 1000, 0], [T0 + 1, 1], [`${T0}001`, 1], ['2025-06-19T19:00:00Z', 0]])('a time in any unit: %s', async (time, us) => {
  const imported = await mapped(`files: [{ ${quotes} }]`, { 'q.csv': lines('id,t,bid', `1,${time},0.4`) })
  expect(shown(imported).map(([, at]) => at - T0)).toEqual([us])
})

// The first and the last second that a number of each unit may mean, and those beside them.
test.each([['946684800', true], ['946684799', false], ['4102444800', true], ['4102444801', false], ['946684800000', true], ['946684799999', false], ['4102444800000001', false], ['4102444800000000000', true]])('%s is an instant between 2000 and 2100: %s', async (time, isInstant) => {
  const imported = await mapped(`files: [{ ${quotes} }]`, { 'q.csv': lines('id,t,bid', `1,${time},0.4`) })
  expect(troubles(imported).filter((one) => one.startsWith('quarantined'))).toEqual(isInstant ? [] : ['quarantined absurd timestamp: 1 from 2'])
})

test('a shape that nobody knows is refused with those that there are', async () => {
  expect((await refusal(() => mapped('files: [{ kind: trades, shape: polymarket, market: a, time: b, price: c }]', {}))).message).toContain('polymarket-markets')
})
