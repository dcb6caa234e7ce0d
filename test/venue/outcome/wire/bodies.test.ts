import { describe, expect, it } from 'vitest'
import type { OutcomeCredentialView } from '../../../../src/venue/outcome/protocol/gate.ts'
import type { AcceptanceView, OperationView, OutcomeQuoteView, RfqView } from '../../../../src/venue/outcome/protocol/view.ts'
import {
  apiKeyBody, balanceBody, capitalBody, challengeBody, deploymentBody, identityBody, issuedKeyBody, reductionBody, sessionBody,
} from '../../../../src/venue/outcome/wire/accountBodies.ts'
import { isUuidV7 } from '../../../../src/venue/outcome/wire/identity.ts'
import { keyText } from '../../../../src/venue/outcome/wire/keyText.ts'
import { marketBody } from '../../../../src/venue/outcome/wire/marketBody.ts'
import { acceptanceBody, operationBody, positionBody, quoteBody, rfqBody, withdrawalBody } from '../../../../src/venue/outcome/wire/tradeBodies.ts'
import { AT_US, identity, names, sent } from './rows.ts'

const AT = '2025-06-20T00:23:00.000007Z'
const LEGS = [{ outcome: 3, side: 1 }, { outcome: 5, side: 0 }]
const LEG_BODIES = [{ outcome_id: '1180591620717411303427', side: 'YES' }, { outcome_id: '1180591620717411303429', side: 'NO' }]

const RFQ: RfqView = {
  number: 2, owner: 10, state: 2, generation: 1, position: -1, stakeMicros: 25_000_000, netStakeMicros: 24_950_000, openUntilUs: AT_US + 20_000_000,
  legs: LEGS, acceptedQuote: 5, bestQuote: -1,
}
const QUOTE: OutcomeQuoteView = {
  number: 5, rfq: 2, maker: 20, state: 1, generation: 1, netStakeMicros: 24_950_000, payoutMicros: 99_000_000, riskMicros: 74_050_000, takerFeeBps: 20,
  feeBps: 100, signer: 33, expiresAtUs: AT_US,
}
const ACCEPTANCE: AcceptanceView = {
  number: 1, key: 7, quote: 5, rfq: 2, taker: 10, maker: 20, state: 1, acceptedAtUs: AT_US, confirmUntilUs: AT_US + 2_000_000, stakeMicros: 25_000_000,
  coreMicros: 0, operation: -1,
}
const OPERATION: OperationView = { number: 4, kind: 1, status: 1, account: 10, acceptance: 1, amountMicros: 99_000_000 }
const POSITION = {
  number: 12, rfq: 2, quote: 5, holder: 10, backer: 20, netStakeMicros: 24_950_000, payoutMicros: 99_000_000, costMicros: 25_000_000,
  basisMicros: 24_950_000, entryFeeMicros: 50_000, feeBps: 100, state: 1, legs: LEGS,
}
const MARKET = { outcome: 3, title: 'Will it?', status: 'LISTED', closesAtUs: AT_US, price: { bidE4: 5_200, askE4: -1, atUs: AT_US } } as const
const KEY: OutcomeCredentialView = {
  number: 5, account: 10, kind: 'key', scopes: 1 | 16, origin: -1, expiresAtUs: AT_US + 1, lastUsedUs: -1, state: 'active',
}
const FACTS = { label: 'bot', role: 0, createdAtUs: AT_US, revokedAtUs: -1 }
const BALANCE = { role: 1, freeMicros: 5, reservedMicros: 0, core: 'idle', signer: 33 } as const

