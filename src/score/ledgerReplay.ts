import { assert } from '../unit/assert.ts'
import { IntegerSums, StepIntegral } from '../stats/sum.ts'
import type { Positions } from './positions.ts'
import { codesIn, type Names, orNaN, type RunTables, type TableRows } from './runTables.ts'

/** Kinds of account as the ledger names them. */
const KINDS = ['external', 'free', 'reserved', 'pot', 'escrow', 'house'] as const
const CAUSES = ['deposit', 'withdraw', 'hold', 'commit'] as const
const [EXTERNAL, FREE, RESERVED, POT, ESCROW, HOUSE] = [0, 1, 2, 3, 4, 5] as const
const [DEPOSIT, WITHDRAW, HOLD, COMMIT] = [0, 1, 2, 3] as const

/** What the ledger says about a maker's money. */
export interface MakerMoney {
  /** ∫(locked + reserved)dt, microUSDC · µs, up to the end of the session. */
  readonly collateralMicrosUs: bigint
  /** Deposits less withdrawals, in the order of the ledger: seq and the sum after it. */
  readonly depositSeqs: readonly number[]
  readonly depositMicros: readonly number[]
}

export interface LedgerTotals {
  readonly depositsMicros: bigint
  readonly withdrawalsMicros: bigint
  /** Final balance of every kind of account. */
  readonly freeMicros: bigint
  readonly reservedMicros: bigint
  readonly potMicros: bigint
  readonly escrowMicros: bigint
  readonly houseMicros: bigint
}

/** A selection, which tells whether a hold is the maker's or the bettor's. */
export interface Selection {
  readonly maker: number
  readonly bettor: number
}

/** One pass over the postings, for totals and for the capital that each maker had tied up. */
export class LedgerReplay {
  /** µs; Infinity and −Infinity of an empty ledger. */
  firstUs = Infinity
  lastUs = -Infinity
  private readonly balances = new IntegerSums(KINDS.length)
  private readonly flows = new IntegerSums(CAUSES.length)
  private readonly makerOf: ReadonlyMap<number, number>
  private readonly positions: Positions
  private readonly tied: StepIntegral[]
  private readonly deposits: { seqs: number[]; micros: number[] }[]
  /** By row of the positions: 1 while the maker's risk is in the pot. */
  private readonly inPot: Uint8Array
  private readonly makerCount: number

  /** @param makerOf maker number by account number. */
  constructor(makerCount: number, makerOf: ReadonlyMap<number, number>, positions: Positions, tables: RunTables) {
    this.makerCount = makerCount
    this.makerOf = makerOf
    this.positions = positions
    this.inPot = new Uint8Array(positions.count)
    this.tied = Array.from({ length: makerCount }, () => new StepIntegral(0))
    this.deposits = Array.from({ length: makerCount }, () => ({ seqs: [], micros: [] }))
    for (const batch of tables.batches('ledger')) this.replay(batchOf(batch))
  }

  /** Final balances, and what came in and went out. */
  totals(): LedgerTotals {
    const of = (kind: number): bigint => this.balances.exact(kind)
    return {
      depositsMicros: this.flows.exact(DEPOSIT), withdrawalsMicros: this.flows.exact(WITHDRAW), freeMicros: of(FREE),
      reservedMicros: of(RESERVED), potMicros: of(POT), escrowMicros: of(ESCROW), houseMicros: of(HOUSE),
    }
  }

  /** By maker number. What is tied up at the end of the ledger stays tied up until `endUs`. */
  makers(endUs: number): MakerMoney[] {
    return Array.from({ length: this.makerCount }, (_, m) => ({
      collateralMicrosUs: this.tied[m]!.value(Math.max(endUs, this.lastUs, 0)),
      depositSeqs: this.deposits[m]!.seqs, depositMicros: this.deposits[m]!.micros,
    }))
  }

  private replay(postings: Postings): void {
    const { count, at } = postings
    if (count === 0) return
    this.firstUs = Math.min(this.firstUs, at[0]!)
    this.lastUs = at[count - 1]!
    for (let row = 0; row < count; row++) this.posted(postings, row)
  }

  private posted(p: Postings, row: number): void {
    const amount = p.amount[row]!
    const atUs = p.at[row]!
    const cause = p.cause[row]!
    const debitKind = p.debitKind[row]!
    const creditKind = p.creditKind[row]!
    this.balances.add(debitKind, 0 - amount)
    this.balances.add(creditKind, amount)
    if (cause === DEPOSIT || cause === WITHDRAW) {
      this.flows.add(cause, amount)
      const maker = this.makerOf.get(debitKind === EXTERNAL ? p.creditOwner[row]! : p.debitOwner[row]!)
      if (maker !== undefined) this.paidIn(maker, p.seq[row]!, cause === DEPOSIT ? amount : 0 - amount)
    }
    if (creditKind === RESERVED) this.tie(p.creditOwner[row]!, atUs, amount)
    if (debitKind === RESERVED) this.tie(p.debitOwner[row]!, atUs, 0 - amount)
    if (cause === COMMIT && creditKind === POT) this.filled(p.creditOwner[row]!, p.debitOwner[row]!, atUs, amount)
    if (debitKind === POT) this.emptied(p.debitOwner[row]!, atUs)
  }

