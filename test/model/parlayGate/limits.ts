import { Bucket, Credential, ReadRoute } from '../../../src/venue/parlay/protocol/access.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import type { GateCommand } from './command.ts'
import { isIntegerIn, type State, type Turn, type Window } from './state.ts'

const SECOND_US = 1_000_000
const ACCOUNT_MAX = 2_147_483_646
const SOURCE_MAX = 2_147_483_646

/** One limit as it meets one caller. */
export interface Limit {
  readonly name: string
  readonly ceiling: number
  /** The bucket of the call, also where its cap refused it. */
  readonly bucket: number
}

const QUOTE_SERVICE_OPS: readonly number[] = [
  ParlayOp.createRequest, ParlayOp.updateRequest, ParlayOp.cancelRequest, ParlayOp.commitRequest, ParlayOp.openCashout,
  ParlayOp.cancelCashout, ParlayOp.commitCashout, ParlayOp.submitQuote, ParlayOp.withdrawQuote, ParlayOp.confirmSelection,
  ParlayOp.declineSelection, ParlayOp.submitBid,
]

const CAPS: Readonly<Record<number, keyof ParlayGateProfile>> = {
  [ParlayOp.walletWithdraw]: 'walletWithdrawLimit', [ParlayOp.deposit]: 'depositLimit', [ParlayOp.withdraw]: 'withdrawLimit',
  [ParlayOp.submitTransaction]: 'submitTransactionLimit',
}

const isOfQuoteService = ({ op, value }: GateCommand): boolean =>
  QUOTE_SERVICE_OPS.includes(op) || (op === ParlayOp.read && value === ReadRoute.quoteRequests)

/** Public: a read of the markets. */
export const isPublic = (command: GateCommand): boolean => command.op === ParlayOp.read && command.value === ReadRoute.markets

export function isCredentialValid(state: State, account: number, credential: number): boolean {
  if (!isIntegerIn(account, 0, ACCOUNT_MAX)) return false
  if (credential === Credential.jwt) return true
  const key = state.keys.get(credential)
  return key !== undefined && key.account === account && key.state === 'active'
}

/** The limits that a call meets, in order: its bucket, then its own cap. */
export function limitsOf(state: State, profile: ParlayGateProfile, command: GateCommand): Limit[] {
  const source = isIntegerIn(command.source, 0, SOURCE_MAX) ? command.source : 0
  if (isOfQuoteService(command)) {
    return [{ name: `quote service, source ${source}`, ceiling: profile.quoteServiceLimit, bucket: Bucket.quoteService }]
  }
  if (isPublic(command)) return [{ name: `public, source ${source}`, ceiling: profile.publicLimit, bucket: Bucket.public }]
  if (!isCredentialValid(state, command.account, command.credential)) {
    return [{ name: `unauthenticated, source ${source}`, ceiling: profile.unauthenticatedLimit, bucket: Bucket.unauthenticated }]
  }
  const { authenticated } = Bucket
  const bucket = { name: `authenticated, account ${command.account}`, ceiling: profile.authenticatedLimit, bucket: authenticated }
  const cap = CAPS[command.op]
  return cap === undefined ? [bucket] : [bucket, { name: `${cap}, account ${command.account}`, ceiling: profile[cap], bucket: authenticated }]
}

/** The window of a limit at an instant: the one that is not over, or a fresh one that begins with this call. */
export function windowAt(state: State, profile: ParlayGateProfile, name: string, nowUs: number): Window {
  const window = state.windows.get(name)
  return window !== undefined && nowUs < endOf(window, profile) ? window : { startUs: nowUs, count: 0 }
}

export const endOf = (window: Window, profile: ParlayGateProfile): number => window.startUs + profile.limitWindowMs * 1000

/** Why a call is refused by a limit: what its reply says. */
export interface Refusal {
  readonly limit: Limit
  readonly retryAfterS: number
  readonly untilUs: number
}

/** Counts the call against its limits up to the first that is full; null when none is. */
export function count(turn: Turn, command: GateCommand): Refusal | null {
  const { state, profile, nowUs } = turn
  state.lastLimit = null
  for (const limit of limitsOf(state, profile, command)) {
    const window = windowAt(state, profile, limit.name, nowUs)
    const untilUs = endOf(window, profile)
    if (window.count >= limit.ceiling) {
      const retryAfterS = Math.ceil((untilUs - nowUs) / SECOND_US)
      state.lastLimit = { limit: limit.ceiling, remaining: 0, resetUs: untilUs, retryAfterS }
      return { limit, retryAfterS, untilUs }
    }
    state.windows.set(limit.name, { startUs: window.startUs, count: window.count + 1 })
    const remaining = limit.ceiling - window.count - 1
    if (state.lastLimit === null || remaining <= state.lastLimit.remaining) {
      state.lastLimit = { limit: limit.ceiling, remaining, resetUs: untilUs, retryAfterS: -1 }
    }
  }
  return null
}
