import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import * as responses from '../../../src/serve/outcome/responses.ts'
import { WalletSignIns } from '../../../src/serve/outcome/walletSignIns.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { AcceptanceState, OperationKind, OperationStatus, PositionState, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeCredentialView } from '../../../src/venue/outcome/protocol/gate.ts'
import {
  apiKeyBody, balanceBody, capitalBody, challengeBody, deploymentBody, identityBody, issuedKeyBody, reductionBody, sessionBody,
} from '../../../src/venue/outcome/wire/accountBodies.ts'
import { errorAnswer } from '../../../src/venue/outcome/wire/errors.ts'
import { marketBody, type MarketStatus } from '../../../src/venue/outcome/wire/marketBody.ts'
import { listBody } from '../../../src/venue/outcome/wire/paging.ts'
import { acceptanceBody, operationBody, positionBody, quoteBody, rfqBody, withdrawalBody } from '../../../src/venue/outcome/wire/tradeBodies.ts'
import { AT_US, identity, names, sent } from '../../venue/outcome/wire/rows.ts'

const legs = [{ outcome: 3, side: 1 }, { outcome: 5, side: 0 }]
const rfq = {
  number: 2, owner: 10, state: 1, generation: 1, position: -1, stakeMicros: 25_000_000, netStakeMicros: 24_950_000, openUntilUs: AT_US, legs,
  acceptedQuote: 5, bestQuote: 6,
}
const sale = { ...rfq, position: 12, stakeMicros: -1, netStakeMicros: -1, acceptedQuote: -1, bestQuote: -1 }
const quote = {
  number: 5, rfq: 2, maker: 20, state: 1, generation: 1, netStakeMicros: 24_950_000, payoutMicros: 99_000_000, riskMicros: 74_050_000, takerFeeBps: 20,
  feeBps: 100, signer: 33, expiresAtUs: AT_US,
}
const acceptance = {
  number: 1, key: 7, quote: 5, rfq: 2, taker: 10, maker: 20, state: 1, acceptedAtUs: AT_US, confirmUntilUs: AT_US, stakeMicros: 25_000_000, coreMicros: 0,
  operation: 4,
}
const operation = { number: 4, kind: 1, status: 1, account: 10, acceptance: 1, amountMicros: 99_000_000 }
const position = {
  number: 12, rfq: 2, quote: 5, holder: 10, backer: 20, netStakeMicros: 1, payoutMicros: 2, costMicros: 3, basisMicros: 4, entryFeeMicros: 0, feeBps: 100,
  state: 1, legs,
}
const market = { outcome: 3, title: 'Will it?', status: 'LISTED' as MarketStatus, closesAtUs: AT_US, price: { bidE4: 5_200, askE4: -1, atUs: AT_US } }
const key: OutcomeCredentialView = {
  number: 5, account: 10, kind: 'key', scopes: 511, origin: -1, expiresAtUs: AT_US, lastUsedUs: -1, state: 'active',
}
const facts = { label: 'bot', role: 0, createdAtUs: AT_US, revokedAtUs: -1 }
const balance = { role: 1, freeMicros: 5, reservedMicros: 0, core: 'idle', signer: 33 } as const
const all = (states: Readonly<Record<string, number>>): number[] => Object.values(states)