  private paidIn(maker: number, seq: number, amount: number): void {
    const { seqs, micros } = this.deposits[maker]!
    seqs.push(seq)
    micros.push((micros.at(-1) ?? 0) + amount)
  }

  private tie(account: number, atUs: number, by: number): void {
    const maker = this.makerOf.get(account)
    if (maker !== undefined) this.tied[maker]!.change(atUs, by)
  }

  /** Money came into a pot: from its maker, when the account and the amount are the maker's. */
  private filled(position: number, account: number, atUs: number, amount: number): void {
    const row = this.positions.find(position)
    assert(row >= 0, `the ledger fills the pot of position ${position}, which the positions table does not have`)
    const maker = this.positions.maker[row]!
    if (this.makerOf.get(account) !== maker || amount !== this.positions.riskMicros[row] || this.inPot[row] === 1) return
    this.inPot[row] = 1
    this.tied[maker]!.change(atUs, amount)
  }

  /** A pot is paid out, always whole. */
  private emptied(position: number, atUs: number): void {
    const row = this.positions.find(position)
    if (this.inPot[row] !== 1) return
    this.inPot[row] = 0
    this.tied[this.positions.maker[row]!]!.change(atUs, 0 - this.positions.riskMicros[row]!)
  }
}

interface Postings {
  readonly count: number
  readonly seq: ArrayLike<number>
  readonly at: ArrayLike<number>
  readonly cause: ArrayLike<number>
  readonly debitKind: ArrayLike<number>
  readonly creditKind: ArrayLike<number>
  readonly debitOwner: ArrayLike<number>
  readonly creditOwner: ArrayLike<number>
  readonly amount: ArrayLike<number>
}

function batchOf(batch: TableRows): Postings {
  return {
    count: batch.rowCount,
    seq: batch.numbers('seq', 'int64'), at: batch.numbers('at', 'timeUs'), amount: batch.numbers('amount_micros', 'micros'),
    cause: codesIn(CAUSES, batch, 'cause'),
    debitKind: codesIn(KINDS, batch, 'debit_kind'), creditKind: codesIn(KINDS, batch, 'credit_kind'),
    debitOwner: orNaN(batch, 'debit_owner'), creditOwner: orNaN(batch, 'credit_owner'),
  }
}

/**
 * Maker numbers by account number, from the `equity` table, which names both. In a run without samples they come from the
 * holds of selections: the account that is not the bettor's is the maker's.
 */
export function makerAccounts(tables: RunTables, makers: Names): Map<number, number> {
  const makerOf = new Map<number, number>()
  for (const batch of tables.batches('equity')) {
    const accounts = batch.numbers('account', 'int32')
    const numbers = makers.of(batch, 'maker')
    for (let row = 0; row < batch.rowCount; row++) makerOf.set(accounts[row]!, numbers[row]!)
  }
  if (makerOf.size > 0) return makerOf
  const selections = selectionsOf(tables, makers)
  for (const batch of tables.batches('ledger')) {
    const { count, at, cause, debitOwner } = batchOf(batch)
    const request = orNaN(batch, 'request')
    for (let row = 0; row < count; row++) {
      if (cause[row] !== HOLD) continue
      const selection = selections.get(`${request[row]} ${at[row]}`)
      if (selection && selection.bettor !== debitOwner[row]) makerOf.set(debitOwner[row]!, selection.maker)
    }
  }
  return makerOf
}

/** Selections by request and instant. Null where a request was selected twice at one instant. */
function selectionsOf(tables: RunTables, makers: Names): Map<string, Selection | null> {
  const selections = new Map<string, Selection | null>()
  for (const batch of tables.batches('acceptances')) {
    const request = batch.numbers('request', 'int64')
    const at = batch.numbers('selected_at', 'timeUs')
    const bettor = batch.numbers('bettor', 'int32')
    const maker = makers.of(batch, 'maker')
    for (let row = 0; row < batch.rowCount; row++) {
      const key = `${request[row]} ${at[row]}`
      selections.set(key, selections.has(key) ? null : { maker: maker[row]!, bettor: bettor[row]! })
    }
  }
  return selections
}
