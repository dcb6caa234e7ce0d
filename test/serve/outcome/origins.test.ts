import { describe, expect, it } from 'vitest'
import { OriginBook, originOf, OTHER_ORIGIN } from '../../../src/serve/outcome/origins.ts'
import { subprotocolOf } from '../../../src/serve/outcome/subprotocol.ts'

const NONE = -1
const SEVERAL = -2
const PAGE = 'https://bets.example'

describe('the Origin of a call', () => {
  const book = new OriginBook([PAGE, 'http://localhost:5173'], 8)

  it.each<[string, readonly string[], number]>([
    ['none', [], NONE], ['an empty one', [''], NONE], ['one that is opaque', ['null'], NONE],
    ['the first that is allowed', [PAGE], 0], ['the second', ['http://localhost:5173'], 1],
    ['another scheme', ['http://bets.example'], OTHER_ORIGIN], ['another port', ['https://bets.example:8443'], OTHER_ORIGIN],
    ['the scheme\'s own port', ['https://bets.example:443'], NONE], ['upper case', ['https://Bets.example'], NONE],
    ['a path', ['https://bets.example/'], NONE], ['a host alone', ['bets.example'], NONE],
    ['the same twice', [PAGE, PAGE], SEVERAL], ['two', [PAGE, 'https://other.example'], SEVERAL],
    ['two in one header', [`${PAGE} https://other.example`], SEVERAL], ['two with a comma', [`${PAGE}, ${PAGE}`], SEVERAL],
  ])('OM-137 of %s is %j: %i', (_, values, number) => {
    expect(originOf(values, book)).toBe(number)
  })

  it('OM-137 OM-127 is numbered when a wallet signs in from it, behind those that may issue keys', () => {
    const own = new OriginBook([PAGE], 8)
    expect(own.enter('https://other.example')).toBe(8)
    expect(own.enter('https://third.example')).toBe(9)
    expect([PAGE, 'https://other.example', 'https://third.example', 'https://fourth.example'].map((text) => originOf([text], own)))
      .toEqual([0, 8, 9, OTHER_ORIGIN])
    expect([own.enter(PAGE), own.enter('https://other.example')]).toEqual([0, 8])
  })

  it('OM-127 takes no more origins that may issue keys than the gate has numbers for', () => {
    expect(originOf(['https://b.example'], new OriginBook(['https://a.example', 'https://b.example'], 2))).toBe(1)
    expect(() => new OriginBook(['https://a.example', 'https://b.example'], 1)).toThrow()
    expect(() => new OriginBook(['https://a.example/path'], 1)).toThrow()
  })
})

describe('the subprotocol of a socket', () => {
  it.each<[readonly string[], number]>([
    [['outcome-rfq.v1'], 1], [['graphql-ws, outcome-rfq.v1'], 1], [['graphql-ws', 'outcome-rfq.v1'], 1], [['  outcome-rfq.v1 '], 1],
    [[], NONE], [[''], NONE], [['outcome-rfq.v2'], NONE], [['OUTCOME-RFQ.V1'], NONE], [['outcome-rfq.v1x'], NONE], [['outcome-rfq.v1 x'], NONE],
  ])('OM-188 OM-295 offered as %j is %i', (values, version) => {
    expect(subprotocolOf(values)).toBe(version)
  })
})
