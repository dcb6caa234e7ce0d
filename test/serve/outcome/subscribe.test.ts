import { describe, expect, it } from 'vitest'
import { MARKET_OUTCOMES_MAX, readMarketSubscribe, readSubscribe } from '../../../src/serve/outcome/subscribe.ts'
import type { Parsed } from '../../../src/serve/outcome/violations.ts'
import { outcomeIdOf } from '../../venue/outcome/wire/rows.ts'

const violationsOf = (parsed: Parsed<unknown>): string[] =>
  'violations' in parsed ? parsed.violations.map(({ field, code }) => `${field} ${code}`) : []

describe('the subscribe frame', () => {
  const frame = (fields: object): string => JSON.stringify({ type: 'subscribe', channels: ['account'], ...fields })

  it.each<[string, object, object]>([
    ['one channel', {}, { channels: 1, flags: 0, cursor: -1 }],
    ['the maker\'s', { channels: ['maker'] }, { channels: 2, flags: 0, cursor: -1 }],
    ['both', { channels: ['maker', 'account'] }, { channels: 3, flags: 0, cursor: -1 }],
    ['publication_freshness', { publication_freshness: true }, { channels: 1, flags: 1, cursor: -1 }],
    ['none', { publication_freshness: false }, { channels: 1, flags: 0, cursor: -1 }],
    ['a cursor', { cursor: '42' }, { channels: 1, flags: 0, cursor: 42 }],
    ['the cursor 0', { cursor: '0' }, { channels: 1, flags: 0, cursor: 0 }],
  ])('OM-165 asks for %s', (_, fields, subscribe) => {
    expect(readSubscribe(frame(fields))).toEqual({ ok: subscribe })
  })

  it.each<[string, string[]]>([
    ['', [' INVALID']], ['{', [' INVALID']], ['[]', [' INVALID']], ['null', [' INVALID']], ['"subscribe"', [' INVALID']],
    ['{}', ['/type REQUIRED', '/channels REQUIRED']],
    [frame({ type: 'unsubscribe' }), ['/type INVALID']],
    [frame({ channels: [] }), ['/channels INVALID']],
    [frame({ channels: 'account' }), ['/channels INVALID']],
    [frame({ channels: ['market'] }), ['/channels/0 INVALID']],
    [frame({ channels: ['account', 'ACCOUNT'] }), ['/channels/1 INVALID']],
    [frame({ channels: ['account', 'account'] }), ['/channels/1 INVALID']],
    [frame({ channels: ['account', 'maker', 'account'] }), ['/channels INVALID']],
    [frame({ channels: ['toString'] }), ['/channels/0 INVALID']],
    [frame({ publication_freshness: 'true' }), ['/publication_freshness INVALID']],
    [frame({ publication_freshness: null }), ['/publication_freshness INVALID']],
    [frame({ cursor: 42 }), ['/cursor INVALID']],
    [frame({ cursor: null }), ['/cursor INVALID']],
    [frame({ cursor: '-1' }), ['/cursor INVALID']],
    [frame({ outcomes: ['1'] }), ['/outcomes UNEXPECTED']],
  ])('OM-165 OM-035 is not %s', (text, violations) => {
    expect(violationsOf(readSubscribe(text))).toEqual(violations)
  })
})

describe('the subscribe frame of market data', () => {
  const frame = (outcomes: unknown, fields: object = {}): string => JSON.stringify({ type: 'subscribe', outcomes, ...fields })
  const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => outcomeIdOf(i))

  it('OM-044 names outcomes, each by its outcome_id', () => {
    expect(readMarketSubscribe(frame(['7', outcomeIdOf(3)]))).toEqual({ ok: { outcomeIds: ['7', '1180591620717411303427'], flags: 0, cursor: -1 } })
    expect(readMarketSubscribe(frame(['7'], { cursor: '9' }))).toEqual({ ok: { outcomeIds: ['7'], flags: 0, cursor: 9 } })
  })

  it('OM-295 may ask for a heartbeat each second', () => {
    expect(readMarketSubscribe(frame(['7'], { publication_freshness: true }))).toEqual({ ok: { outcomeIds: ['7'], flags: 1, cursor: -1 } })
    expect(violationsOf(readMarketSubscribe(frame(['7'], { publication_freshness: 1 })))).toEqual(['/publication_freshness INVALID'])
  })

  it.each<[number, string[]]>([[0, ['/outcomes INVALID']], [1, []], [256, []], [257, ['/outcomes INVALID']]])(
    'OM-161 of %i outcomes meets %j', (count, violations) => {
      expect(MARKET_OUTCOMES_MAX).toBe(256)
      expect(violationsOf(readMarketSubscribe(frame(ids(count))))).toEqual(violations)
    })

  it.each<[unknown, string[]]>([
    [[7], ['/outcomes/0 INVALID']], [['7', '07'], ['/outcomes/1 INVALID']], [['7', '7'], ['/outcomes/1 INVALID']], ['7', ['/outcomes INVALID']],
    [['7', null, '-1'], ['/outcomes/1 INVALID', '/outcomes/2 INVALID']],
    [['7', 7, '7'], ['/outcomes/1 INVALID', '/outcomes/2 INVALID']], [['7', '7', 7], ['/outcomes/1 INVALID', '/outcomes/2 INVALID']],
  ])('OM-165 OM-023 refuses the outcomes %j', (outcomes, violations) => {
    expect(violationsOf(readMarketSubscribe(frame(outcomes)))).toEqual(violations)
  })

  it('is counted by the profile', () => {
    expect(violationsOf(readMarketSubscribe(frame(ids(3)), 2))).toEqual(['/outcomes INVALID'])
    expect(violationsOf(readMarketSubscribe('x'))).toEqual([' INVALID'])
  })
})
