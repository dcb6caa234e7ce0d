import { equal } from 'node:assert/strict'
import { inspect, isDeepStrictEqual } from 'node:util'
import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../../../src/ledger/ledger.ts'
import { PostingField } from '../../../src/ledger/postingRows.ts'
import { EventCell } from '../../../src/venue/eventRows.ts'
import type { OutcomePositionView } from '../../../src/venue/outcome/protocol/view.ts'
import { Driver, type Row } from './driver.ts'

/** Between which kinds of account a posting of each cause may move money. */
const ROUTES: Readonly<Record<string, readonly string[]>> = {
  deposit: ['external free', 'external reserved'], withdraw: ['reserved external'], hold: ['free reserved'], release: ['reserved free'],
  commit: ['reserved pot'], takerFee: ['reserved house'], profitFee: ['pot house', 'reserved house'], settle: ['pot free'], void: ['pot free'],
  buyback: ['pot free'], transfer: ['reserved free'],
}

/** What an acceptance holds until its fill or cash-out is done. */
interface Held {
  readonly taker: number
  readonly maker: number
  readonly takerMicros: number
  readonly makerMicros: number
  readonly coreMicros: number
}

interface OpenPosition {
  holder: number
  readonly backer: number
  readonly payoutMicros: number
  basisMicros: number
  readonly feeBps: number
  /** What never changes in the view. */
  readonly fixed: Partial<OutcomePositionView>
}

const feeOf = (profit: number, bps: number): number => (profit <= 0 ? 0 : Number((BigInt(profit) * BigInt(bps)) / 10_000n))
const number = (row: Row, field: string): number => row[field] as number

/**
 * A venue whose money is kept in two books of the test's own, which are compared after every row: one of its postings, one of
 * what its event rows say was paid, by account. Both must agree with each other and, after every command, with the view; what
 * does not is a breach of the invariant that asks for it.
 */
export class Audited extends Driver {
  /** By `kind owner`. */
  private readonly posted = new Map<string, number>()
  /** Free and reserved together, by account, from the event rows alone. */
  private readonly told = new Map<number, number>()
  private toldNetDepositsMicros = 0
  private toldHouseMicros = 0
  /** Stakes and taker fee rates of quotes and acceptances, by number. */
  private readonly takerFeeBps = new Map<number, number>()
  private readonly accepted = new Map<number, Row>()
  private readonly held = new Map<number, Held>()
  private readonly confirmedInTime = new Set<number>()
  readonly standing = new Map<number, OpenPosition>()
  readonly ended = new Set<number>()
  private readonly withdrawals = new Map<number, Row>()
  private readonly reductions = new Map<number, Row>()
  /** How many rows of each kind there were. */
  readonly seen: Record<string, number> = {}
  /** How often each invariant had something to claim. */
  readonly claims: Record<string, number> = {}
  /** What did not hold, each beginning with the invariant's id. */
  readonly breaches: string[] = []

  private claim(id: string, actual: unknown, expected: unknown): void {
    this.claims[id] = (this.claims[id] ?? 0) + 1
    if (!isDeepStrictEqual(actual, expected)) this.breaches.push(`${id}: ${inspect(actual)} where ${inspect(expected)} is due`)
  }

  protected override run(what: () => void): Row[] {
    return super.run(() => {
      what()
      this.audit()
    })
  }

  /** Goes through rows and postings in the order of their sequence numbers. */
  private audit(): void {
    let posting = 0
    for (let row = 0; row < this.events.count; row++) {
      const seq = this.events.read(this.events.row(row), EventCell.seq)
      while (posting < this.postings.count && this.postings.get(posting, PostingField.seq) < seq) this.post(posting++)
      this.note(this.rowAt(row))
    }
    equal(posting, this.postings.count)
    this.checkView()
  }

