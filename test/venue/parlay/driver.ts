import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../../../src/ledger/ledger.ts'
import { PostingField, PostingRows } from '../../../src/ledger/postingRows.ts'
import { MarketResult, Side } from '../../../src/market/sides.ts'
import { NONE } from '../../../src/unit/none.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { contentTag, ParlayCommand, ParlayFault, ParlayOp, SetFees } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS, type ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { parlayVenue, type ParlayVenue } from '../../../src/venue/parlay/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { type NamedRow, namedRow } from './namedRow.ts'
import { Resolve, SetFault } from '../../../src/venue/contract.ts'

/** Time zero of every test, a round instant of June 2025. */
export const T0 = 1_750_000_000_000_000
export const ms = (n: number): number => n * 1_000
export const sec = (n: number): number => n * 1_000_000
export const usd = (n: number): number => Math.round(n * 1_000_000)

export type Leg = readonly [market: number, side: 'yes' | 'no']

/** An event row by the names of its kind; its instants count from T0. */
export interface Row extends NamedRow {
  cause: number
}

/** A parlay venue on a bench: commands as calls, replies and rows by name, time as an offset from T0. */
export class Driver {
  readonly sequence = { next: 1 }
  readonly events = new EventRows(this.sequence, 1)
  readonly postings = new PostingRows(this.sequence, 1)
  readonly venue: ParlayVenue
  readonly command = new ParlayCommand()
  readonly profile: ParlayProfile
  now = 0
  seq = 0
  /** Number of the newest request. */
  lastRequest = 0
  /** Rows and postings of the last command or pulse. */
  rows: Row[] = []
  moved: string[] = []

  constructor(overrides: Partial<ParlayProfile> = {}) {
    this.profile = profileOf(PARLAY_SETTINGS, overrides)
    this.venue = parlayVenue(this.profile, this.events, this.postings)
  }

  get view() {
    return this.venue.view
  }

  /** Moves to `offsetUs` from T0; nothing happens yet. */
  at(offsetUs: number): this {
    this.now = offsetUs
    return this
  }

  /** Pulses everything due at `offsetUs` or before. */
  pulse(offsetUs = this.now): Row[] {
    this.now = offsetUs
    return this.run(() => this.venue.pulse(T0 + offsetUs))
  }

  /** Names of the last rows in order; a reply shows its code. */
  names(): string[] {
    return this.rows.map((row) => (row.event === 'reply' ? `reply ${row.code}` : row.event))
  }

  /** The last rows of one kind. */
  of(event: keyof typeof ParlayEvent): Row[] {
    return this.rows.filter((row) => row.event === event)
  }

  /** Sends a command; its reply, or undefined while it waits. Field names are those of ParlayCommand. */
  send(op: keyof typeof ParlayOp, account: number, fields: Partial<Record<string, number>> = {}, legs: readonly Leg[] = [],
    list: readonly number[] = []): Row | undefined {
    const c = this.command.reset(ParlayOp[op], account)
    for (const [market, side] of legs) c.leg(market, Side[side])
    for (const item of list) c.item(item)
    Object.assign(c, fields)
    return this.apply()
  }

  /** Applies a command as it stands. */
  apply(command = this.command): Row | undefined {
    command.seq = ++this.seq
    this.run(() => this.venue.apply(T0 + this.now, command))
    return this.rows.find((row) => row.event === 'reply' && row.cause === this.seq)
  }

  list(market: number, keys: readonly number[] = [], closeOffsetUs = sec(1e6)): Row {
    return this.send('listMarket', 0, { market, closeUs: T0 + closeOffsetUs }, [], keys)!
  }

  /** Lists markets 1…count without common keys. */
  listMarkets(count: number): this {
    for (let market = 1; market <= count; market++) this.list(market, [market])
    return this
  }

  halt(market: number): Row {
    return this.send('haltMarket', 0, { market })!
  }

  resolve(market: number, result: keyof typeof MarketResult): Row {
    return this.send('resolveMarket', 0, { market, [Resolve.result]: MarketResult[result] })!
  }

  setFees(takerFeeBps: number, profitFeeBps: number): Row {
    return this.send('setFees', 0, { [SetFees.takerFeeBps]: takerFeeBps, [SetFees.profitFeeBps]: profitFeeBps })!
  }

  fault(fault: keyof typeof ParlayFault, on: 0 | 1): Row {
    return this.send('setFault', 0, { [SetFault.fault]: ParlayFault[fault], [SetFault.isOn]: on })!
  }

  deposit(account: number, amountMicros: number): Row {
    return this.send('deposit', account, { amountMicros })!
  }

  withdraw(account: number, amountMicros: number): Row {
    return this.send('withdraw', account, { amountMicros })!
  }

  create(bettor: number, legs: readonly Leg[] = TWO_LEGS, betMicros = usd(25)): Row {
    return this.send('createRequest', bettor, { betMicros }, legs)!
  }

