import type { CallName } from '../../agent/calledStrategy.ts'
import type { MakerStrategy } from '../../agent/maker.ts'
import { InputError } from '../../unit/inputError.ts'
import type { DeskAnswer, DeskNote, DeskSeat } from '../deskFeed.ts'
import { isUnconnected } from '../httpCalls.ts'
import { KnownMarkets } from '../knownMarkets.ts'
import { type Act, fresh, isWake, type Link, type Turn, type Wake } from '../link.ts'
import { TradePrices } from '../prices.ts'
import { callStrategy } from '../strategyFailure.ts'
import { type MakerDeed, MakerHost } from './makerHost.ts'
import { isAboutSale } from './makerSales.ts'
import type { MakerAck, MakerTold, MakerWords } from './makerWords.ts'

export interface MakerTraderTerms {
  readonly link: Link
  readonly words: MakerWords
  /** The seat's name in the scenario. */
  readonly name: string
  /** The seed of the seat's draws. */
  readonly seed: string
  readonly strategy: MakerStrategy
  readonly values: Readonly<Record<string, number>>
  /** Microdollars of an amount on the service's wire. */
  readonly microsOf: (amount: number | string) => number
  /** Tells whoever runs the client what its summary lacks. */
  readonly say?: (text: string) => void
}

/** What a client did, as far as it knows. */
export interface MakerSummary {
  readonly turns: number
  readonly calls: number
  /** By the service's own code. */
  readonly refusals: ReadonlyMap<string, number>
  readonly requests: number
  readonly opened: number
  readonly ended: number
  readonly profitMicros: number
  readonly freeMicros: number
  readonly capitalMicros: number
  readonly openRiskMicros: number
}

/** Plays a maker's strategy as a client of a service: turns come from a link, wishes go out as the service's calls. */
export class MakerTrader {
  private readonly terms: MakerTraderTerms
  private readonly host: MakerHost
  private readonly prices: TradePrices
  private readonly markets: KnownMarkets
  private readonly refusals = new Map<string, number>()
  private turns = 0
  private calls = 0
  /** The next note that it reads. */
  private from = 0
  /** The session is over, and it has read all that it was told. */
  private isReadOut = false
  private hasBegun = false
  /** It has not read yet what stands since before it came. */
  private isBeginning = true
  /** What the strategy waits for. Wakes are lost when the session drops the client. */
  private readonly asleep = new Set<Wake>()
  /** What leaving has withdrawn. */
  private readonly withdrawn = new Set<string>()

  private constructor(terms: MakerTraderTerms, { markets: marketCount }: DeskAnswer, { capital, feed_us }: DeskSeat) {
    const { words, name, seed, strategy, values, microsOf } = terms
    this.terms = terms
    this.prices = new TradePrices(marketCount, feed_us)
    this.markets = new KnownMarkets(marketCount, this.prices)
    this.host = new MakerHost({ service: words.service, name, seed, strategy, values, capitalMicros: microsOf(capital!), marketCount, prices: this.prices, results: this.markets.results, facts: this.markets.facts })
  }

  /** Reads what the seat is. Throws InputError where the credential has no such seat. */
  static async create(terms: MakerTraderTerms): Promise<MakerTrader> {
    const desk = JSON.parse((await terms.link.read('/desk?standing=true&from=0&limit=1')).body) as DeskAnswer
    const seat = desk.seats.find(({ name, role }) => name === terms.name && role === 'maker')
    if (seat === undefined) throw new InputError(`the credential is not of the maker ${terms.name}`, { hint: `it has the seats ${desk.seats.map(({ name, role }) => `${name} (${role})`).join(', ')}` })
    terms.words.seated?.(seat)
    return new MakerTrader(terms, desk, seat)
  }

  /** Plays until the session is over or the signal is aborted. */
  async play(signal: AbortSignal): Promise<MakerSummary> {
    await this.terms.link.play((turn) => (turn.why === 'over' ? this.over(turn) : signal.aborted ? Promise.resolve(this.leave(turn)) : this.turn(turn)), signal)
    if (!signal.aborted && !this.isReadOut) this.terms.say?.('the service was gone before this client had read what it was told last: the figures may lack it')
    const { turns, calls, refusals, host: { counts, book: { freeMicros, capitalMicros, openRiskMicros } } } = this
    return { turns, calls, refusals, ...counts, freeMicros, capitalMicros, openRiskMicros }
  }

