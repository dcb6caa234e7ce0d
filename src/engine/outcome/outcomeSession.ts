import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { Service } from '../../unit/services.ts'
import type { Snapshot } from '../../unit/snapshot.ts'
import { outcomeGate } from '../../venue/outcome/gate/gate.ts'
import { type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import { AccountRole, BindAccount, OutcomeCommand, OutcomeOp } from '../../venue/outcome/protocol/commands.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { OutcomeEvent, type OutcomeKind, Reply, RfqReply } from '../../venue/outcome/protocol/events.ts'
import type { OutcomeGateView } from '../../venue/outcome/protocol/gate.ts'
import { OutcomeJournal } from '../../venue/outcome/protocol/journal.ts'
import type { TermsDigest } from '../../venue/outcome/protocol/terms.ts'
import { type OutcomeVenue, outcomeVenue } from '../../venue/outcome/venue.ts'
import { OriginLog } from '../../venue/outcome/wire/originLog.ts'
import { Cohorts } from '../cohorts.ts'
import type { OperatorInput, OutcomeServiceConfig, SessionConfig } from '../config.ts'
import type { ExternalCall } from '../externalCalls.ts'
import { type CallWish, MakerSeats } from '../makerSeats.ts'
import type { LayOff, ServicePlay, Shared } from '../play.ts'
import type { Roster } from '../roster.ts'
import { ServiceFrame } from '../serviceFrame.ts'
import { OutcomeAccess } from './access.ts'
import { OutcomeEnricher } from './enricher.ts'
import { CommandWriter } from './commandWriter.ts'
import { OutcomeDelivery } from './delivery.ts'
import { Retries } from './retries.ts'
import { actionOf } from './translation.ts'
import { outcomeTexts, termsDigestOf } from './signatures.ts'

/** The outcome-market RFQ service in a session. Strategies play on it as on the parlay service. Enricher and translation take care of the differences. */
export class OutcomeSession extends ServiceFrame<OutcomeCommand, OutcomeJournal> {
  readonly name = 'outcome'
  declare readonly venue: OutcomeVenue
  /** Null without a gate. */
  readonly gateView: OutcomeGateView | null = null
  /** Fingerprint of signed terms, as commands carry it. */
  declare readonly termsTag: TermsDigest
  protected declare readonly play: ServicePlay
  protected declare readonly makers: MakerSeats
  protected declare readonly cohorts: Cohorts
  protected declare readonly delivery: OutcomeDelivery
  protected override readonly access: OutcomeAccess | null = null
  private declare readonly outcomeIds: OutcomeServiceConfig['outcomeIds']
  private declare readonly enricher: OutcomeEnricher
  private declare readonly writer: CommandWriter
  /** What ids are made of, which EIP-712 digests name; null without them. */
  private declare readonly origins: OriginLog | null
  private originsTaken = 0

  constructor(terms: SessionConfig, service: OutcomeServiceConfig, roster: Roster, shared: Shared) {
    super(Service.outcome, terms, shared, new OutcomeCommand(), new OutcomeJournal(Service.outcome))
    const { profile, outcomeIds, gate } = service
    for (const { name, account } of roster.cohorts) assert(account === undefined, `a maker's account asks for no prices here, but ${name} bets with one`)
    this.outcomeIds = outcomeIds
    this.origins = service.signatures === 'eip712' ? new OriginLog() : null
    const digest = termsDigestOf(outcomeTexts(outcomeIds), terms.seed, this.origins)
    this.termsTag = digest
    const venue = outcomeVenue(profile, this.events, this.postings, digest)
    this.venue = venue
    if (gate !== undefined) {
      const gated = outcomeGate(venue, gate.profile, this.events, digest)
      this.venue = gated
      this.gateView = gated.gateView
    }
    this.enricher = new OutcomeEnricher(this.transit, profile, digest, shared.accounts.count, roster.makers.length)
    const play: ServicePlay = {
      ...terms, ...roster, isGated: gate !== undefined, basisMoves: profile.feeOnCashout === 1, feeOnMaker: false, enricher: this.enricher,
      layOffs: null,
    }
    this.play = play
    this.cohorts = new Cohorts(play, shared, this.transit, this.live, profile.takerFeeBps)
    this.makers = new MakerSeats(play, shared.accounts, shared.keys.makers, this.transit, shared.boards, this.turns)
    const { messages } = this.transit
    this.writer = new CommandWriter({ messages, cohorts: this.cohorts, enricher: this.enricher, outcomeIds, isGated: play.isGated })
    const parts = { rows: this.events, transit: this.transit, makers: this.makers, cohorts: this.cohorts, enricher: this.enricher }
    if (gate !== undefined) {
      const port = { command: this.command, send: (message: number) => this.apply(message) }
      const untilUs = terms.operator.at(-1)?.atUs ?? terms.startUs
      this.access = new OutcomeAccess({ ...parts, gate, digest, port, gateView: this.gateView!, accountCount: shared.accounts.count, untilUs })
    }
    this.delivery = new OutcomeDelivery({
      ...parts, live: this.live, results: shared.boards.results, profitOverGross: profile.profitOverGross === 1,
      access: this.access, retries: gate === undefined ? null : new Retries(gate.retries, parts), calls: this.calls,
    })
  }

  protected override isBet({ legs: { count }, betMicros, minOddsE4 }: LayOff): boolean {
    return this.enricher.isBet(count, betMicros, minOddsE4)
  }

  /** Accounts get their roles first, since nobody can pay in before. */
  protected override admit(): void {
    const { cohorts: { cohorts }, makers: { seats }, access } = this
    for (const { entry, firstAccount } of cohorts) {
      for (let i = 0; i < entry.bettors; i++) this.bind(firstAccount + i, AccountRole.participant)
    }
    for (const { account } of seats) this.bind(account, AccountRole.maker)
    if (access === null) return
    for (const { entry, firstAccount } of cohorts) for (let i = 0; i < entry.bettors; i++) access.makeKey(firstAccount + i)
    for (const { account } of seats) access.makeKey(account)
  }

  private bind(account: number, role: number): void {
    this.command.reset(OutcomeOp.bindAccount, NONE)
    this.command[BindAccount.bound] = account
    this.command[BindAccount.role] = role
    this.apply(NONE)
  }

  protected override deposit(account: number, amountMicros: number): void {
    this.command.reset(OutcomeOp.deposit, account)
    this.command.amountMicros = amountMicros
    this.apply(NONE)
  }

  /** For a maker's account this lowers its collateral. */
  protected override withdraw(account: number, amountMicros: number): void {
    const isMaker = this.makers.seatOf(account) >= 0
    this.command.reset(isMaker ? OutcomeOp.reduceCollateral : OutcomeOp.withdraw, account)
    this.command.amountMicros = amountMicros
    this.enricher.payOut(this.command)
    this.apply(NONE)
  }

  /** Keys stay taken for days, long after the last row. */
  override pulse(nowUs: number): boolean {
    const { count } = this.events
    this.transit.nowUs = nowUs
    this.venue.pulse(nowUs)
    this.route(NONE, NONE)
    return this.events.count > count
  }

  override followClient(nowUs: number, account: number, isHere: boolean): void {
    this.transit.nowUs = nowUs
    this.access?.followClient(account, isHere)
  }

  protected override nameMarket({ op, market }: OperatorInput): void {
    this.command.outcome = market
    if (op === OutcomeOp.listOutcome) for (const limb of this.outcomeIds[market]!) this.command.item(limb)
  }

  /** A confirmation and a withdrawal name the quote alone. A bid is a quote on the RFQ of a cash-out, also where that is over. */
  protected override wishOf({ op, fields }: ExternalCall): CallWish {
    const { view } = this.venue
    const rfq = fields['rfq'] ?? view.quote(fields['quote'] ?? NONE)?.rfq ?? NONE
    const isEnd = op === OutcomeOp.acceptQuote || op === OutcomeOp.cancelRfq
    const position = fields['position'] ?? (isEnd ? view.rfq(rfq)?.position : undefined) ?? NONE
    const isAuction = position >= 0 || this.transit.comboOfAuction.get(rfq) >= 0 || this.turns.comboOfAuction(rfq) >= 0
    return { action: actionOf(op, isAuction), request: isAuction ? NONE : rfq, auction: isAuction ? rfq : NONE, position }
  }

  protected override auctionIn(row: Row): number {
    const { events } = this
    const kind = events.kindOf(row) as OutcomeKind
    assert(kind === OutcomeEvent.reply, 'a reply answers')
    const reply = rowOfKind(row, kind)
    const code = events.read(reply, Reply.code)
    return code === OutcomeCode.ok ? events.read(rowAs(RfqReply, reply), RfqReply.rfq) : NONE
  }

  protected override bring(slot: number): void {
    this.writer.fill(slot, this.command)
    this.apply(slot)
  }

  protected override route(message: number, cause: number): void {
    const { events, origins } = this
    if (origins !== null) {
      for (; this.originsTaken < events.count; this.originsTaken++) {
        origins.take(events.rowCells(events.row(this.originsTaken)), this.venue.view)
      }
    }
    this.delivery.route(message, cause)
  }

  override clear(): void {
    super.clear()
    this.originsTaken = 0
  }

  protected override parts(): Readonly<Record<string, Snapshot | null>> {
    return { ...super.parts(), enricher: this.enricher, origins: this.origins }
  }
}
