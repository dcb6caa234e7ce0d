import type { BettorStrategy } from '../../agent/bettor.ts'
import { PublishedResults } from '../../market/publishedResults.ts'
import { InputError } from '../../unit/inputError.ts'
import { type Act, fresh, isWake, type Link, type Turn } from '../link.ts'
import { TradePrices } from '../prices.ts'
import { type BettorCounts, BettorHost } from './bettorHost.ts'
import type { BettorWords, Heard } from './bettorWords.ts'
import type { HostWake } from './hostDeeds.ts'
import { ListedMarkets, MARKETS_MAX } from './listedMarkets.ts'
import { type AgainTag, Waiting } from './waiting.ts'

export interface BettorSeat {
  /** Of the seat: the draws are keyed by it. */
  readonly name: string
  readonly seed: string
  readonly strategy: BettorStrategy
  readonly values: Readonly<Record<string, number>>
  /** Bettors that come in an hour, on average. */
  readonly ratePerHour: number
  /** After so many nobody comes any more. Absent: they come as long as the session lasts. */
  readonly betsMax?: number
}

export interface BettorSummary extends BettorCounts {
  readonly calls: number
  /** By the service's code. */
  readonly refusals: ReadonlyMap<string, number>
}

/** Whom an answer or a wake is for. */
type Tag = { readonly of: 'host'; readonly wake: HostWake } | { readonly of: 'words'; readonly tag: unknown } | AgainTag

/** A bettor strategy as a client of a service: it takes turns, and makes calls and wakes of what its strategy wishes. */
export class BettorClient {
  private readonly host: BettorHost
  private readonly words: BettorWords
  private readonly prices = new TradePrices(MARKETS_MAX, 0)
  private readonly waiting = new Waiting()
  private calls = 0
  private hasBegun = false
  /** What leaving has ended. */
  private readonly ended = new Set<string>()

  /** Throws InputError for a strategy that needs what no service tells. */
  constructor({ name, seed, strategy, values, ratePerHour, betsMax = Infinity }: BettorSeat, words: BettorWords) {
    if (!(ratePerHour > 0 && Number.isFinite(ratePerHour))) throw new InputError(`bettors come at a rate above 0, not ${ratePerHour}`, { hint: 'expected --rate BETS_AN_HOUR' })
    if (strategy.horizonUs !== undefined) {
      throw new InputError('the bettor has horizonUs: inside of a session it sees prices ahead of time, and no client is told them sooner than others', { hint: 'play it inside, or a bettor without horizonUs' })
    }
    const markets = new ListedMarkets((market, number) => { this.prices.name(market, number) })
    this.words = words
    this.host = new BettorHost({ name, seed, strategy, values, ratePerHour, betsMax, markets, prices: this.prices, results: new PublishedResults(MARKETS_MAX) })
  }

  get summary(): BettorSummary {
    return { ...this.host.counts, calls: this.calls, refusals: this.words.refusals }
  }

  /** Plays until the session is over or `signal` is aborted. */
  play(link: Link, signal: AbortSignal): Promise<void> {
    return link.play((turn) => (signal.aborted ? Promise.resolve(this.leave(turn)) : this.act(turn, link)), signal)
  }

  /** It leaves: what is open is ended once, also what an answer says only now. The strategy is told nothing any more. */
  private leave({ tag, answer, atUs }: Turn): readonly Act[] {
    const called = tag as Tag | undefined
    if (answer !== undefined && called?.of === 'words') this.words.answered(called.tag, answer, atUs)
    return fresh(this.words.leaving(atUs), this.ended).map((act) => this.tagged(act))
  }

  private async act(turn: Turn, link: Link): Promise<readonly Act[]> {
    const acts = await this.acts(turn, link)
    this.waiting.add(acts)
    return acts
  }

  private async acts({ why, atUs, answer, tag, frames }: Turn, link: Link): Promise<readonly Act[]> {
    // Of what it bet on it hears by calls alone.
    if (why === 'over') {
      if (this.hasBegun) this.host.tell('onEnd', atUs)
      return []
    }
    if (why === 'begin' || why === 'joined') return this.come(atUs)
    const { waiting } = this
    const again = answer === undefined ? null : waiting.again(tag, answer, atUs)
    waiting.over(tag)
    const acts: Act[] = again === null ? [] : [again]
    const due = (again === null ? tag : undefined) as Tag | undefined
    if (due?.of === 'again') acts.push(this.counted(due.call))
    const heard = [this.words.framesCame(frames, atUs)]
    if (due?.of === 'words') heard.push(answer === undefined ? this.words.woken(due.tag, atUs, this.host.areMoreToCome) : this.words.answered(due.tag, answer, atUs))
    const wake = due?.of === 'host' ? due.wake : null
    if (wake !== null || heard.some(({ told }) => told.length > 0)) await this.prices.follow((path) => link.read(path))
    for (const one of heard) this.take(one, atUs, acts)
    if (wake !== null) {
      this.host.woken(wake, atUs)
      this.deed(atUs, acts)
    }
    return acts
  }

  /** Time begins for it, however late it comes. Later it is back: what it waited for is asked for again, and the times that it waits for are due all the same. */
  private come(atUs: number): readonly Act[] {
    if (!this.hasBegun) {
      this.hasBegun = true
      this.host.tell('onStart', atUs)
      return this.words.begun().map((act) => this.tagged(act))
    }
    const { calls, wakes } = this.waiting.take()
    const acts = this.words.cameBack(calls.map((call) => ({ ...call, tag: (call.tag as { readonly tag: unknown }).tag })), atUs).map((act) => this.tagged(act))
    this.waiting.repeat(acts)
    return [...acts, ...wakes]
  }

  private take({ told, acts: own }: Heard, atUs: number, acts: Act[]): void {
    for (const one of told) {
      this.host.hear(one, atUs)
      this.deed(atUs, acts)
    }
    for (const act of own) acts.push(this.tagged(act))
  }

  /** Does what the host wants done. */
  private deed(atUs: number, acts: Act[]): void {
    for (const deed of this.host.takeDeeds()) {
      if ('wake' in deed) acts.push({ wakeUs: deed.wakeUs, tag: { of: 'host', wake: deed.wake } satisfies Tag })
      else for (const act of this.words.wished(deed.wish, atUs)) acts.push(this.tagged(act))
    }
  }

  /** What the words do, so that what comes of it goes back to them. */
  private tagged(act: Act): Act {
    return this.counted({ ...act, tag: { of: 'words', tag: act.tag } satisfies Tag })
  }

  private counted(act: Act): Act {
    if (!isWake(act)) this.calls++
    return act
  }
}