  private post(index: number): void {
    const get = (field: number): number => this.postings.get(index, field)
    const [from, to] = [ACCOUNT_KIND_NAMES[get(PostingField.debitKind)]!, ACCOUNT_KIND_NAMES[get(PostingField.creditKind)]!]
    this.claim('INV-29', ROUTES[POSTING_CAUSE_NAMES[get(PostingField.cause)]!]?.includes(`${from} ${to}`), true)
    const amountMicros = get(PostingField.amountMicros)
    this.claim('INV-29', Number.isSafeInteger(amountMicros) && amountMicros > 0, true)
    this.move(`${from} ${get(PostingField.debitOwner)}`, -amountMicros)
    this.move(`${to} ${get(PostingField.creditOwner)}`, amountMicros)
  }

  private move(account: string, byMicros: number): void {
    const left = this.on(account) + byMicros
    this.posted.set(account, left)
    this.claim('INV-02', left >= 0 || account.startsWith('external'), true)
  }

  private on(account: string): number {
    return this.posted.get(account) ?? 0
  }

  private pay(account: number, micros: number): void {
    this.told.set(account, (this.told.get(account) ?? 0) + micros)
  }

  private note(row: Row): void {
    this.seen[row.event] = (this.seen[row.event] ?? 0) + 1
    this.noteQuoting(row)
    this.noteFunds(row)
    this.notePosition(row)
    for (const [position, { payoutMicros }] of this.standing) {
      if (position !== row['position']) this.claim('INV-04', this.on(`pot ${position}`), payoutMicros)
    }
  }

  private noteQuoting(row: Row): void {
    const acceptance = number(row, 'acceptance')
    switch (row.event) {
      case 'quoteCreated':
        if (row['position'] === undefined) this.takerFeeBps.set(number(row, 'quote'), number(row, 'takerFeeBps'))
        break
      case 'quoteAccepted':
        this.accepted.set(acceptance, row)
        break
      case 'quoteFilled':
        this.claim('INV-09', row.at <= number(this.accepted.get(acceptance)!, 'confirmUntilUs'), true)
        this.confirmedInTime.add(acceptance)
        break
      case 'quoteFailed':
        this.held.delete(acceptance)
        break
      case 'operationStarted':
        if (row['operationKind'] === 'withdrawal') this.withdrawals.set(number(row, 'operation'), row)
        break
      case 'operationUpdated':
        if (row['status'] === 1 || (row['operationKind'] === 'withdrawal' && row['status'] === 2)) break
        if (row['operationKind'] === 'withdrawal') this.withdrawals.delete(number(row, 'operation'))
        else if (row['status'] === 3) this.held.delete(acceptance)
    }
  }

  private noteFunds(row: Row): void {
    const account = number(row, 'account')
    const amountMicros = number(row, 'amountMicros')
    switch (row.event) {
      case 'fundsDeposited':
        this.toldNetDepositsMicros += amountMicros
        this.pay(account, amountMicros)
        // A core part comes with its fill, whose postings are all made before the first of its rows.
        this.claim('INV-01', number(row, 'accountBalanceMicros'), this.on(`free ${account}`) + this.on(`reserved ${account}`))
        break
      case 'fundsWithdrawn':
        this.toldNetDepositsMicros -= amountMicros
        this.pay(account, -amountMicros)
        this.noteLeft(row, amountMicros)
        this.claim('INV-01', number(row, 'accountBalanceMicros'), this.told.get(account))
        break
      case 'reductionStarted':
        this.reductions.set(number(row, 'reduction'), row)
    }
  }

  /** What leaves is what was held of free money when it was asked for. */
  private noteLeft(row: Row, amountMicros: number): void {
    const [asked, by] = row['operation'] === undefined ? [this.reductions, number(row, 'reduction')] : [this.withdrawals, number(row, 'operation')]
    const request = asked.get(by)
    this.claim('INV-23', [row['account'], amountMicros], [request?.['account'], request?.['amountMicros']])
    asked.delete(by)
  }

