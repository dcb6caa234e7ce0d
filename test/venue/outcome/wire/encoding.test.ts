import fc from 'fast-check'
import { checksumAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { AcceptanceState, OperationKind, OperationStatus, PositionState, QuoteState, RfqState } from '../../../../src/venue/outcome/protocol/events.ts'
import {
  addressOfInput, countOf, hexOf, integerOf, integerOrNull, integerText, named, sideOf, timestampOrNull, timestampText, upperSnake, valueOf, wireNames,
} from '../../../../src/venue/outcome/wire/encoding.ts'
import { decimalOfLimbs, limbsOfDecimal } from '../../../../src/venue/outcome/protocol/outcomeId.ts'
import { priceText } from '../../../../src/venue/outcome/wire/marketBody.ts'

describe('amounts and large numbers', () => {
  it.each<[unknown, number | null]>([
    ['0', 0], ['1', 1], ['1002004', 1_002_004], ['100000000000', 100_000_000_000], ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', null], [1_002_004, null], ['', null], ['1.5', null], ['1e6', null], ['-1', null], ['+1', null], ['01', null],
    ['00', null], [' 1', null], ['1\n', null], ['0x1', null], ['١', null], [null, null], [undefined, null], [['1'], null], [{}, null], [true, null],
  ])('OM-022 reads the amount %j as %s', (value, micros) => {
    expect(integerOf(value)).toBe(micros)
  })

  it('OM-022 OM-023 writes amounts and sequence numbers as decimal strings, and reads them back', () => {
    expect([integerText(0), integerText(1_002_004), integerText(Number.MAX_SAFE_INTEGER)]).toEqual(['0', '1002004', '9007199254740991'])
    expect([integerOrNull(0), integerOrNull(-1)]).toEqual(['0', null])
    fc.assert(fc.property(fc.maxSafeNat(), (micros) => {
      expect(integerOf(integerText(micros))).toBe(micros)
      expect(JSON.stringify(integerText(micros))).toBe(`"${BigInt(micros)}"`)
    }))
  })

  it.each([-1, 0.5, NaN, 2 ** 53])('writes no %d', (value) => {
    expect(() => integerText(value)).toThrow('not a number of the wire')
  })

  it('OM-023 keeps every digit of an outcome_id', () => {
    const id = (2n ** 256n - 1n).toString()
    expect(decimalOfLimbs(limbsOfDecimal(id)!)).toBe(id)
  })

  it.each<[unknown, number | null]>([
    [0, 0], [1_750_378_980, 1_750_378_980], [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], [2 ** 53, null], [-1, null], [-0, null], [1.5, null],
    ['1750378980', null], [NaN, null], [null, null],
  ])('OM-032 reads %j as unix seconds %s', (value, seconds) => {
    expect(countOf(value)).toBe(seconds)
  })
})

describe('texts', () => {
  it.each<[unknown, number | null]>([['YES', 1], ['NO', 0], ['yes', null], ['no', null], ['Yes', null], ['MAYBE', null], ['', null], [1, null], [true, null], [null, null]])(
    'OM-025 OM-026 reads the side %j as %s', (value, side) => {
      expect(sideOf(value)).toBe(side)
    })

  /** The test cases of EIP-55. */
  const CHECKSUMMED = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', '0x52908400098527886E0F7030069857D2E4169EE7']
  it.each(CHECKSUMMED)('OM-027 OM-028 takes the checksummed %s, writes it in lower case', (address) => {
    expect(addressOfInput(address)).toBe(address.toLowerCase())
    expect(addressOfInput(address.toLowerCase())).toBe(address.toLowerCase())
  })

  it.each<unknown>([
    '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaedd',
    '0xgaaeb6053f3e94c9b9a09f33669435e7ef1beaed', '', 5, null,
  ])('OM-028 refuses the address %j', (value) => {
    expect(addressOfInput(value)).toBeNull()
  })

  it('OM-028 takes one spelling in mixed case of every address', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(39), (bytes, place) => {
      const address = checksumAddress(`0x${Buffer.from(bytes).toString('hex')}`)
      const letter = address[place + 2]!
      const flipped = `${address.slice(0, place + 2)}${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}${address.slice(place + 3)}`
      expect(addressOfInput(address)).toBe(address.toLowerCase())
      if (flipped !== address && flipped !== flipped.toLowerCase()) expect(addressOfInput(flipped)).toBeNull()
    }))
  })

  it.each<[unknown, number, boolean]>([
    ['0xab', 1, true], ['0x', 0, true], ['0xAB', 1, false], ['ab', 1, false], ['0xabc', 1, false], ['0xabcd', 1, false], ['0xag', 1, false], [171, 1, false],
  ])('OM-029 of %j as %i bytes of lowercase hex: %s', (value, bytes, valid) => {
    expect(hexOf(value, bytes)).toBe(valid ? value : null)
  })

  it('OM-031 writes instants as RFC 3339 in UTC, to the microsecond', () => {
    expect(timestampText(1_750_378_980_000_007)).toBe('2025-06-20T00:23:00.000007Z')
    expect(timestampText(0)).toBe('1970-01-01T00:00:00.000000Z')
    expect([timestampOrNull(-1), timestampOrNull(999_999)]).toEqual([null, '1970-01-01T00:00:00.999999Z'])
    expect(timestampText(1_709_164_799_999_999)).toBe('2024-02-28T23:59:59.999999Z')
    expect(timestampText(1_709_164_800_000_000)).toBe('2024-02-29T00:00:00.000000Z')
  })

  it('writes prices in dollars, or null', () => {
    expect([5_200, 10_000, 1, 0, -1].map(priceText)).toEqual(['0.5200', '1.0000', '0.0001', '0.0000', null])
  })
})

describe('enum values', () => {
  it('OM-033 are upper snake case', () => {
    expect([upperSnake('inFlight'), upperSnake('open'), upperSnake('timedOut')]).toEqual(['IN_FLIGHT', 'OPEN', 'TIMED_OUT'])
    for (const values of [RfqState, QuoteState, AcceptanceState, OperationKind, OperationStatus, PositionState]) {
      const texts = Object.values(wireNames(values))
      expect(texts).toHaveLength(Object.keys(values).length)
      for (const text of texts) expect(text).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    }
    expect(named(wireNames(AcceptanceState), AcceptanceState.accepted)).toBe('ACCEPTED')
    expect(() => named(wireNames(AcceptanceState), 5)).toThrow('value 5 has no name among ACCEPTED')
  })

  it('OM-034 that a reader does not know are passed over', () => {
    const states = wireNames(AcceptanceState)
    const read = ['CONFIRMED', 'POSTPONED', 'confirmed', '', null, 2, 'toString', 'TIMED_OUT'].map((name) => valueOf(states, name))
    expect(read).toEqual([2, undefined, undefined, undefined, undefined, undefined, undefined, 4])
    const known = ['ACCEPTED', 'FROZEN', 'DECLINED'].flatMap((name) => valueOf(states, name) ?? [])
    expect(known).toEqual([1, 3])
  })
})