const BODIES: readonly (readonly [rule: string, of: string, schema: z.ZodType, bodies: readonly unknown[]])[] = [
  ['OM-045', 'an RFQ', responses.Rfq, [rfqBody(names, sale, AT_US), ...all(RfqState).map((state) => rfqBody(names, { ...rfq, state }, AT_US))]],
  ['OM-046', 'a quote', responses.Quote, [
    quoteBody(names, { ...quote, netStakeMicros: -1, takerFeeBps: -1 }), ...all(QuoteState).map((state) => quoteBody(names, { ...quote, state })),
  ]],
  ['OM-047', 'an acceptance', responses.Acceptance, [
    acceptanceBody(names, { ...acceptance, stakeMicros: -1, operation: -1 }), ...all(AcceptanceState).map((state) => acceptanceBody(names, { ...acceptance, state })),
  ]],
  ['OM-048', 'a position', responses.Position, all(PositionState).map((state) => positionBody(names, { ...position, state }))],
  ['OM-049', 'a market', responses.Market, [
    marketBody(names, { ...market, price: null }),
    ...(['LISTED', 'HALTED', 'CLOSED', 'DELISTED', 'RESOLVED'] as const).map((status) => marketBody(names, { ...market, status })),
  ]],
  ['OM-050', 'a withdrawal', responses.Withdrawal, [withdrawalBody(names, { ...operation, kind: 3, acceptance: -1 })]],
  ['OM-051', 'an operation', responses.Operation, [
    operationBody(names, { ...operation, acceptance: -1 }),
    ...all(OperationKind).flatMap((kind) => all(OperationStatus).map((status) => operationBody(names, { ...operation, kind, status }))),
  ]],
  ['OM-052', 'capital', responses.Capital, [capitalBody(identity, 20, { freeMicros: 1, pendingMicros: 2, backedMicros: 3, reductionsMicros: 4, quotedMicros: 5 })]],
  ['OM-067', 'a balance', responses.Balance, (['idle', 'funding', 'moving'] as const).map((core) => balanceBody(identity, 10, { ...balance, core }))],
  ['OM-103', 'an identity', responses.Identity, [identityBody(names, 10, balance), identityBody(names, 10, { ...balance, role: null, signer: -1 })]],
  ['OM-105', 'the deployment', responses.Deployment, [deploymentBody(identity, { takerFeeBps: 20, feeBps: 100 })]],
  ['OM-087', 'a reduction', responses.Reduction, [reductionBody(identity, 3, 20, 5, AT_US)]],
  ['OM-037', 'a key', responses.ApiKey, [
    apiKeyBody(identity, { ...key, expiresAtUs: -1, lastUsedUs: AT_US }, { ...facts, role: 1, revokedAtUs: AT_US }),
    ...(['active', 'revoked', 'expired'] as const).map((state) => apiKeyBody(identity, { ...key, state }, facts)),
  ]],
  ['OM-042', 'an issued key', responses.IssuedKey, [issuedKeyBody(identity, key, facts)]],
  ['OM-097', 'a session', responses.Session, [sessionBody(identity, key)]],
  ['OM-293', 'a challenge', responses.KeyChallenge, [challengeBody(identity, 3, AT_US)]],
  ['OM-293', 'the challenge of a sign-in', responses.SignInChallenge, [new WalletSignIns(identity).challenge(`0x${'1b'.repeat(20)}`, 'https://a.example', AT_US)]],
  ['OM-020', 'a list', responses.listOf(responses.Capital), [listBody([], null), listBody([], 'x')]],
]

describe('the schema of an answer', () => {
  it.each(BODIES)('%s lets %s as it is rendered pass', (_, __, schema, bodies) => {
    for (const body of bodies) expect(schema.safeParse(sent(body))).toMatchObject({ success: true })
  })

  it.each(BODIES)('%s lets no other field pass in %s, and none go missing', (_, __, schema, bodies) => {
    const body = sent(bodies[0])
    expect(schema.safeParse({ ...body, more: 1 }).success).toBe(false)
    for (const name of Object.keys(body)) {
      expect([name, schema.safeParse(Object.fromEntries(Object.entries(body).filter(([field]) => field !== name))).success]).toEqual([name, false])
    }
  })

  it('OM-167 OM-169 lets every error as it is rendered pass', () => {
    const requestId = identity.request(7)
    for (const [code, { status, retry }] of Object.entries(OUTCOME_CODES)) {
      if (status === 0 || retry === null) continue
      expect(responses.ErrorBody.safeParse(sent(errorAnswer(Number(code), requestId).body))).toMatchObject({ success: true })
    }
    const violations = [{ field: '/a', code: 'REQUIRED' as const }, { field: '', code: 'INVALID' as const }, { field: '/b', code: 'UNEXPECTED' as const }]
    expect(responses.ErrorBody.safeParse(sent(errorAnswer(10, identity.refusedCall(1), { violations }).body)).success).toBe(true)
    expect(identity.refusedCall(7)).not.toBe(requestId)
  })
})