  private notePosition(row: Row): void {
    const position = number(row, 'position')
    if (row.event.startsWith('position') && row.event !== 'positionClaimed') this.claim('INV-06', this.ended.has(position), false)
    switch (row.event) {
      case 'positionOpened': return this.noteOpened(row, position)
      case 'positionTransferred': return this.noteTransferred(row, this.standing.get(position)!)
      case 'positionClosed':
        this.notePaidOut(row, position)
        this.claim('INV-06', number(row, 'priceMicros'), number(row, 'toHolderMicros') + number(row, 'profitFeeMicros'))
        this.claim('INV-21', row['backer'], this.accepted.get(number(row, 'acceptance'))!['maker'])
        this.held.delete(number(row, 'acceptance'))
        break
      case 'positionSettled':
        this.notePaidOut(row, position)
    }
  }

  private noteOpened(row: Row, position: number): void {
    const acceptance = number(row, 'acceptance')
    const accept = this.accepted.get(acceptance)!
    const [stake, net, payout, fee, feeBps] = [
      number(accept, 'betMicros'), number(row, 'netStakeMicros'), number(row, 'payoutMicros'), number(row, 'takerFeeMicros'),
      number(row, 'profitFeeBps'),
    ]
    this.claim('INV-09', this.confirmedInTime.has(acceptance), true)
    this.claim('INV-05', [net, fee], [stake - fee, feeOf(stake, this.takerFeeBps.get(number(row, 'quote'))!)])
    this.claim('INV-05', row['oddsE4'], Number((BigInt(payout) * 10_000n) / BigInt(net)))
    this.claim('INV-04', this.on(`pot ${position}`), payout)
    const [holder, backer] = [number(row, 'holder'), number(row, 'backer')]
    this.pay(holder, -stake)
    this.pay(backer, net - payout)
    this.toldHouseMicros += fee
    this.held.delete(acceptance)
    this.standing.set(position, {
      holder, backer, payoutMicros: payout, feeBps, basisMicros: this.profile.profitOverGross === 1 ? stake : net,
      fixed: { rfq: number(row, 'rfq'), quote: number(row, 'quote'), backer, netStakeMicros: net, payoutMicros: payout, entryFeeMicros: fee, feeBps },
    })
  }

  private noteTransferred(row: Row, position: OpenPosition): void {
    const [price, toSeller, fee] = [number(row, 'priceMicros'), number(row, 'toSellerMicros'), number(row, 'profitFeeMicros')]
    this.claim('INV-21', [row['seller'], row['buyer'] === position.backer], [position.holder, false])
    this.claim('INV-08', fee, this.profile.feeOnCashout === 1 ? feeOf(price - position.basisMicros, position.feeBps) : 0)
    this.claim('INV-01', toSeller + fee, price)
    this.claim('INV-04', this.on(`pot ${number(row, 'position')}`), position.payoutMicros)
    this.pay(position.holder, toSeller)
    this.pay(number(row, 'buyer'), -price)
    this.toldHouseMicros += fee
    this.held.delete(number(row, 'acceptance'))
    position.holder = number(row, 'buyer')
    if (this.profile.feeOnCashout === 1) position.basisMicros = price
  }

  private notePaidOut(row: Row, number_: number): void {
    const position = this.standing.get(number_)!
    const [toHolder, toBacker, fee] = [number(row, 'toHolderMicros'), number(row, 'toBackerMicros'), number(row, 'profitFeeMicros')]
    this.claim('INV-21', [row['holder'], row['backer']], [position.holder, position.backer])
    this.claim('INV-06', [toHolder + toBacker + fee, this.on(`pot ${number_}`)], [position.payoutMicros, 0])
    if (row['outcome'] === 'won') {
      this.claim('INV-07', toHolder <= position.payoutMicros && (fee === 0 || position.payoutMicros > position.basisMicros), true)
    }
    const taxed = row.event === 'positionClosed' ? this.profile.feeOnCashout === 1 : row['outcome'] === 'won'
    this.claim('INV-08', fee, taxed ? feeOf(toHolder + fee - position.basisMicros, position.feeBps) : 0)
    this.pay(position.holder, toHolder)
    this.pay(position.backer, toBacker)
    this.toldHouseMicros += fee
    this.standing.delete(number_)
    this.ended.add(number_)
  }