describe('records of a trade', () => {
  it('OM-045 OM-024 an RFQ', () => {
    expect(sent(rfqBody(names, RFQ, AT_US))).toEqual({
      rfq_id: identity.rfq(2), kind: 'ENTRY', status: 'IN_FLIGHT', account_id: identity.account(10), generation: 1, position_id: null,
      stake: '25000000', net_stake: '24950000', legs: LEG_BODIES, created_at: AT, open_until: '2025-06-20T00:23:20.000007Z',
      accepted_quote_id: identity.quote(5), best_quote_id: null,
    })
  })

  it('OM-045 an RFQ of a cash-out has its position and no stake', () => {
    const body = rfqBody(names, { ...RFQ, position: 12, stakeMicros: -1, netStakeMicros: -1, bestQuote: 6 }, AT_US)
    expect(body).toMatchObject({
      kind: 'CASHOUT', position_id: identity.position(12), stake: null, net_stake: null, best_quote_id: identity.quote(6),
    })
  })

  it('OM-046 a quote', () => {
    expect(sent(quoteBody(names, QUOTE))).toEqual({
      quote_id: identity.quote(5), rfq_id: identity.rfq(2), maker_id: identity.account(20), status: 'LIVE', generation: 1, net_stake: '24950000',
      payout: '99000000', risk: '74050000', taker_fee_bps: 20, fee_bps: 100, signer: `0x${'0'.repeat(38)}33`, expires_at: AT,
    })
    expect(quoteBody(names, { ...QUOTE, netStakeMicros: -1, takerFeeBps: -1 })).toMatchObject({ net_stake: null, taker_fee_bps: null })
  })

  it.each([[1, 'LIVE'], [2, 'REPLACED'], [3, 'CANCELLED'], [4, 'EXPIRED'], [5, 'DEAD'], [6, 'ACCEPTED'], [7, 'FILLED'], [8, 'FAILED']])(
    'OM-033 OM-046 a quote in state %i is %s', (state, status) => {
      expect(quoteBody(names, { ...QUOTE, state }).status).toBe(status)
    })

  it('OM-047 OM-053 an acceptance', () => {
    expect(sent(acceptanceBody(names, ACCEPTANCE))).toEqual({
      acceptance_id: identity.idempotencyKey(10, 7), quote_id: identity.quote(5), rfq_id: identity.rfq(2), account_id: identity.account(10),
      maker_id: identity.account(20), status: 'ACCEPTED', accepted_at: AT, confirm_until: '2025-06-20T00:23:02.000007Z', stake: '25000000', core: '0',
      operation_id: null,
    })
    expect(acceptanceBody(names, { ...ACCEPTANCE, state: 2, stakeMicros: -1, operation: 4 })).toMatchObject({
      status: 'CONFIRMED', stake: null, core: null, operation_id: identity.operation(4),
    })
    expect([3, 4].map((state) => acceptanceBody(names, { ...ACCEPTANCE, state }).status)).toEqual(['DECLINED', 'TIMED_OUT'])
  })

  it('OM-051 an operation', () => {
    expect(sent(operationBody(names, OPERATION))).toEqual({
      operation_id: identity.operation(4), kind: 'FILL', status: 'PENDING', account_id: identity.account(10), acceptance_id: identity.acceptance(1),
      amount: '99000000',
    })
    const others = [[2, 2], [3, 3]].map(([kind, status]) => operationBody(names, { ...OPERATION, kind: kind!, status: status!, acceptance: -1 }))
    expect(others.map(({ kind, status, acceptance_id }) => [kind, status, acceptance_id])).toEqual([['CASHOUT', 'DONE', null], ['WITHDRAWAL', 'FAILED', null]])
  })

  it('OM-050 OM-030 a withdrawal is its operation', () => {
    const body = withdrawalBody(names, { ...OPERATION, kind: 3, acceptance: -1 })
    expect(sent(body)).toEqual({
      withdrawal_id: identity.operation(4), operation_id: identity.operation(4), status: 'PENDING', account_id: identity.account(10), amount: '99000000',
    })
    expect(isUuidV7(body.withdrawal_id)).toBe(true)
  })

  it('OM-048 a position', () => {
    expect(sent(positionBody(names, POSITION))).toEqual({
      position_id: identity.position(12), rfq_id: identity.rfq(2), quote_id: identity.quote(5), holder_id: identity.account(10),
      maker_id: identity.account(20), status: 'OPEN', legs: LEG_BODIES, net_stake: '24950000', payout: '99000000', cost: '25000000', basis: '24950000',
      entry_fee: '50000', fee_bps: 100,
    })
    expect(positionBody(names, { ...POSITION, state: 2 }).status).toBe('CLOSING')
  })

  it('OM-049 OM-023 a market', () => {
    expect(sent(marketBody(names, MARKET))).toEqual({
      outcome_id: '1180591620717411303427', market_id: identity.market(3), title: 'Will it?', status: 'LISTED', closes_at: AT, bid: '0.5200', ask: null,
    })
    expect(marketBody(names, { ...MARKET, price: null })).toMatchObject({ bid: null, ask: null })
  })
})

describe('records of an account', () => {
  it('OM-133 balances and identity', () => {
    expect(balanceBody(identity, 10, { ...BALANCE, role: 0, freeMicros: 1_000_000, reservedMicros: 5, core: 'funding' })).toEqual({
      account_id: identity.account(10), free: '1000000', reserved: '5', core_status: 'FUNDING',
    })
    expect(identityBody(names, 20, BALANCE)).toEqual({ id: identity.account(20), kind: 'MAKER', signer: `0x${'0'.repeat(38)}33` })
    expect(identityBody(names, 21, { ...BALANCE, role: null, signer: -1 })).toEqual({ id: identity.account(21), kind: null, signer: null })
  })

  it('OM-052 capital of a maker', () => {
    const capital = { freeMicros: 1, pendingMicros: 2, backedMicros: 3, reductionsMicros: 4, quotedMicros: 5 }
    expect(capitalBody(identity, 20, capital)).toEqual({
      maker_id: identity.account(20), free: '1', pending: '2', backed: '3', reductions: '4', quoted: '5',
    })
  })

  it('OM-133 a collateral reduction', () => {
    expect(reductionBody(identity, 3, 20, 5_000_000, AT_US)).toEqual({
      reduction_id: identity.reduction(3), maker_id: identity.account(20), amount: '5000000', released_at: AT,
    })
  })

  it('OM-105 OM-005 the deployment: chain, vault and fees that every signature binds to', () => {
    expect(deploymentBody(identity, { takerFeeBps: 20, feeBps: 100 })).toEqual({
      chain_id: '999', vault: identity.vault(), taker_fee_bps: 20, fee_bps: 100, domain: { name: 'Outcome-Market RFQ', version: '1' },
    })
  })

  it('OM-133 a challenge and a session', () => {
    expect(challengeBody(identity, 3, AT_US)).toEqual({ challenge_id: identity.challenge(3), expires_at: AT })
    expect(sessionBody(identity, { ...KEY, kind: 'session', number: 9, expiresAtUs: AT_US })).toEqual({
      access_token: identity.accessToken(9), expires_at: AT,
    })
  })
})

