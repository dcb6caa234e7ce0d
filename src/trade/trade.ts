import type { BettorStrategy } from '../agent/bettor.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import { fixed } from '../unit/numberText.ts'
import { BettorClient } from './bettor/bettorClient.ts'
import type { BettorWords } from './bettor/bettorWords.ts'
import type { Seat } from './credentials.ts'
import { isUnconnected, unreachable } from './httpCalls.ts'
import type { ChannelTerms, Link } from './link.ts'
import { LockstepLink } from './lockstepLink.ts'
import { type MakerSummary, MakerTrader } from './maker/makerTrader.ts'
import type { MakerWords } from './maker/makerWords.ts'
import { OutcomeBettor } from './outcome/bettor.ts'
import { OutcomeMaker } from './outcome/maker.ts'
import { ParlayBettor } from './parlay/bettor.ts'
import { microsOfUsdc, ParlayMakerWords } from './parlay/makerWords.ts'
import { WallLink } from './wallLink.ts'

const USDC_MICROS = 1_000_000
const CENTS = 2

export interface TradeTerms {
  readonly seat: Seat
  readonly strategy: MakerStrategy | BettorStrategy
  readonly values: Readonly<Record<string, number>>
  /** The seed of the seat's draws: with the scenario's a strategy draws what it draws inside. */
  readonly seed: string
  /** Bettors that come in an hour, and how many at most. */
  readonly ratePerHour: number
  readonly betsMax?: number
  /** Tells whoever runs the client what became of it. */
  readonly say: (text: string) => void
}

/** What a client did, by names for people; money in microUSDC under names that end so. */
export interface TradeSummary {
  readonly calls: number
  readonly refusals: Readonly<Record<string, number>>
  readonly figures: Readonly<Record<string, number>>
}

/** Plays a strategy in a seat until the session is over or the signal is aborted. */
export async function trade({ seat, strategy, values, seed, ratePerHour, betsMax, say }: TradeTerms, signal: AbortSignal): Promise<TradeSummary> {
  if (strategy.role === 'maker') {
    const words = makerWordsOf(seat)
    const link = linkOf(seat, words.channels, say)
    const microsOf = seat.service === 'parlay' ? microsOfUsdc : Number
    const trader = await MakerTrader.create({ link, words, name: seat.name, seed, strategy, values, microsOf, say })
      .catch((error: unknown) => { throw isUnconnected(error) ? unreachable(seat.url, error) : error })
    const summary = await trader.play(signal)
    if (summary.openRiskMicros > 0) say(`${fixed(summary.openRiskMicros / USDC_MICROS, CENTS)} USDC are at risk in positions that had not ended when this client did: the profit is without them`)
    return makersSummary(summary)
  }
  const words = bettorWordsOf(seat)
  const client = new BettorClient({ name: seat.name, seed, strategy, values, ratePerHour, ...(betsMax === undefined ? {} : { betsMax }) }, words)
  await client.play(linkOf(seat, words.channels, say), signal)
  const { calls, refusals, ...figures } = client.summary
  return { calls, refusals: Object.fromEntries(refusals), figures }
}

const makersSummary = ({ calls, refusals, turns, requests, opened, ended, capitalMicros, freeMicros, openRiskMicros, profitMicros }: MakerSummary): TradeSummary =>
  ({ calls, refusals: Object.fromEntries(refusals), figures: { turns, requests, opened, ended, capitalMicros, freeMicros, openRiskMicros, profitMicros } })

function linkOf({ service, url, controlUrl, held }: Seat, channels: readonly ChannelTerms[], say: TradeTerms['say']): Link {
  const headers = service === 'parlay' ? { 'x-api-key': held['api_key']! } : { authorization: `Bearer ${held['api_key']!}` }
  return controlUrl === null ? new WallLink({ url, headers, channels }) : new LockstepLink({ url, headers, channels, controlUrl, token: held['control_token']!, say })
}

function makerWordsOf({ service, held }: Seat): MakerWords {
  return service === 'parlay' ? new ParlayMakerWords(held['api_key']!) : new OutcomeMaker({ makerId: held['maker_id']!, ...signerOf(held) })
}

function bettorWordsOf({ service, held }: Seat): BettorWords {
  return service === 'parlay' ? new ParlayBettor() : new OutcomeBettor({ accountId: held['account_id']!, ...signerOf(held) })
}

const signerOf = (held: Seat['held']) => ({ chainId: Number(held['chain_id']), vault: held['vault']!, privateKey: held['wallet_private_key']! })