  private checkView(): void {
    this.noteHeld()
    const totals = this.view.totals()
    this.claim('INV-01', totals.heldMicros + totals.potMicros + totals.houseMicros, totals.netDepositsMicros)
    this.claim('INV-01', [totals.netDepositsMicros, totals.houseMicros], [this.toldNetDepositsMicros, this.toldHouseMicros])
    this.claim('INV-04', totals.potMicros, [...this.standing.values()].reduce((sum, { payoutMicros }) => sum + payoutMicros, 0))
    for (const account of this.told.keys()) {
      const { freeMicros, reservedMicros } = this.view.balance(account)
      this.claim('INV-02', [freeMicros, reservedMicros], [this.on(`free ${account}`), this.on(`reserved ${account}`)])
      this.claim('INV-01', freeMicros + reservedMicros, this.told.get(account))
      this.claim('INV-02', reservedMicros, this.reservedOf(account))
      this.checkRisk(account)
    }
    for (const [position, { holder, fixed, basisMicros }] of this.standing) {
      const shown = this.view.position(position)!
      this.claim('INV-08', shown.feeBps, fixed.feeBps)
      this.claim('INV-21', { ...shown, ...fixed, holder, basisMicros }, shown)
    }
    for (const account of this.told.keys()) {
      const rfqs = this.view.liveQuotesOf(account).map((quote) => this.view.quote(quote)!.rfq)
      this.claim('INV-16', new Set(rfqs).size, rfqs.length)
    }
    for (const position of this.ended) this.claim('INV-06', this.view.position(position), null)
  }

  /** A maker's risk is reserved while its acceptance or fill is pending, and in the pot of its position then. */
  private checkRisk(maker: number): void {
    const capital = this.view.capital(maker)
    if (capital === null) return
    let [pendingMicros, backedMicros] = [0, 0]
    for (const held of this.held.values()) if (held.maker === maker) pendingMicros += held.makerMicros
    for (const [position, { backer, payoutMicros, fixed }] of this.standing) {
      if (backer !== maker) continue
      backedMicros += payoutMicros - fixed.netStakeMicros!
      this.claim('INV-03', this.on(`pot ${position}`) >= payoutMicros - fixed.netStakeMicros!, true)
    }
    this.claim('INV-03', [capital.pendingMicros, capital.backedMicros], [pendingMicros, backedMicros])
    this.claim('INV-03', this.on(`reserved ${maker}`) >= pendingMicros, true)
  }

  /** Takes what new acceptances hold; the core part is in the view alone. */
  private noteHeld(): void {
    for (const row of this.newlyAccepted()) {
      const { number: acceptance, coreMicros } = this.view.acceptance(number(row, 'acceptance'))!
      const isEntry = row['position'] === undefined
      const backs = !isEntry && this.standing.get(number(row, 'position'))!.backer === row['maker']
      this.held.set(acceptance, {
        taker: number(row, 'owner'), maker: number(row, 'maker'), coreMicros,
        takerMicros: isEntry ? number(row, 'betMicros') - coreMicros : 0,
        makerMicros: backs ? 0 : number(row, isEntry ? 'riskMicros' : 'priceMicros'),
      })
    }
  }

  private newlyAccepted(): Row[] {
    const rows = Array.from({ length: this.events.count }, (_, index) => this.rowAt(index))
    return rows.filter((row) => row.event === 'quoteAccepted')
  }

  /** What the account should have reserved: acceptances and operations under way, withdrawals, reductions. */
  private reservedOf(account: number): number {
    let sum = 0
    for (const { taker, maker, takerMicros, makerMicros } of this.held.values()) {
      sum += (taker === account ? takerMicros : 0) + (maker === account ? makerMicros : 0)
    }
    for (const row of [...this.withdrawals.values(), ...this.reductions.values()]) if (row['account'] === account) sum += number(row, 'amountMicros')
    return sum
  }
}
