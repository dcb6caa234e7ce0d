import { rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { ALL_SCOPES, Origin, SCOPES_OF_ROLE } from '../protocol/access.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { IssueKey, type OutcomeCommand } from '../protocol/commands.ts'
import { ChallengeMade, ChallengeReply, OutcomeEvent } from '../protocol/events.ts'
import { KeyIssueTerms, SignedTerms, TermsKind } from '../protocol/terms.ts'
import { addKey } from './credentials.ts'
import { openReply, openRow, reply, replyInvalid, replyWithCredential } from './rows.ts'
import { GateRank, type GateState } from './state.ts'

/** Makes the challenge for a key's request, which its owner then signs (OM-119, OM-142). */
export function challengeKey(s: GateState, c: OutcomeCommand): void {
  const field = invalidKeyField(s, c)
  if (field !== 0) return replyInvalid(s, c, field)
  const { challenges, events } = s
  const challenge = challenges.take()
  const number = challenges.index.lastNumber
  challenges.account[challenge] = c.account
  challenges.labelLength[challenge] = c.validMs
  challenges.scopes[challenge] = c[IssueKey.scopes]
  challenges.scopeCount[challenge] = c[IssueKey.scopeCount]
  challenges.expiryDays[challenge] = c.expiryDays
  const untilUs = s.nowUs + s.challengeUs
  challenges.untilUs[challenge] = untilUs
  challenges.isUsed[challenge] = 0
  s.schedule(untilUs + s.challengeUs, GateRank.challengeForgetting, number)
  const made = openRow(s, OutcomeEvent.challengeMade, c.account)
  events.write(made, ChallengeMade.challenge, number)
  events.write(made, ChallengeMade.expiresAtUs, untilUs)
  const row = rowAs(ChallengeReply, openReply(s, c, OutcomeCode.ok))
  events.write(row, ChallengeReply.challenge, number)
  events.write(row, ChallengeReply.expiresAtUs, untilUs)
}

/** Deadline: a challenge ended as long ago as it could be used, and is forgotten. */
export function challengeForgettingDue(s: GateState, number: number): void {
  s.challenges.index.release(number)
}

/** Issues a key to the owner of a signed challenge (OM-099, OM-113…119, OM-127, OM-141…143). */
export function issueKey(s: GateState, c: OutcomeCommand): void {
  const { origin } = c
  if (origin === Origin.none || origin === Origin.several) return reply(s, c, OutcomeCode.originRequired)
  if (!(Number.isInteger(origin) && origin >= 0 && origin < s.profile.allowedOrigins)) return reply(s, c, OutcomeCode.forbidden)
  const field = invalidKeyField(s, c)
  if (field !== 0) return replyInvalid(s, c, field)
  const { challenges } = s
  const row = challenges.index.slotOf(c.challenge)
  if (row === NONE || challenges.account[row] !== c.account) return replyInvalid(s, c, InvalidField.proof)
  const refusal = refusalOfProof(s, c, row)
  if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
  challenges.isUsed[row] = 1
  const { number, expiresAtUs } = addKey(s, c.account, c[IssueKey.scopes], c.expiryDays)
  replyWithCredential(s, c, number, expiresAtUs)
}

function refusalOfProof(s: GateState, c: OutcomeCommand, row: number): number {
  const { challenges } = s
  if (challenges.isUsed[row] === 1 || s.nowUs >= challenges.untilUs[row]!) return OutcomeCode.stateConflict
  const isSigned = Number.isInteger(c.signer) && c.signer >= 0 && c.termsTag === s.digest(termsOf(c))
  if (!isSigned || !isRequestOf(s, c, row)) return OutcomeCode.invalidSignature
  if (c.signer !== c.account) return OutcomeCode.wrongAuthority
  const isFull = s.credentials.liveKeysOf(c.account).length >= s.profile.liveKeysMax
  return isFull ? OutcomeCode.stateConflict : OutcomeCode.ok
}

/** First of a key's fields that is out of its range, or 0. */
function invalidKeyField(s: GateState, c: OutcomeCommand): number {
  const { profile } = s
  const { validMs: labelLength, [IssueKey.scopes]: scopes, [IssueKey.scopeCount]: scopeCount, expiryDays } = c
  if (!isWithin(labelLength, profile.labelMax)) return InvalidField.label
  if (!isWithin(scopeCount, profile.scopesMax) || !isWithin(scopes, ALL_SCOPES)) return InvalidField.scopes
  const { role } = s.view.balance(c.account)
  const applicable = role === null ? 0 : SCOPES_OF_ROLE[role]!
  if ((scopes & ~applicable) !== 0) return InvalidField.scopes
  return expiryDays === NONE || isWithin(expiryDays, profile.keyDaysMax) ? 0 : InvalidField.expiryDays
}

const isWithin = (value: number, max: number): boolean => Number.isInteger(value) && value >= 1 && value <= max

function isRequestOf(s: GateState, c: OutcomeCommand, row: number): boolean {
  const { challenges } = s
  return challenges.labelLength[row] === c.validMs && challenges.scopes[row] === c[IssueKey.scopes] &&
    challenges.scopeCount[row] === c[IssueKey.scopeCount] && challenges.expiryDays[row] === c.expiryDays
}

const terms = new SignedTerms()

/** What the owner of a key signs. */
function termsOf(c: OutcomeCommand): SignedTerms {
  terms.reset(TermsKind.keyIssue, c.account)
  terms.challenge = c.challenge
  terms[KeyIssueTerms.scopes] = c[IssueKey.scopes]
  terms.payoutMicros = c.validMs
  terms.expiryS = c.expiryDays
  return terms
}
