import { z } from 'zod'
import { NONE } from '../../unit/none.ts'
import { COMMAND_LEGS_MAX } from '../../venue/contract.ts'
import { amount, generation, outcomeId, side, signatureOf, unixSeconds } from './fields.ts'
import { parsed, type Parsed } from './violations.ts'

const leg = z.strictObject({ outcome_id: outcomeId, side })
  .transform(({ outcome_id, side }) => ({ outcomeId: outcome_id, side }))

/** Body of `POST /v1/rfqs` (OM-036): `stake`, `legs`. Order, number and state of the legs are the venue's to check. */
export const RfqRequest = z.strictObject({
  stake: amount,
  legs: z.array(leg).max(COMMAND_LEGS_MAX).meta({ description: '1 to 50, strictly ascending by outcome_id as integers.' }),
}).transform(({ stake, legs }) => ({ stakeMicros: stake, legs }))

/** Body of a quote (chosen): `payout` (of a cash-out the price), `expiry`, `signature`, and `generation` when it must be that one. */
export const QuoteRequest = z.strictObject({
  payout: amount, expiry: unixSeconds, generation: generation.optional(),
  signature: signatureOf('Quote', { when: 'of a cash-out', type: 'CashoutQuote' }),
}).transform(({ payout, expiry, generation, signature }) => ({ payoutMicros: payout, expiryS: expiry, generation: generation ?? NONE, signature }))

/**
 * Body of an accept (chosen): `signature`, and optionally `generation` and `funding.core`. An entry has `valid_after` and `valid_before`
 * too. −1 stands for what is left out.
 */
export const AcceptRequest = z.strictObject({
  generation: generation.optional(),
  funding: z.strictObject({ core: amount }).optional(),
  valid_after: unixSeconds.optional(),
  valid_before: unixSeconds.optional(),
  signature: signatureOf('Acceptance', { when: 'of a cash-out', type: 'CashoutAcceptance' }),
}).transform(({ generation, funding, valid_after, valid_before, signature }) => ({
  generation: generation ?? NONE, coreMicros: funding?.core ?? NONE, validAfterS: valid_after ?? NONE, validBeforeS: valid_before ?? NONE, signature,
}))

const Confirmation = z.strictObject({
  decision: z.literal('CONFIRM'), signature: signatureOf('Confirmation', { when: 'of a cash-out', type: 'CashoutConfirmation' }),
})
/** A decline moves no funds and carries no signature. */
const Decline = z.strictObject({ decision: z.literal('DECLINE') })

/** Body of a confirm (chosen): `decision`, and with CONFIRM the `signature` (OM-083). */
export const ConfirmRequest = z.discriminatedUnion('decision', [Confirmation, Decline])
export type ConfirmRequest = z.output<typeof ConfirmRequest>

/** Body of a cancel, of a cash-out: an object without fields (chosen). */
export const EmptyRequest = z.strictObject({})

/** Body of a withdrawal (chosen): `amount`, `valid_after`, `valid_before`, `signature`, and `exit.expiry` when there is an Exit. */
export const WithdrawRequest = z.strictObject({
  amount,
  exit: z.strictObject({ expiry: unixSeconds }).optional(),
  valid_after: unixSeconds,
  valid_before: unixSeconds,
  signature: signatureOf('Withdrawal', { when: 'with an exit', type: 'ExitWithdrawal' }),
}).transform(({ amount, exit, valid_after, valid_before, signature }) => ({
  amountMicros: amount, exitUntilS: exit?.expiry ?? NONE, validAfterS: valid_after, validBeforeS: valid_before, signature,
}))

/** Body of a collateral reduction (chosen): `amount`, `signature`. */
export const ReductionRequest = z.strictObject({ amount, signature: signatureOf('CollateralReduction') }).transform(({ amount, signature }) => ({ amountMicros: amount, signature }))

export const rfqRequest = (body: unknown) => parsed(RfqRequest, body)
export const quoteRequest = (body: unknown) => parsed(QuoteRequest, body)
export const acceptRequest = (body: unknown) => parsed(AcceptRequest, body)
export const emptyRequest = (body: unknown) => parsed(EmptyRequest, body)
export const withdrawRequest = (body: unknown) => parsed(WithdrawRequest, body)
export const reductionRequest = (body: unknown) => parsed(ReductionRequest, body)

/** The union alone would say nothing of the other fields when the decision is none of the two: such a body is read as a confirmation. */
export const confirmRequest = (body: unknown): Parsed<ConfirmRequest> =>
  (hasDecision(body, 'DECLINE') ? parsed<ConfirmRequest>(Decline, body) : parsed<ConfirmRequest>(Confirmation, body))

const hasDecision = (body: unknown, decision: string): boolean =>
  typeof body === 'object' && body !== null && 'decision' in body && body.decision === decision
