import { assert } from '../../../unit/assert.ts'
import { CountedColumns } from '../../../unit/countedColumns.ts'
import { Field } from '../../eventRows.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { ACCOUNT_MAX, type ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import { reply } from './rows.ts'
import type { ParlayState } from './state.ts'
import { PositionCell, PositionWord } from './positionRows.ts'

/** What a portfolio counts, by account number (docs/conformance/parlay.md, Portfolio); money in microUSDC. */
export class AccountColumns extends CountedColumns {
  /** One more than the highest account that anything was counted for. */
  count = 0
  /** Positions that it opened or took over, and what it paid for them. */
  parlays = new Int32Array(this.capacity)
  wageredMicros = new Float64Array(this.capacity)
  wins = new Int32Array(this.capacity)
  losses = new Int32Array(this.capacity)
  realizedMicros = new Float64Array(this.capacity)
  makerRealizedMicros = new Float64Array(this.capacity)
  settled = new Int32Array(this.capacity)
  cancelled = new Int32Array(this.capacity)
  expired = new Int32Array(this.capacity)
  failed = new Int32Array(this.capacity)
  /** Pending transactions of its vault. */
  fences = new Int32Array(this.capacity)
  /** 1 once one of its stats changed; then the instant of the last change. */
  changed = new Uint8Array(this.capacity)
  changedAtUs = new Float64Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  /** Makes room for the account's row. */
  makeRoomFor(account: number): void {
    if (account < this.count) return
    this.count = account + 1
    this.ensure(this.count)
  }
}

/** The accounts whose wallet is off record, ascending: an operator names any account, so they have no rows by number. */
export class MissingWallets extends CountedColumns {
  count = 0
  account = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  has(account: number): boolean {
    return this.isAt(this.placeOf(account), account)
  }

  add(account: number): void {
    const place = this.placeOf(account)
    if (this.isAt(place, account)) return
    this.ensure(this.count + 1)
    this.account.copyWithin(place + 1, place, this.count++)
    this.account[place] = account
  }

  remove(account: number): void {
    const place = this.placeOf(account)
    if (!this.isAt(place, account)) return
    this.account.copyWithin(place, place + 1, this.count--)
    this.account[this.count] = 0
  }

  private isAt(place: number, account: number): boolean {
    return place < this.count && this.account[place] === account
  }

  /** The first place whose account is not below `account`. */
  private placeOf(account: number): number {
    let from = 0
    let to = this.count
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.account[middle]! < account) from = middle + 1
      else to = middle
    }
    return from
  }
}

/** Whether a transaction of the account's vault is pending (PQ-081). */
export function isFenced(s: ParlayState, account: number): boolean {
  return account < s.accounts.count && s.accounts.fences[account]! > 0
}

/** Whether the account's wallet is on record, as everybody's is at first. */
export function hasWallet(s: ParlayState, account: number): boolean {
  return !s.missingWallets.has(account)
}

export function setWallet(s: ParlayState, c: ParlayCommand): void {
  const { value, value2 } = c
  if (!(Number.isInteger(value) && value >= 0 && value <= ACCOUNT_MAX)) return reply(s, c, ParlayCode.invalid)
  if (value2 !== 0 && value2 !== 1) return reply(s, c, ParlayCode.invalid)
  if (value2 === 1) s.missingWallets.remove(value)
  else s.missingWallets.add(value)
  s.events.open(s.nowUs, ParlayEvent.walletChanged, s.cause)
  // An account of −0 is account 0, whose bits the digest sees.
  s.events.set(Field.account, value + 0)
  s.events.set(Field.amountA, value2 + 0)
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

/** Counts the end of the holder's holding of position `p`, settled or sold: `receivedMicros` net of fees. */
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
