import { describe, expect, it } from 'vitest'
import { bindBody, bodyTag, markUnreadable } from '../../../src/serve/outcome/boundBody.ts'
import { PostingRows } from '../../../src/ledger/postingRows.ts'
import { needsKey } from '../../../src/venue/outcome/protocol/access.ts'
import { OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_SETTINGS } from '../../../src/venue/outcome/protocol/profile.ts'
import { outcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { GateDriver, MAKER, TAKER } from '../../venue/outcome/gateDriver.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const tagOf = (text: string, method = 'POST', path = '/v1/rfqs'): number => bodyTag(method, path, bytesOf(text), JSON.parse(text))

describe('the tag of a body', () => {
  it('OM-109 OM-111 is of values, whatever their order as fields and the space between them', () => {
    const tag = tagOf('{"stake":"1","legs":[{"outcome_id":"7","side":"YES"}]}')
    expect(Number.isSafeInteger(tag)).toBe(true)
    expect(tagOf('{ "legs": [ { "side": "YES", "outcome_id": "7" } ], "stake": "1" }')).toBe(tag)
    expect(tagOf('{"stake":"\\u0031","legs":[{"outcome_id":"7","side":"YES"}]}')).toBe(tag)
  })

  it('OM-111 is another of another value, order of items, field, method or path', () => {
    const tags = [
      tagOf('{"scopes":["rfq:read","rfq:write"]}'), tagOf('{"scopes":["rfq:write","rfq:read"]}'), tagOf('{"scopes":["rfq:read"]}'), tagOf('{"scopes":"rfq:read"}'),
      tagOf('{"scope":["rfq:read"]}'), tagOf('{}'), tagOf('[]'), tagOf('null'), tagOf('{}', 'PUT'), tagOf('{}', 'POST', '/v1/rfqs/1/cancel'), tagOf('{"a":null}'),
      bodyTag('POST', '/v1/rfqs', bytesOf(''), undefined), bodyTag('POST', '/v1/rfqs', bytesOf('{'), undefined), bodyTag('POST', '/v1/rfqs', bytesOf('{}'), undefined),
    ]
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('is of bytes when the body is deeper than any that is read, however deep', () => {
    const deep = (depth: number, space = ''): string => '['.repeat(depth) + space + ']'.repeat(depth)
    expect(tagOf(deep(17))).toBe(tagOf(deep(17, ' ')))
    expect(tagOf(deep(18))).not.toBe(tagOf(deep(18, ' ')))
    expect(tagOf(deep(30_000))).not.toBe(tagOf(deep(30_001)))
  })
})

describe('a command whose body could not be read', () => {
  const bench = (): GateDriver => {
    const d = new GateDriver({}, (events) => outcomeVenue(profileOf(OUTCOME_SETTINGS, {}), events, new PostingRows({ next: 1 }, 2)))
    d.send('bindAccount', -1, { value: TAKER, value2: 0 })
    d.send('bindAccount', -1, { value: MAKER, value2: 1 })
    return d
  }
  const KEYED = Object.entries(OutcomeOp).filter(([, op]) => needsKey(op)).map(([name]) => name as keyof typeof OutcomeOp)
  const OF_MAKERS: readonly string[] = ['submitQuote', 'reduceCollateral']
  const fieldsOf = (tag: number) => {
    const c = new OutcomeCommand().reset(0, 0)
    markUnreadable(c)
    bindBody(c, tag)
    return { rfq: c.rfq, quote: c.quote, position: c.position, cursor: c.cursor, key: 5, origin: 0 }
  }

  it.each(KEYED)('OM-109 OM-111 of %s is bound to its key: the same body is replayed, another is refused', (op) => {
    const d = bench()
    const account = OF_MAKERS.includes(op) ? MAKER : TAKER
    expect(d.send(op, account, fieldsOf(1))).toMatchObject({ code: 'invalidRequest' })
    expect(d.send(op, account, fieldsOf(1))).toMatchObject({ code: 'invalidRequest', list: [1] })
    expect(d.code(op, account, fieldsOf(2))).toBe('idempotencyKeyReused')
  })

  it('OM-187 OM-189 OM-190 meets the checks of its credential, scope and key first, which bind nothing', () => {
    const d = bench()
    expect(d.code('createRfq', TAKER, { ...fieldsOf(1), credential: -1 })).toBe('unauthenticated')
    expect(d.code('createRfq', TAKER, { ...fieldsOf(1), credential: d.issue(TAKER, 1) })).toBe('forbidden')
    expect(d.code('createRfq', TAKER, { ...fieldsOf(1), key: -2 })).toBe('invalidIdempotencyKey')
    expect(d.send('createRfq', TAKER, fieldsOf(2))).toMatchObject({ code: 'invalidRequest' })
  })

  it('OM-084 of a confirm is refused without a key', () => {
    const d = bench()
    for (const op of ['confirmQuote', 'declineQuote'] as const) expect(d.code(op, MAKER, { ...fieldsOf(1), key: -1 })).toBe('invalidRequest')
  })
})
