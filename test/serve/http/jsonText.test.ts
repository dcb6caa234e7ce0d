import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonText } from '../../../src/serve/http/jsonText.ts'

const read = (text: string) => readJsonText(new TextEncoder().encode(text))

describe('a JSON body', () => {
  it('PQ-013 is read as what it says, whatever that is', () => {
    fc.assert(fc.property(fc.json(), (text) => {
      expect(read(text)).toEqual({ value: JSON.parse(text) as unknown })
    }))
  })

  it.each<[string, Uint8Array | string]>([
    ['nothing', ''], ['half an object', '{"a":1'], ['a bare word', 'legs'], ['a trailing comma', '{"a":1,}'], ['two values', '{} {}'],
    ['single quotes', "{'a':1}"], ['a comment', '{}//'], ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['half a character', Uint8Array.of(0x22, 0xe2, 0x82, 0x22)],
  ])('PQ-388 is malformed when it is %s', (_, body) => {
    expect(typeof body === 'string' ? read(body) : readJsonText(body)).toEqual({ fault: 'malformed' })
  })

  it.each([
    '{"a":1,"a":1}', '{"a":1,"b":{"c":1,"c":2}}', '[{"a":[],"b":0,"a":{}}]', '{"a":1,"\\u0061":2}', '{"":1,"":2}', '{"x{\\"":1,"x{\\"":2}',
  ])('has no name twice in one object: %s', (text) => {
    expect(read(text)).toEqual({ fault: 'duplicate' })
  })

  it.each([
    '{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"a"}', '{"a":["a","a"]}', '{"a":"\\"a\\":","b":"{\\"a\\":1,\\"a\\":2}"}', '{"a":{"b":1},"b":1}',
  ])('may have a name in two places: %s', (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(text) as unknown })
  })

  it('may be deep', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(read(deep)).toHaveProperty('value')
  })
})
