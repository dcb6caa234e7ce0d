import { assert } from '../../../unit/assert.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { ACCOUNT_MAX, type ParlayCommand, SetWallet } from '../protocol/commands.ts'
import { ParlayEvent, WalletChanged } from '../protocol/events.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'
import { PositionCell, PositionWord } from './positionRows.ts'

/** Whether a transaction of the account's vault is pending (PQ-081). */
export function isFenced(s: ParlayState, account: number): boolean {
  return account < s.accounts.count && s.accounts.fences[account]! > 0
}

/** Whether the account's wallet is on record. At first every wallet is. */
export function hasWallet(s: ParlayState, account: number): boolean {
  return !s.missingWallets.has(account)
}

export function setWallet(s: ParlayState, c: ParlayCommand): void {
  const { [SetWallet.walletOf]: account, [SetWallet.isOnRecord]: isOnRecord } = c
  if (!(Number.isInteger(account) && account >= 0 && account <= ACCOUNT_MAX)) return reply(s, c, ParlayCode.invalid)
  if (isOnRecord !== 0 && isOnRecord !== 1) return reply(s, c, ParlayCode.invalid)
  if (isOnRecord === 1) s.missingWallets.remove(account)
  else s.missingWallets.add(account)
  const row = s.events.open(s.nowUs, ParlayEvent.walletChanged, s.cause)
  // −0 names account 0, and the digest sees the bits of a number.
  s.events.write(row, WalletChanged.account, account + 0)
  s.events.write(row, WalletChanged.isOnRecord, isOnRecord + 0)
  reply(s, c, ParlayCode.ok)
}

/** Counts the position `p`, which opened, for its holder. */
export function countOpened(s: ParlayState, p: number): void {
  countTakenOver(s, p)
  touch(s, s.positions.words[p + PositionWord.backer]!)
}

/** Counts position `p` for the holder who bought it. */
export function countTakenOver(s: ParlayState, p: number): void {
  const { accounts, positions } = s
  const holder = positions.words[p + PositionWord.holder]!
  touch(s, holder)
  accounts.parlays[holder]!++
  add(accounts.wageredMicros, holder, positions.cells[p + PositionCell.costMicros]!)
}

/** Counts the end of the holder's holding of position `p`, settled or sold. `receivedMicros` is net of fees. */
export function countEnded(s: ParlayState, p: number, receivedMicros: number): void {
  const { accounts, positions } = s
  const holder = positions.words[p + PositionWord.holder]!
  touch(s, holder)
  accounts.settled[holder]!++
  add(accounts.realizedMicros, holder, receivedMicros - positions.cells[p + PositionCell.costMicros]!)
}

/** Counts the end of position `p` for its backing maker, who got `receivedMicros` out of the pot. */
export function countBacked(s: ParlayState, p: number, receivedMicros: number): void {
  const { accounts, positions } = s
  const backer = positions.words[p + PositionWord.backer]!
  touch(s, backer)
  add(accounts.makerRealizedMicros, backer, receivedMicros - positions.cells[p + PositionCell.riskMicros]!)
}

/** Counts position `p`, which was never funded. */
export function countFailed(s: ParlayState, p: number): void {
  const { accounts, positions } = s
  const holder = positions.words[p + PositionWord.holder]!
  touch(s, holder)
  accounts.failed[holder]!++
  touch(s, positions.words[p + PositionWord.backer]!)
}

/** Precondition of this and the next: the account has held a position, which made room for it. */
export function countWon(s: ParlayState, holder: number): void {
  s.accounts.wins[holder]!++
}

export function countLost(s: ParlayState, holder: number): void {
  s.accounts.losses[holder]!++
}

export function countCancelled(s: ParlayState, owner: number): void {
  s.accounts.makeRoomFor(owner)
  s.accounts.cancelled[owner]!++
}

export function countExpired(s: ParlayState, owner: number): void {
  s.accounts.makeRoomFor(owner)
  s.accounts.expired[owner]!++
}

export function fence(s: ParlayState, account: number): void {
  s.accounts.makeRoomFor(account)
  s.accounts.fences[account]!++
}

export function unfence(s: ParlayState, account: number): void {
  s.accounts.fences[account]!--
}

/** Adds to the account's sum, which must stay an exact integer. */
function add(sums: Float64Array, account: number, amountMicros: number): void {
  const sum = sums[account]! + amountMicros
  assert(Number.isSafeInteger(sum), 'money overflow')
  sums[account] = sum
}

function touch(s: ParlayState, account: number): void {
  s.accounts.makeRoomFor(account)
  s.accounts.changed[account] = 1
  s.accounts.changedAtUs[account] = s.nowUs
}
