import type { BettorStrategy } from '../../agent/bettor.ts'
import { PublishedResults } from '../../market/publishedResults.ts'
import { InputError } from '../../unit/inputError.ts'
import { type Act, fresh, isWake, type Link, type Turn } from '../link.ts'
import { TradePrices } from '../prices.ts'
import { type BettorCounts, BettorHost, type HostWake } from './bettorHost.ts'
import type { BettorWords, Heard } from './bettorWords.ts'
import { ListedMarkets, MARKETS_MAX } from './listedMarkets.ts'

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
type Tag = { readonly of: 'host'; readonly wake: HostWake } | { readonly of: 'words'; readonly tag: unknown }

/** A bettor strategy as a client of a service: it takes turns, and makes calls and wakes of what its strategy wishes. */
export class BettorClient {
  private readonly host: BettorHost
  private readonly words: BettorWords
  private readonly prices = new TradePrices(MARKETS_MAX, 0)
  private calls = 0
  private hasBegun = false
  /** What leaving has ended. */
  private readonly ended = new Set<string>()

  /** Throws InputError for a strategy that needs what no service tells. */
  constructor({ name, seed, strategy, values, ratePerHour, betsMax = Infinity }: BettorSeat, words: BettorWords) {
    if (!(ratePerHour > 0 && Number.isFinite(ratePerHour))) throw new InputError(`bettors come at a rate above 0, not ${ratePerHour}`, { hint: 'expected --rate BETS_AN_HOUR' })
    if (strategy.horizonUs !== undefined) throw new InputError('the strategy looks ahead, and no service tells what prices will be', { hint: 'expected a bettor without horizonUs' })
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
  private leave({ why, tag, answer, atUs }: Turn): readonly Act[] {
    const called = tag as Tag | undefined
    if (why === 'answer' && answer !== undefined && called?.of === 'words') this.words.answered(called.tag, answer, atUs)
    const acts: Act[] = []
    for (const act of fresh(this.words.leaving(atUs), this.ended)) this.push(act, acts)
    return acts
  }

  private async act(turn: Turn, link: Link): Promise<readonly Act[]> {
    const { why, atUs } = turn
    const acts: Act[] = []
    const heard = [this.words.framesCame(turn.frames, atUs)]
    const tag = turn.tag as Tag | undefined
    if (why === 'begin' || why === 'joined') heard.push(this.begin(atUs))
    else if (why === 'answer' && tag?.of === 'words') heard.push(this.words.answered(tag.tag, turn.answer!, atUs))
    else if (why === 'wake' && tag?.of === 'words') heard.push(this.words.woken(tag.tag, atUs, this.host.areMoreToCome))
    const wake = why === 'wake' && tag?.of === 'host' ? tag.wake : null
    if (wake !== null || heard.some(({ told }) => told.length > 0)) await this.prices.follow((path) => link.read(path))
    for (const one of heard) this.take(one, atUs, acts)
    if (wake !== null) {
      this.host.woken(wake, atUs)
      this.deed(atUs, acts)
    }
    return acts
  }

  private begin(atUs: number): Heard {
    if (this.hasBegun) this.host.back(atUs)
    this.hasBegun = true
    return this.words.begun(atUs)
  }

  private take({ told, acts: own }: Heard, atUs: number, acts: Act[]): void {
    for (const one of told) {
      this.host.hear(one, atUs)
      this.deed(atUs, acts)
    }
    for (const act of own) this.push(act, acts)
  }

  /** Does what the host wants done. */
  private deed(atUs: number, acts: Act[]): void {
    for (const deed of this.host.takeDeeds()) {
      if ('wake' in deed) acts.push({ wakeUs: deed.wakeUs, tag: { of: 'host', wake: deed.wake } satisfies Tag })
      else this.take(this.words.wished(deed.wish, atUs), atUs, acts)
    }
  }

  private push(act: Act, acts: Act[]): void {
    if (!isWake(act)) this.calls++
    acts.push({ ...act, tag: { of: 'words', tag: act.tag } satisfies Tag })
  }
}
