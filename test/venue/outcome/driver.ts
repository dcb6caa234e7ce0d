import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../../../src/ledger/ledger.ts'
import { PostingField, PostingRows } from '../../../src/ledger/postingRows.ts'
import { MarketResult, Side } from '../../../src/market/sides.ts'
import { NONE } from '../../../src/unit/none.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { AccountRole, BindAccount, OutcomeCommand, OutcomeFault, OutcomeOp, SetFees, SetSigner } from '../../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { cheapTermsTag, SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { outcomeVenue, type OutcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { type NamedRow, namedRow } from './namedRow.ts'
import { Resolve, SetFault } from '../../../src/venue/contract.ts'

/** Time zero of every test, a round second of June 2025; batches of settlement are at 200 s, 500 s … after it. */
export const T0 = 1_750_000_000_000_000
export const ms = (n: number): number => n * 1_000
export const sec = (n: number): number => n * 1_000_000
export const usd = (n: number): number => Math.round(n * 1_000_000)
/** The unix second `n` seconds after T0. */
export const unix = (n: number): number => 1_750_000_000 + n

export type Leg = readonly [outcome: number, side: 'yes' | 'no']
type Fields = Partial<Record<string, number>>

/** An event row by the names of its kind; its instants count from T0. */
export interface Row extends NamedRow {
  cause: number
}

/** An outcome venue for tests. Commands are calls with valid signatures, replies and rows go by name, and time is an offset from T0. */
export class Driver {
  readonly sequence = { next: 1 }
  readonly events = new EventRows(this.sequence, 2)
  readonly postings = new PostingRows(this.sequence, 2)
  readonly venue: OutcomeVenue
  readonly command = new OutcomeCommand()
  readonly profile: OutcomeProfile
  now = 0
  seq = 0
  /** Rates in force, as the operator set them. */
  rates: { takerFeeBps: number; feeBps: number }
  /** The key of the next accept. */
  nextKey = 1
  /** Number of the newest RFQ. */
  lastRfq = 0
  /** Rows and postings of the last command or pulse. */
  rows: Row[] = []
  moved: string[] = []

  constructor(overrides: Partial<OutcomeProfile> = {}) {
    this.profile = profileOf(OUTCOME_SETTINGS, overrides)
    this.rates = { takerFeeBps: this.profile.takerFeeBps, feeBps: this.profile.feeBps }
    this.venue = outcomeVenue(this.profile, this.events, this.postings, cheapTermsTag)
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
  of(event: keyof typeof OutcomeEvent): Row[] {
    return this.rows.filter((row) => row.event === event)
  }

  /** Sends a command; its reply, or undefined while it waits. Field names are those of OutcomeCommand. */
  send(op: keyof typeof OutcomeOp, account: number, fields: Fields = {}, legs: readonly Leg[] = [], list: readonly number[] = []): Row | undefined {
    const c = this.command.reset(OutcomeOp[op], account)
    for (const [outcome, side] of legs) c.leg(outcome, Side[side])
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

  /** Lists an outcome under the one-limb outcome_id `id`, by default 1000 + its number. */
  list(outcome: number, id = 1_000 + outcome, closeOffsetUs = sec(1e6)): Row {
    return this.send('listOutcome', -1, { outcome, closeUs: T0 + closeOffsetUs }, [], [id])!
  }

  /** Lists outcomes 1…count. */
  listOutcomes(count: number): this {
    for (let outcome = 1; outcome <= count; outcome++) this.list(outcome)
    return this
  }

  halt(outcome: number): Row {
    return this.send('haltOutcome', -1, { outcome })!
  }

  resolve(outcome: number, result: keyof typeof MarketResult): Row {
    return this.send('resolveOutcome', -1, { outcome, [Resolve.result]: MarketResult[result] })!
  }

  setFees(takerFeeBps: number, feeBps: number): Row {
    const reply = this.send('setFees', -1, { [SetFees.takerFeeBps]: takerFeeBps, [SetFees.feeBps]: feeBps })!
    if (reply.code === 'ok') this.rates = { takerFeeBps, feeBps }
    return reply
  }

  fault(fault: keyof typeof OutcomeFault, on: 0 | 1): Row {
    return this.send('setFault', -1, { [SetFault.fault]: OutcomeFault[fault], [SetFault.isOn]: on })!
  }

  bind(account: number, role: keyof typeof AccountRole): Row {
    return this.send('bindAccount', -1, { [BindAccount.bound]: account, [BindAccount.role]: AccountRole[role] })!
  }

  deposit(account: number, amountMicros: number): Row {
    return this.send('deposit', account, { amountMicros })!
  }

  /** Withdraws from now on without an Exit, payable for 400 s, unless `fields` says otherwise. */
  withdraw(account: number, amountMicros: number, fields: Fields = {}): Row {
    const second = Math.floor(this.now / 1_000_000)
    const all = { key: NONE, amountMicros, validAfterS: unix(second), validBeforeS: unix(second + 400), ...fields }
    return this.sendSigned('withdraw', account, all, (terms) => {
      terms.reset(TermsKind.withdrawal, account)
      Object.assign(terms, this.rates)
      terms.key = all.key
      terms.payoutMicros = amountMicros
      terms.expiryS = (all as Fields)['exitUntilS'] ?? NONE
      terms.validAfterS = all.validAfterS
      terms.validBeforeS = all.validBeforeS
    })!
  }

  reduce(maker: number, amountMicros: number, fields: Fields = {}): Row {
    return this.sendSigned('reduceCollateral', maker, { amountMicros, ...fields }, (terms) => {
      terms.reset(TermsKind.reduction, maker)
      terms.key = fields['key'] ?? NONE
      Object.assign(terms, this.rates)
      terms.payoutMicros = amountMicros
    })!
  }

  setSigner(maker: number, signer: number): Row {
    return this.send('setSigner', maker, { [SetSigner.signer]: signer })!
  }

  create(taker: number, legs: readonly Leg[] = TWO_LEGS, stakeMicros = usd(25)): Row {
    return this.send('createRfq', taker, { stakeMicros }, legs)!
  }

  cancel(account: number, rfq: number): Row {
    return this.send('cancelRfq', account, { rfq })!
  }

  cashout(holder: number, position: number): Row {
    return this.send('openCashout', holder, { position })!
  }

  /** Quotes a payout, of a cash-out a price, until 10 s (30 s) from now unless `fields` says otherwise. */
  quote(maker: number, rfq: number, payoutMicros: number, fields: Fields = {}): Row {
    const known = this.view.rfq(rfq)
    const position = known?.position ?? NONE
    const second = Math.floor(this.now / 1_000_000)
    const expiryS = fields['expiryS'] ?? unix(second + (position === NONE ? 10 : 30))
    return this.sendSigned('submitQuote', maker, { rfq, payoutMicros, expiryS, ...fields }, (terms) => {
      terms.reset(TermsKind.quote, maker)
      terms.rfq = rfq
      terms.generation = known?.generation ?? NONE
      terms.payoutMicros = payoutMicros
      terms.expiryS = expiryS
      if (position === NONE) {
        const stakeMicros = known?.stakeMicros ?? 0
        terms.stakeMicros = stakeMicros - Math.floor((stakeMicros * this.rates.takerFeeBps) / 10_000)
        terms.takerFeeBps = this.rates.takerFeeBps
        terms.feeBps = this.rates.feeBps
      } else {
        terms.position = position
        terms.feeBps = this.view.position(position)?.feeBps ?? NONE
      }
      for (const { outcome, side } of known?.legs ?? []) terms.leg(outcome, side)
    }, this.view.balance(maker).signer)!
  }

  cancelQuote(maker: number, quote: number): Row {
    return this.send('cancelQuote', maker, { quote })!
  }

  /** Accepts under a new key, funding valid from now for 100 s; the reply only when it comes at once. */
  accept(account: number, quote: number, fields: Fields = {}): Row | undefined {
    const known = this.view.quote(quote)
    const rfq = known === null ? null : this.view.rfq(known.rfq)
    const second = Math.floor(this.now / 1_000_000)
    const all = {
      quote, key: this.nextKey++, coreMicros: NONE, validAfterS: unix(second), validBeforeS: unix(second + 100), ...fields,
    }
    return this.sendSigned('acceptQuote', account, all, (terms) => {
      terms.reset(TermsKind.acceptance, account)
      terms.rfq = known?.rfq ?? NONE
      terms.quote = quote
      terms.key = all.key
      terms.payoutMicros = known?.payoutMicros ?? NONE
      if (rfq !== null && rfq.position !== NONE) {
        terms.feeBps = known?.feeBps ?? NONE
        terms.position = rfq.position
        return
      }
      Object.assign(terms, this.rates)
      terms.stakeMicros = rfq?.stakeMicros ?? NONE
      terms.coreMicros = Math.max(0, all.coreMicros)
      terms.validAfterS = all.validAfterS
      terms.validBeforeS = all.validBeforeS
    })
  }

  confirm(maker: number, quote: number, fields: Fields = {}): Row {
    const known = this.view.quote(quote)
    return this.sendSigned('confirmQuote', maker, { quote, ...fields }, (terms) => {
      terms.reset(TermsKind.confirmation, maker)
      terms.rfq = known?.rfq ?? NONE
      terms.quote = quote
      terms.value = this.view.acceptanceOfQuote(quote)?.number ?? NONE
      terms.position = (known === null ? null : this.view.rfq(known.rfq))?.position ?? NONE
      terms.payoutMicros = known?.payoutMicros ?? NONE
      terms.takerFeeBps = known?.takerFeeBps ?? NONE
      terms.feeBps = known?.feeBps ?? NONE
    }, this.view.balance(maker).signer)!
  }

  decline(maker: number, quote: number): Row {
    return this.send('declineQuote', maker, { quote })!
  }

  /** Creates, quotes, accepts and confirms, and waits for the chain: the position's number. */
  open(taker: number, maker: number, payoutMicros: number, legs: readonly Leg[] = TWO_LEGS, stakeMicros = usd(25), fields: Fields = {}): number {
    this.take(taker, maker, this.create(taker, legs, stakeMicros)['rfq'] as number, payoutMicros, fields)
    return this.of('positionOpened')[0]!['position'] as number
  }

  /** Opens a cash-out, quotes the price, accepts and confirms, and waits for the chain. */
  sell(holder: number, buyer: number, position: number, priceMicros: number): void {
    this.take(holder, buyer, this.cashout(holder, position)['rfq'] as number, priceMicros)
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

  private take(account: number, maker: number, rfq: number, payoutMicros: number, fields: Fields = {}): void {
    const quote = this.quote(maker, rfq, payoutMicros)['quote'] as number
    this.accept(account, quote, fields)
    this.confirm(maker, quote)
    this.pulse(this.now + ms(this.profile.operationMs))
  }

  /** Signs what `build` fills in, as `signer`, unless `fields` says otherwise. */
  private sendSigned(op: keyof typeof OutcomeOp, account: number, fields: Fields, build: (terms: SignedTerms) => void, signer = account): Row | undefined {
    const terms = new SignedTerms()
    build(terms)
    return this.send(op, account, { signer, termsTag: cheapTermsTag(terms), ...fields })
  }

  protected run(what: () => void): Row[] {
    what()
    this.rows = Array.from({ length: this.events.count }, (_, row) => this.rowAt(row))
    this.moved = Array.from({ length: this.postings.count }, (_, row) => this.postingAt(row))
    for (const row of this.rows) if (row.event === 'rfqCreated') this.lastRfq = row['rfq'] as number
    this.events.clear()
    this.postings.clear()
    return this.rows
  }

  protected rowAt(index: number): Row {
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

/** Participants 10, 11 and makers 20, 21, 22 with 1,000 USDC each, and outcomes 1…6. */
export function table(overrides: Partial<OutcomeProfile> = {}): Driver {
  const d = new Driver(overrides).listOutcomes(6)
  for (const account of [10, 11]) d.bind(account, 'participant')
  for (const account of [20, 21, 22]) d.bind(account, 'maker')
  for (const account of [10, 11, 20, 21, 22]) d.deposit(account, usd(1000))
  return d
}