describe('an API key', () => {
  it('OM-037 OM-038 has id, account, environment, label and scopes', () => {
    expect(apiKeyBody(identity, KEY, FACTS)).toMatchObject({
      id: identity.apiKey(5), account: { kind: 'PARTICIPANT', id: identity.account(10) }, environment: 'test', label: 'bot',
      scopes: ['account:read', 'rfq:write'],
    })
    expect(apiKeyBody(identity, KEY, { ...FACTS, role: 1 }).account.kind).toBe('MAKER')
  })

  it('OM-039 OM-040 has a status, and instants or null', () => {
    expect(apiKeyBody(identity, KEY, FACTS)).toMatchObject({
      status: 'ACTIVE', created_at: AT, expires_at: '2025-06-20T00:23:00.000008Z', last_used_at: null, revoked_at: null,
    })
    expect(apiKeyBody(identity, { ...KEY, state: 'revoked', expiresAtUs: -1, lastUsedUs: AT_US }, { ...FACTS, revokedAtUs: AT_US })).toMatchObject({
      status: 'REVOKED', expires_at: null, last_used_at: AT, revoked_at: AT,
    })
    expect(apiKeyBody(identity, { ...KEY, state: 'expired' }, FACTS).status).toBe('EXPIRED')
  })

  it('OM-041 OM-042 is issued as { key, secret }, without a rotation', () => {
    const body = sent(issuedKeyBody(identity, KEY, FACTS))
    expect(body).toEqual({ key: sent(apiKeyBody(identity, KEY, FACTS)), secret: keyText(identity, 5) })
    expect(body['key']).toMatchObject({ rotated_from: null, overlap_until: null })
  })

  it('OM-043 shows its secret at its creation only', () => {
    const later = JSON.stringify(apiKeyBody(identity, { ...KEY, lastUsedUs: AT_US }, FACTS))
    expect(later).not.toContain(identity.secret(5))
    expect(JSON.stringify(issuedKeyBody(identity, KEY, FACTS))).toContain(identity.secret(5))
  })
})

describe('every body', () => {
  const BODIES: Readonly<Record<string, object>> = {
    rfq: rfqBody(names, RFQ, AT_US), quote: quoteBody(names, QUOTE), acceptance: acceptanceBody(names, { ...ACCEPTANCE, operation: 4 }),
    operation: operationBody(names, OPERATION), withdrawal: withdrawalBody(names, OPERATION), position: positionBody(names, POSITION),
    market: marketBody(names, MARKET), balance: balanceBody(identity, 10, BALANCE), identity: identityBody(names, 10, BALANCE),
    capital: capitalBody(identity, 20, { freeMicros: 1, pendingMicros: 2, backedMicros: 3, reductionsMicros: 4, quotedMicros: 5 }),
    reduction: reductionBody(identity, 3, 20, 5, AT_US), deployment: deploymentBody(identity, { takerFeeBps: 20, feeBps: 100 }),
    key: issuedKeyBody(identity, KEY, FACTS), challenge: challengeBody(identity, 3, AT_US), session: sessionBody(identity, KEY),
  }
  const entries = (value: unknown): [string, unknown][] =>
    typeof value !== 'object' || value === null ? []
      : Object.entries(value).flatMap(([name, inner]) => [...(Array.isArray(value) ? [] : [[name, inner] as [string, unknown]]), ...entries(inner)])

  it.each(Object.keys(BODIES))('OM-017 of %s has names in snake case', (name) => {
    for (const [key] of entries(BODIES[name])) expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  it.each(Object.keys(BODIES))('OM-022 OM-023 of %s has no JSON number but a generation or basis points', (name) => {
    const numbers = entries(BODIES[name]).filter(([, value]) => typeof value === 'number').map(([key]) => key)
    expect(numbers.filter((key) => key !== 'generation' && !key.endsWith('_bps'))).toEqual([])
  })

  it.each(Object.keys(BODIES))('OM-027 OM-029 OM-031 of %s has lowercase hex, and instants in UTC', (name) => {
    for (const [key, value] of entries(BODIES[name])) {
      if (typeof value === 'string' && value.startsWith('0x')) expect(value).toMatch(/^0x[0-9a-f]+$/)
      if (/_at$|_until$/.test(key)) expect(value === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(value as string)).toBe(true)
    }
    expect(entries(BODIES[name]).length).toBeGreaterThan(1)
  })
})
