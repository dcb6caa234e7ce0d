import { describe, expect, it } from 'vitest'
import { OutcomeEvent } from '../../../../src/venue/outcome/protocol/events.ts'
import { SignedTerms, TermsKind } from '../../../../src/venue/outcome/protocol/terms.ts'
import { isUuidV7, KeyHeader, keyOfHeaders, WireIdentity } from '../../../../src/venue/outcome/wire/identity.ts'
import { OriginLog } from '../../../../src/venue/outcome/wire/originLog.ts'
import { digestOf, typedMessageOf } from '../../../../src/venue/outcome/wire/typedData.ts'
import { kindNames } from '../cellNames.ts'
import { AT_US, type Fields, identity, origins, outcomeIdOf, row } from './rows.ts'

/** Literals were computed by HMAC-SHA256 of Python under SHA-256 of `session 7`, and laid out by hand. */
describe('ids of the wire', () => {
  it('are HMAC-SHA256 of kind and numbers under the session key', () => {
    expect(identity.account(3)).toBe('1fbfb2ac-9787-871b-a8f4-ca2869c2b51b')
    expect(identity.challenge(2)).toBe('166ee3bc-d060-8fd7-b135-262d6fc14bff')
    expect(identity.apiKey(5)).toBe('de1d66dd-d3a0-889e-84c6-cd367fa93146')
    expect(identity.secret(5)).toBe('UiE2hgAERm7BHj8281OixC1rupeo_J3cchEH6R_gwh8')
    expect(identity.accessToken(5)).toBe('E0I8PTJPMo0FXA-Q30vjzEpk8e33WyVtqaRqumSxy1k')
    expect(identity.vault()).toBe('0xbb922b6bfd6e586eb46fce4c5b08cf392616a164')
  })

  it('OM-029 quote_id and position_id are lowercase 0x hex', () => {
    expect(identity.quote(8)).toBe('0xaf1bc210d3090e273dfe40ad533e0ee60a9e5b1eba86b9e0b720701514341697')
    expect(identity.position(12)).toBe('0xda25c109c66f23a8c24c086b60d31160d0b4d977e7c8dc5006260044768510c7')
  })

  // The instants are 2025-06-20T00:23:00.006 and .004, 0x01978ab7a2a6 and …a4 ms; key 7 stands for the millisecond 7.
  it('OM-030 rfq_id, acceptance_id and withdrawal_id are UUIDv7 with the instant of creation', () => {
    expect(identity.rfq(6)).toBe('01978ab7-a2a6-7487-9749-642c7b46cf77')
    expect(identity.operation(4)).toBe('01978ab7-a2a4-7abb-9ef4-2071b6bd10fb')
    expect(identity.acceptance(1)).toBe('00000000-0007-7207-b958-b12cd9217eac')
    for (const id of [identity.rfq(1), identity.operation(1), identity.acceptance(2), identity.idempotencyKey(10, 268_435_455)]) {
      expect(isUuidV7(id)).toBe(true)
    }
  })

  it('OM-080 an acceptance_id is the Idempotency-Key of its accept', () => {
    expect(identity.acceptance(3)).toBe(identity.idempotencyKey(10, 8))
    expect(identity.acceptance(2)).toBe(identity.idempotencyKey(11, 7))
    expect(identity.acceptance(2)).not.toBe(identity.acceptance(1))
  })

  // The client cannot know what a secret of the session would make of its key, so that it could sign no other.
  it('OM-080 OM-030 an acceptance_id is the client\'s own Idempotency-Key where it sent one, and what it signs has it', () => {
    const sent = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
    const clientKeys = { textOf: (account: number, key: number) => (account === 10 && key === 8 ? sent : null) }
    const wire = new WireIdentity('session 7', origins(), clientKeys)
    expect([wire.acceptance(3), wire.idempotencyKey(10, 8)]).toEqual([sent, sent])
    expect([1, 2].map((n) => wire.acceptance(n))).toEqual([1, 2].map((n) => identity.acceptance(n)))
    const accept = Object.assign(new SignedTerms().reset(TermsKind.acceptance, 10), { rfq: 2, quote: 5, key: 8, payoutMicros: 40, feeBps: 100, position: 4 })
    expect(typedMessageOf(accept, wire, outcomeIdOf).message['acceptanceId']).toBe(sent)
    expect(digestOf(accept, wire, outcomeIdOf)).not.toBe(digestOf(accept, identity, outcomeIdOf))
    const confirm = Object.assign(new SignedTerms().reset(TermsKind.confirmation, 20), { rfq: 2, quote: 5, value: 3, payoutMicros: 40, feeBps: 100, position: 4 })
    expect(typedMessageOf(confirm, wire, outcomeIdOf).message['acceptanceId']).toBe(sent)
  })

  it('OM-030 UUIDv7 sort as what they name was made', () => {
    const ids = [6, 5, 4, 3, 2, 1].map((n) => identity.rfq(n))
    expect([...ids].sort()).toEqual([...ids].reverse())
    const keys = [300, 20, 1].map((n) => identity.idempotencyKey(10, n))
    expect([...keys].sort()).toEqual([...keys].reverse())
  })

  it('OM-031 OM-032 instants and signed seconds are shifted with the session, and what is numbered by them', () => {
    const hourUs = 3_600_000_000
    const shifted = new WireIdentity('session 7', origins(), null, hourUs)
    expect([identity.instant(AT_US), shifted.instant(AT_US), shifted.instantOrNull(AT_US), shifted.instantOrNull(-1)])
      .toEqual(['2025-06-20T00:23:00.000007Z', '2025-06-20T01:23:00.000007Z', '2025-06-20T01:23:00.000007Z', null])
    expect([identity.seconds(7), shifted.seconds(7)]).toEqual([7, 3_607])
    const msOf = (uuid: string): number => parseInt(uuid.replace('-', '').slice(0, 12), 16)
    expect([msOf(shifted.rfq(2)) - msOf(identity.rfq(2)), msOf(shifted.operation(2)) - msOf(identity.operation(2))]).toEqual([3_600_000, 3_600_000])
    // The key of a simulated account has a number in place of an instant.
    expect(shifted.idempotencyKey(10, 8)).toBe(identity.idempotencyKey(10, 8))
    expect(() => new WireIdentity('session 7', origins(), null, 1)).toThrow('dates are shifted by whole seconds')
  })

  it('are others for every kind, number and session, and the same in every process', () => {
    const ids = (wire: WireIdentity): string[] => [wire.vault(), ...[1, 2, 3].flatMap((n) => [
      wire.account(n), wire.market(n), wire.rfq(n), wire.quote(n), wire.position(n), wire.acceptance(n), wire.operation(n), wire.reduction(n),
      wire.request(n), wire.challenge(n), wire.apiKey(n), wire.secret(n), wire.accessToken(n),
    ])]
    const all = [...ids(identity), ...ids(new WireIdentity('session 8', origins()))]
    expect(new Set(all).size).toBe(80)
    expect(ids(new WireIdentity(new TextEncoder().encode('session 7'), origins()))).toEqual(ids(identity))
  })
})