  /** It leaves: what stands is withdrawn once, also what an answer says only now. The strategy is told nothing any more. */
  private leave({ why, tag, answer, atUs }: Turn): readonly Act[] {
    const { words } = this.terms
    if (why === 'answer' && answer !== undefined) this.refused(words.answered(tag, answer, atUs).ack)
    const acts = fresh(words.leaving(), this.withdrawn)
    this.calls += acts.length
    return acts
  }

  private async turn(turn: Turn): Promise<readonly Act[]> {
    const { words, link } = this.terms
    this.turns++
    const [notes] = await Promise.all([this.notes(), this.prices.follow((path) => link.read(path))])
    for (const note of notes) this.markets.take(note)
    const acts = this.begun(turn.atUs)
    acts.push(...(turn.why === 'answer' ? this.answered(turn) : turn.why === 'joined' ? this.back() : []))
    if (turn.why === 'wake') acts.push(...this.woken(turn))
    for (const told of words.told(turn.frames, notes, turn.atUs)) acts.push(...this.hear(told))
    if (turn.why === 'joined') acts.push(...this.actsOf(this.calling('onCashOutRefused', () => this.host.lost(turn.atUs)), turn.atUs))
    for (const act of acts) {
      if (isWake(act)) this.asleep.add(act)
      else this.calls++
    }
    return acts
  }

  /** The session begins for its strategy, however late it comes. */
  private begun(atUs: number): Act[] {
    if (this.hasBegun) return []
    this.hasBegun = true
    return this.actsOf(this.calling('onStart', () => this.host.tell('onStart', atUs)), atUs)
  }

  /** What the desk was told last is heard as inside. What the strategy wishes then, nobody hears. */
  private async over({ atUs }: Turn): Promise<readonly Act[]> {
    const { words, link } = this.terms
    try {
      await this.prices.follow((path) => link.read(path))
      const notes = await this.notes()
      for (const note of notes) this.markets.take(note)
      for (const told of words.told([], notes, atUs)) this.calling(told.kind, () => this.host.hear(told))
      // Who asks for more lets the session close its ports.
      await link.read(`/desk?from=${this.from}`)
    } catch (error) {
      if (!isUnconnected(error)) throw error
    }
    if (this.hasBegun) this.calling('onEnd', () => this.host.tell('onEnd', atUs))
    return []
  }

  private woken({ tag, atUs }: Turn): Act[] {
    for (const wake of this.asleep) if (wake.tag === tag) this.asleep.delete(wake)
    return this.hear({ ...tag as MakerTold, atUs })
  }

  /** What it waited for is due all the same. */
  private back(): Act[] {
    this.terms.words.cameBack()
    return [...this.asleep]
  }

  private async notes(): Promise<readonly DeskNote[]> {
    const told: DeskNote[] = []
    for (let hasMore = true; hasMore;) {
      const answer = JSON.parse((await this.terms.link.read(`/desk?from=${this.from}${this.isBeginning ? '&standing=true' : ''}`)).body) as DeskAnswer
      if (this.from === 0) this.carry(answer)
      told.push(...answer.told)
      this.from = answer.next
      hasMore = answer.has_more
      this.isReadOut = answer.is_over && !hasMore
    }
    this.isBeginning = false
    return told
  }

  /** Positions whose notes are gone have left their profit. */
  private carry({ seats }: DeskAnswer): void {
    const { microsOf, name } = this.terms
    this.host.carry(microsOf(seats.find((seat) => seat.name === name && seat.role === 'maker')?.ended_profit ?? 0))
  }

  private answered({ tag, answer, atUs }: Turn): Act[] {
    if (answer === undefined) return []
    const { ack, acts } = this.terms.words.answered(tag, answer, atUs)
    this.refused(ack)
    return [...acts, ...(ack === null ? [] : this.actsOf(this.calling(isAboutSale(ack) ? 'onCashOutRefused' : 'onAck', () => this.host.answered(ack, atUs)), atUs))]
  }

  private refused(ack: MakerAck | null): void {
    const { code } = ack ?? {}
    if (code !== undefined) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
  }

  private hear(told: MakerTold): Act[] {
    return this.actsOf(this.calling(told.kind, () => this.host.hear(told)), told.atUs)
  }

  private actsOf(deeds: readonly MakerDeed[], nowUs: number): Act[] {
    return deeds.flatMap((deed): readonly Act[] => ('wish' in deed ? this.terms.words.callOf(deed.wish, nowUs) : [{ wakeUs: deed.wakeUs, tag: deed.told }]))
  }

  private calling(handler: CallName, call: () => readonly MakerDeed[]): readonly MakerDeed[] {
    return callStrategy({ role: 'maker', name: this.terms.name }, handler, call)
  }
}
