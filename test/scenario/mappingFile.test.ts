import { describe, expect, test } from 'vitest'
import { mappingOfText } from '../../src/scenario/mappingFile.ts'
import { mappingJsonSchema } from '../../src/scenario/mappingSchema.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'

const read = (text: string) => mappingOfText('mapping.yaml', text)

function mistakes(text: string): string[] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof ScenarioMistakes) return error.mistakes.map(({ position, path, message }) => `${position.line}:${position.column} ${path}: ${message}`)
    throw error
  }
  return []
}

const QUOTES = 'files:\n  - kind: quotes\n    market: m\n    time: t\n    bid: b\n'

describe('a mapping', () => {
  test('of the fewest lines has the usual for all else', () => {
    expect(read(QUOTES)).toMatchObject({
      name: 'mapping', venue: 'kalshi',
      sections: [{
        kind: 'quotes', match: null, where: [], market: [{ column: 'm' }], prices: { unit: 'dollars', isRounded: true, isDecimalComma: false },
        clock: { time: [{ column: 't', unit: null, zone: null, pattern: null, repeated: null }], received: null, seenAt: 'received', shiftUs: 0 },
        top: { bid: [{ column: 'b', type: null, unit: null, isZeroNone: false }], ask: null },
      }],
    })
  })

  test('has markets that are made of columns and constants', () => {
    const marketOf = (field: string) => read(QUOTES.replace('market: m', `market: ${field}`)).sections[0]!.market
    expect(marketOf("'{a}:x:{b c}'")).toEqual([{ column: 'a' }, { constant: ':x:' }, { column: 'b c' }])
    expect(marketOf('{ constant: 5 }')).toEqual([{ constant: '5' }])
    expect(marketOf("{ column: '{a}' }")).toEqual([{ column: '{a}' }])
    expect(marketOf("'{}'")).toEqual([{ column: '{}' }])
  })

  test('shows a part of a long line, with the place in it', () => {
    const shown = (text: string): string => {
      try {
        read(text)
      } catch (error) {
        return (error as ScenarioMistakes).describe()
      }
      return ''
    }
    // 160 letters of the line, from 60 before column 5 + 2 + 500.
    expect(shown(QUOTES.replace('time: t', `time: { column: ${'t'.repeat(500)}, unit: m }`))).toContain(`\n> 4 | …${'t'.repeat(52)}, unit: m }\n    |${' '.repeat(62)}^`)
    expect(shown(`${'q'.repeat(900)}: b\n`)).toContain(`> 1 | ${'q'.repeat(160)}…\n`)
    expect(shown(`${'q'.repeat(157)}: b\n`)).not.toContain('…')
    // Nor is it quoted whole in words: `*NAME` where nothing has that name.
    expect(shown(`*${'7'.repeat(400)}\n`)).toContain(`${'7'.repeat(400)} comes before it`)
    expect(shown(`*${'7'.repeat(70_000)}\n`).length).toBeLessThan(1300)
  })

  test('says each mistake with its place, and what was expected', () => {
    expect(mistakes(QUOTES.replace('bid: b', 'bid: b\n    asks: a'))).toEqual(['6:5 files.0: unknown key asks; did you mean ask?'])
    expect(mistakes(QUOTES.replace('    bid: b\n', ''))).toEqual(['2:5 files.0: has no price: expected bid, ask, no_bid, no_ask or last'])
    expect(mistakes(QUOTES.replace('time: t', 'seen: time'))).toEqual(['2:5 files.0: has no time: expected time, received, or both', '4:11 files.0.seen: tells which of time and received counts, and needs both'])
    expect(mistakes(QUOTES.replace('time: t', 'time: { column: t, unit: m }'))).toEqual(['4:30 files.0.time.unit: expected s or ms or us or ns or any, got "m"'])
    expect(mistakes(QUOTES.replace('time: t', 'time: { column: t, zone: Mars/Olympus }'))[0]).toMatch(/^4:30 files\.0\.time\.zone: expected UTC/)
    expect(mistakes(QUOTES.replace('time: t', "time: { column: t, pattern: 'HH:mm' }"))[0]).toMatch(/^4:33 files\.0\.time\.pattern: names no year, month and day/)
    expect(mistakes(QUOTES.replace('quotes', 'quotas'))[0]).toMatch(/^2:11 files\.0\.kind: expected a map with a kind, which is quotes, trades/)
    expect(mistakes(`venue: betfair\n${QUOTES}`)).toEqual(['1:8 venue: expected venue_a, venue_b, kalshi, polymarket, or a name that venues gives, got "betfair"'])
    expect(mistakes('files: [')).toHaveLength(1)
    expect(mistakes('{}')).toEqual(['1:1 files: is missing: expected a list of parts'])
  })

  test.each([
    ['candles: a start without a period', 'kind: candles, market: m, time: t, bid: b, stamp: start', 'expected a period if and only if stamp is start'],
    ['trades: two prices', 'kind: trades, market: m, time: t, price: p, no_price: n', 'expected either price or no_price'],
    ['depth: half a level', 'kind: depth, market: m, time: t, side: s, price: p', 'expected side, price and size, or bids and asks with lists'],
    ['results: nothing', 'kind: results, market: m', 'expected result or value'],
  ])('%s', (_, part, message) => expect(mistakes(`files: [{ ${part} }]`)).toEqual([`1:9 files.0: ${message}`]))

  test('files that begin with the newest row are told by one column with the time', () => {
    const part = (time: string) => `files: [{ kind: trades, market: m, ${time}, price: p, may_be_newest_first: true }]`
    expect(mistakes(part('time: [t, u]')).map((one) => one.replace(/^\S+ /, ''))).toEqual(['files.0.may_be_newest_first: is told by one column with the time: expected one'])
    expect([part('time: t'), part('received: t'), part('time: t, received: u')].map((text) => read(text).sections[0]!.layout.newestFirst)).toEqual(['t', 't', 't'])
    expect(read('files: [{ kind: trades, market: m, time: t, price: p }]').sections[0]!.layout.newestFirst).toBeUndefined()
  })

  test('venues may have any names', () => {
    expect(read(`venue: betfair\nvenues: { betfair: venue_b }\n${QUOTES}`).venues.get('betfair')).toBe('venue_b')
  })

  test('has a JSON Schema', () => {
    const schema = mappingJsonSchema() as { properties: { files: { items: { oneOf: { properties: { kind: { const: string } } }[] } } } }
    const { oneOf } = schema.properties.files.items
    expect(oneOf.map(({ properties }) => properties.kind.const)).toEqual(['quotes', 'trades', 'candles', 'depth', 'markets', 'results'])
  })
})