describe('origins', () => {
  it.each([0, 7, 1023, -1, 1.5])('have no RFQ, operation or acceptance %d', (number) => {
    expect(() => identity.rfq(number)).toThrow('no row told of this RFQ')
    expect(() => identity.operation(number)).toThrow('no row told of this operation')
    expect(() => identity.acceptance(number)).toThrow('no row told of this acceptance')
  })

  it('come back from an image', () => {
    const other = new OriginLog(1)
    other.restore(origins().snapshot())
    const ids = ({ rfq, operation, acceptance }: { rfq: string; operation: string; acceptance: string }) => [rfq, operation, acceptance]
    const of = (wire: WireIdentity) => ids({ rfq: wire.rfq(6), operation: wire.operation(4), acceptance: wire.acceptance(3) })
    expect(of(new WireIdentity('session 7', other))).toEqual(of(identity))
    other.take(row(OutcomeEvent.rfqCreated, { rfq: 7 }), { acceptance: () => null })
    expect(other.rfqCreatedAtUs(7)).toBe(AT_US)
    expect(() => origins().rfqCreatedAtUs(7)).toThrow('no row')
  })

  it('are told by three kinds of row only', () => {
    const log = new OriginLog()
    for (const kind of Object.values(OutcomeEvent)) {
      if (kind !== OutcomeEvent.rfqCreated && kind !== OutcomeEvent.operationStarted && kind !== OutcomeEvent.quoteAccepted) {
        const told = Object.keys(kindNames(kind)).filter((name) => name !== 'position').map((name) => [name, 1])
        log.take(row(kind, Object.fromEntries(told) as Fields), { acceptance: () => null })
      }
    }
    expect(() => log.rfqCreatedAtUs(1)).toThrow('no row')
    expect(() => log.operationStartedAtUs(1)).toThrow('no row')
    expect(() => log.acceptance(1)).toThrow('no row')
  })
})