  update(bettor: number, request: number, legs: readonly Leg[] = TWO_LEGS, betMicros = usd(25)): Row {
    return this.send('updateRequest', bettor, { request, betMicros }, legs)!
  }

  cancel(bettor: number, request: number): Row {
    return this.send('cancelRequest', bettor, { request })!
  }

  /** Quotes decimal odds at the request's present version and tag, unless `fields` says otherwise. */
  submit(maker: number, request: number, odds: number, fields: Partial<Record<string, number>> = {}): Row {
    const known = this.view.request(request)
    const present = { version: known?.version ?? 1, contentTag: known?.contentTag ?? 0 }
    return this.send('submitQuote', maker, { request, oddsE4: Math.round(odds * 10_000), ...present, ...fields })!
  }

  withdrawQuote(maker: number, request: number, fields: Partial<Record<string, number>> = {}): Row {
    return this.send('withdrawQuote', maker, { request, ...fields })!
  }

  /** Commits at the present version, with a floor of 1.0001; the reply only when it comes at once. */
  commit(bettor: number, request: number, fields: Partial<Record<string, number>> = {}, excluded: readonly number[] = []): Row | undefined {
    const version = this.view.request(request)?.version ?? 1
    return this.send('commitRequest', bettor, { request, version, quote: 1, bookSeq: 0, oddsE4: 10_001, ...fields }, [], excluded)
  }

  confirm(maker: number, request: number, quote: number): Row {
    return this.send('confirmSelection', maker, { request, quote })!
  }

  decline(maker: number, request: number, quote: number): Row {
    return this.send('declineSelection', maker, { request, quote })!
  }

  /** Creates, quotes, commits and confirms: the position's number. */
  open(bettor: number, maker: number, odds: number, legs: readonly Leg[] = TWO_LEGS, betMicros = usd(25)): number {
    const request = this.create(bettor, legs, betMicros)['request'] as number
    const quote = this.submit(maker, request, odds)['quote'] as number
    this.commit(bettor, request)
    return this.confirm(maker, request, quote)['position'] as number
  }

  /** Opens a cash-out auction; the reply shows its number. */
  cashout(holder: number, position: number): Row {
    return this.send('openCashout', holder, { position })!
  }

  /** Bids in an auction, at the default validity unless `validMs` says otherwise. */
  bid(maker: number, auction: number, amountMicros: number, validMs = NONE): Row {
    return this.send('submitBid', maker, { auction, amountMicros, validMs })!
  }

  /** Takes the best bid of an auction, of `amountMicros` or more. */
  sell(seller: number, auction: number, amountMicros = NONE): Row {
    return this.send('commitCashout', seller, { auction, amountMicros })!
  }

  cancelCashout(seller: number, auction: number): Row {
    return this.send('cancelCashout', seller, { auction })!
  }

  free(account: number): number {
    return this.view.balance(account).freeMicros
  }

  /** Free and reserved balances of accounts, in order. */
  balances(...accounts: number[]): [free: number, reserved: number][] {
    return accounts.map((account) => {
      const { freeMicros, reservedMicros } = this.view.balance(account)
      return [freeMicros, reservedMicros]
    })
  }

  protected run(what: () => void): Row[] {
    what()
    this.rows = Array.from({ length: this.events.count }, (_, row) => this.rowAt(row))
    this.moved = Array.from({ length: this.postings.count }, (_, row) => this.postingAt(row))
    for (const row of this.rows) if (row.event === 'requestCreated') this.lastRequest = row['request'] as number
    this.events.clear()
    this.postings.clear()
    return this.rows
  }

  private rowAt(index: number): Row {
    const row = this.events.row(index)
    return { ...namedRow(this.events, row, T0), cause: this.events.read(row, EventCell.cause) }
  }

  /** `cause: debited -> credited amount`, with the owner's number behind each account. */
  private postingAt(index: number): string {
    const get = (field: number): number => this.postings.get(index, field)
    const side = (kind: number, owner: number): string => ACCOUNT_KIND_NAMES[kind]! + (owner === NONE ? '' : ` ${owner}`)
    const from = side(get(PostingField.debitKind), get(PostingField.debitOwner))
    const to = side(get(PostingField.creditKind), get(PostingField.creditOwner))
    return `${POSTING_CAUSE_NAMES[get(PostingField.cause)]}: ${from} -> ${to} ${get(PostingField.amountMicros)}`
  }
}

export const TWO_LEGS: readonly Leg[] = [[1, 'yes'], [2, 'no']]

/** Bettor 10 and makers 20, 21, 22 with 1,000 USDC each, and markets 1…6. */
export function table(overrides: Partial<ParlayProfile> = {}): Driver {
  const d = new Driver(overrides).listMarkets(6)
  for (const account of [10, 20, 21, 22]) d.deposit(account, usd(1000))
  return d
}

/** The tag of legs and bet, for commands that name it by hand. */
export const tagOf = (legs: readonly Leg[], betMicros: number): number =>
  contentTag(legs.length, legs.map(([market]) => market), legs.map(([, side]) => Side[side]), betMicros)
