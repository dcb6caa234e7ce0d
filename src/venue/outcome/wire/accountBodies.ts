import type { Hex } from 'viem'
import { NONE } from '../../../unit/none.ts'
import { SCOPE_NAMES } from '../protocol/access.ts'
import { AccountRole } from '../protocol/commands.ts'
import type { OutcomeCredentialView } from '../protocol/gate.ts'
import { CHAIN_ID } from '../protocol/terms.ts'
import type { CapitalView, OutcomeBalanceView } from '../protocol/view.ts'
import { integerText, named, upperSnake, wireNames } from './encoding.ts'
import type { WireIdentity } from './identity.ts'
import { ENVIRONMENT, keyText } from './keyText.ts'
import type { WireNames } from './names.ts'
import { DOMAIN_NAME, DOMAIN_VERSION } from './eip712Types.ts'

export const ROLE_NAMES = wireNames(AccountRole)

/** Balance of an account, fields chosen; atomic units of USDC. */
export interface BalanceBody {
  readonly account_id: string
  readonly free: string
  readonly reserved: string
  /** `IDLE`, `FUNDING` or `MOVING`: what the account's core wallet is at. */
  readonly core_status: string
}

export const balanceBody = (identity: WireIdentity, account: number, balance: OutcomeBalanceView): BalanceBody => ({
  account_id: identity.account(account),
  free: integerText(balance.freeMicros),
  reserved: integerText(balance.reservedMicros),
  core_status: upperSnake(balance.core),
})

/** Who an account is (chosen): null in `signer` of one that was never bound. */
export interface IdentityBody {
  readonly id: string
  readonly kind: string | null
  readonly signer: Hex | null
}

export const identityBody = (names: WireNames, account: number, balance: OutcomeBalanceView): IdentityBody => ({
  id: names.identity.account(account),
  kind: balance.role === null ? null : named(ROLE_NAMES, balance.role),
  signer: balance.signer === NONE ? null : names.address(balance.signer),
})

/** Capital of a maker (OM-052), atomic units of USDC. */
export interface CapitalBody {
  readonly maker_id: string
  readonly free: string
  readonly pending: string
  readonly backed: string
  readonly reductions: string
  readonly quoted: string
}

export const capitalBody = (identity: WireIdentity, maker: number, capital: CapitalView): CapitalBody => ({
  maker_id: identity.account(maker),
  free: integerText(capital.freeMicros),
  pending: integerText(capital.pendingMicros),
  backed: integerText(capital.backedMicros),
  reductions: integerText(capital.reductionsMicros),
  quoted: integerText(capital.quotedMicros),
})

/** Answer to a collateral reduction, fields chosen. */
export interface ReductionBody {
  readonly reduction_id: string
  readonly maker_id: string
  readonly amount: string
  readonly released_at: string
}

/** @param releasedAtUs when it leaves the vault (OM-277): untilUs of its row. */
export const reductionBody = (identity: WireIdentity, reduction: number, maker: number, amountMicros: number, releasedAtUs: number): ReductionBody => ({
  reduction_id: identity.reduction(reduction),
  maker_id: identity.account(maker),
  amount: integerText(amountMicros),
  released_at: identity.instant(releasedAtUs),
})

/** Chain, vault and fees to which every signature binds (OM-105), and the rest of the EIP-712 domain. */
export interface DeploymentBody {
  readonly chain_id: string
  readonly vault: Hex
  /** Basis points, in force now. */
  readonly taker_fee_bps: number
  readonly fee_bps: number
  readonly domain: { readonly name: string; readonly version: string }
}

export const deploymentBody = (identity: WireIdentity, fees: { readonly takerFeeBps: number; readonly feeBps: number }): DeploymentBody => ({
  chain_id: integerText(CHAIN_ID),
  vault: identity.vault(),
  taker_fee_bps: fees.takerFeeBps,
  fee_bps: fees.feeBps,
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION },
})

/** An API key (OM-037…041). */
export interface ApiKeyBody {
  readonly id: string
  readonly account: { readonly kind: string; readonly id: string }
  readonly environment: string
  readonly label: string
  readonly scopes: readonly string[]
  readonly status: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  /** Keys are not rotated: always null. */
  readonly rotated_from: null
  readonly overlap_until: null
}

/** What of a key is not in the gate's view: its label's text, its holder's role, and the instants of its rows (−1: none). */
export interface ApiKeyFacts {
  readonly label: string
  /** An `AccountRole`. */
  readonly role: number
  readonly createdAtUs: number
  readonly revokedAtUs: number
}

export const apiKeyBody = (identity: WireIdentity, key: OutcomeCredentialView, facts: ApiKeyFacts): ApiKeyBody => ({
  id: identity.apiKey(key.number),
  account: { kind: named(ROLE_NAMES, facts.role), id: identity.account(key.account) },
  environment: ENVIRONMENT,
  label: facts.label,
  scopes: SCOPE_NAMES.filter((_, bit) => (key.scopes & (1 << bit)) !== 0),
  status: upperSnake(key.state),
  created_at: identity.instant(facts.createdAtUs),
  expires_at: identity.instantOrNull(key.expiresAtUs),
  last_used_at: identity.instantOrNull(key.lastUsedUs),
  revoked_at: identity.instantOrNull(facts.revokedAtUs),
  rotated_from: null,
  overlap_until: null,
})

/** Answer to the creation of a key: the one body that has its text (OM-042, OM-043). */
export const issuedKeyBody = (identity: WireIdentity, key: OutcomeCredentialView, facts: ApiKeyFacts): { readonly key: ApiKeyBody; readonly secret: string } =>
  ({ key: apiKeyBody(identity, key, facts), secret: keyText(identity, key.number) })

/** Answer to a sign-in (OM-097). */
export interface SessionBody {
  readonly access_token: string
  readonly expires_at: string
}

export const sessionBody = (identity: WireIdentity, session: OutcomeCredentialView): SessionBody =>
  ({ access_token: identity.accessToken(session.number), expires_at: identity.instant(session.expiresAtUs) })

/** A challenge that the owner signs to issue a key (OM-119, OM-142). */
export interface ChallengeBody {
  readonly challenge_id: string
  readonly expires_at: string
}

export const challengeBody = (identity: WireIdentity, challenge: number, expiresAtUs: number): ChallengeBody =>
  ({ challenge_id: identity.challenge(challenge), expires_at: identity.instant(expiresAtUs) })