const KEY = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

describe('an Idempotency-Key header', () => {
  const numberOf = (text: string): number => (text === KEY ? 5 : 6)

  it('OM-107 is exactly one lowercase UUIDv7', () => {
    expect(keyOfHeaders([KEY], numberOf)).toBe(5)
    expect(keyOfHeaders([KEY.replace('0190', '0191')], numberOf)).toBe(6)
    expect(keyOfHeaders([], numberOf)).toBe(KeyHeader.none)
    expect(keyOfHeaders([KEY, KEY], numberOf)).toBe(KeyHeader.malformed)
    expect(keyOfHeaders([`${KEY}, ${KEY}`], numberOf)).toBe(KeyHeader.malformed)
    expect([KeyHeader.none, KeyHeader.malformed]).toEqual([-1, -2])
  })

  it.each([
    [KEY, true],
    ['00000000-0000-7000-8000-000000000000', true],
    ['ffffffff-ffff-7fff-bfff-ffffffffffff', true],
    ['0190a1b2-c3d4-7e5f-9a9b-0c1d2e3f4a5b', true],
    ['0190a1b2-c3d4-7e5f-aa9b-0c1d2e3f4a5b', true],
    ['0190a1b2-c3d4-7e5f-ba9b-0c1d2e3f4a5b', true],
    ['0190a1b2-c3d4-7e5f-7a9b-0c1d2e3f4a5b', false],
    ['0190a1b2-c3d4-7e5f-ca9b-0c1d2e3f4a5b', false],
    ['0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B', false],
    ['0190a1b2-c3d4-7e5f-8A9b-0c1d2e3f4a5b', false],
    ['0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b', false],
    ['0190a1b2-c3d4-1e5f-8a9b-0c1d2e3f4a5b', false],
    ['0190a1b2-c3d4-8e5f-8a9b-0c1d2e3f4a5b', false],
    ['0190a1b2c3d47e5f8a9b0c1d2e3f4a5b', false],
    ['0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5', false],
    ['0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b0', false],
    ['0190a1b-2c3d4-7e5f-8a9b-0c1d2e3f4a5b', false],
    ['0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5g', false],
    [`{${KEY}}`, false],
    [`urn:uuid:${KEY}`, false],
    [` ${KEY}`, false],
    [`${KEY}\n`, false],
    ['', false],
  ])('OM-108 of the text %j is valid: %s', (text, valid) => {
    expect(isUuidV7(text)).toBe(valid)
    expect(keyOfHeaders([text], numberOf)).toBe(valid ? numberOf(text) : KeyHeader.malformed)
  })
})
