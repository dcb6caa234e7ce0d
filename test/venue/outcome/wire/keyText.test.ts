import { describe, expect, it } from 'vitest'
import { Credential } from '../../../../src/venue/outcome/protocol/access.ts'
import { credentialOf, keyText, partsOfKey } from '../../../../src/venue/outcome/wire/keyText.ts'
import { identity } from './rows.ts'

const KEY = 'outcome_v1_test_de1d66dd-d3a0-889e-84c6-cd367fa93146.UiE2hgAERm7BHj8281OixC1rupeo_J3cchEH6R_gwh8'
/** Keys of the parlay service: their form, and one that a session of it makes. */
const PARLAY = ['api_test_HrpITfz5ynYtAEKIaWwangzZc8QowBDL', 'api_live_0123456789012345678901234567']

describe('the text of a key', () => {
  it('OM-135 is <prefix>_v1_<env>_<key_id>.<secret>', () => {
    expect(keyText(identity, 5)).toBe(KEY)
    expect(partsOfKey(KEY)).toEqual({ environment: 'test', keyId: identity.apiKey(5), secret: identity.secret(5) })
    expect(partsOfKey(KEY.replace('_test_', '_production_'))).toMatchObject({ environment: 'production' })
    expect(new Set([1, 2, 3].map((n) => keyText(identity, n))).size).toBe(3)
  })

  it.each([
    KEY.replace('outcome', 'parlay'), KEY.replace('_v1_', '_v2_'), KEY.replace('_v1_', '_'), KEY.replace('_test_', '_dev_'), KEY.replace('.', '_'),
    KEY.replace('de1d66dd', 'DE1D66DD'), KEY.replace('de1d66dd-', ''), KEY.slice(0, -1), `${KEY}x`, ` ${KEY}`, `${KEY}\n`, KEY.split('.')[0]!, '',
  ])('OM-135 is not %j', (text) => {
    expect(partsOfKey(text)).toBeNull()
  })

  it.each(PARLAY)('OM-004 is not that of a parlay key: %s', (text) => {
    expect(partsOfKey(text)).toBeNull()
  })
})

describe('an Authorization header', () => {
  const given = {
    keyOfId: (id: string): number | undefined => [5, 6].find((n) => identity.apiKey(n) === id),
    sessionOfToken: (token: string): number | undefined => (token === identity.accessToken(9) ? 9 : undefined),
  }
  const read = (header: string | undefined): number => credentialOf(identity, header, given)

  it('OM-134 is Bearer and the key', () => {
    expect(read(`Bearer ${KEY}`)).toBe(5)
    expect(read(`bearer ${keyText(identity, 6)}`)).toBe(6)
  })

  it('is Bearer and the access_token of a wallet session', () => {
    expect(read(`Bearer ${identity.accessToken(9)}`)).toBe(9)
  })

  it.each([undefined, ''])('OM-134 names no credential when it is %j', (header) => {
    expect(read(header)).toBe(Credential.none)
  })

  it.each([
    KEY, `Basic ${KEY}`, 'Bearer', 'Bearer ', `Bearer  ${KEY}`, `Bearer ${KEY} `, `Bearer ${KEY},${KEY}`, `Bearer ${keyText(identity, 7)}`,
    `Bearer ${identity.accessToken(8)}`, `Bearer ${KEY.slice(0, -1)}9`, `Bearer ${KEY.replace('_test_', '_production_')}`,
  ])('OM-134 names nothing that was given out in %j', (header) => {
    expect(read(header)).toBe(Credential.malformed)
  })

  it.each(PARLAY)('OM-004 names nothing with the parlay key %s', (key) => {
    expect(read(`Bearer ${key}`)).toBe(Credential.malformed)
  })
})
