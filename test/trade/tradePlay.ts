import { readFileSync } from 'node:fs'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import lastLook from '../../src/agent/makers/lastLook.ts'
import shade from '../../src/agent/makers/shade.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import { roomImport } from '../../src/scenario/strategies.ts'
import { LockstepLink } from '../../src/trade/lockstepLink.ts'
import { type MakerSummary, MakerTrader } from '../../src/trade/maker/makerTrader.ts'
import { OutcomeMaker } from '../../src/trade/outcome/maker.ts'
import { microsOfUsdc, ParlayMakerWords } from '../../src/trade/parlay/makerWords.ts'
import { newFolder, put } from '../scenario/small.ts'
import { type Doors, type PlayedMaker, tokenOf } from '../serve/lockstep/served.ts'

/** A maker that plays inside by the scenario's words, and outside by its strategy. */
export interface TradedMaker extends PlayedMaker {
  readonly values: Readonly<Record<string, number>>
  /** Absent: the built-in one that `use` names. */
  readonly strategy?: MakerStrategy
}

const STRATEGIES: Readonly<Record<string, MakerStrategy>> = { 'fixed-margin': fixedMargin, shade, 'last-look': lastLook, 'cashout-bidder': cashOutBidder } as never

/** The maker that the README shows, as the file that a reader saves. */
export function readmesMaker(): string {
  const [, code] = /```ts\n(import \{ maker, .*?)```/s.exec(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))!
  return put(newFolder(), 'mine.ts', code!)
}

/** Makers some of whose limits bind: what they have at risk is told by their desks alone. The first decides late, and lets windows lapse. */
export async function tradedMakers(latency: string): Promise<TradedMaker[]> {
  const mine = readmesMaker()
  return [
    { name: 'a', use: 'last-look', latency, parameters: ', params: { atDeadline: 1, reserve: 300ms, margin: 1%, tolerance: 0.02% }', values: { atDeadline: 1, reserve: 300_000, margin: 0.01, tolerance: 0.0002 } },
    { name: 'b', use: 'shade', latency, values: {} },
    { name: 'c', use: 'fixed-margin', latency, parameters: ', params: { cap: 60 USDC }', values: { cap: 60_000_000 } },
    { name: 'd', use: 'cashout-bidder', latency, parameters: ', params: { resellAfter: 3s }', values: { resellAfter: 3_000_000 } },
    { name: 'e', use: mine, latency, values: {}, strategy: await roomImport(mine, 'maker') as MakerStrategy },
  ]
}

/** `parlor trade` for each maker, over the sockets that the doors name. `ended` gets what each says when the session is over. */
export const traders = (prepared: PreparedScenario, makers: readonly TradedMaker[], ended: MakerSummary[] = []) => async ({ url, controlUrl, served, credentials }: Doors) =>
  Promise.all(makers.map(async ({ name, use, values, strategy = STRATEGIES[use]! }) => {
    const apiKey = credentials[name]!['api_key']!
    const words = new ParlayMakerWords(apiKey)
    const link = new LockstepLink({ url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), headers: { 'x-api-key': apiKey }, channels: words.channels })
    const trader = await MakerTrader.create({ link, words, name, seed: prepared.resolved.seed, strategy, values: parameterValues(strategy.parameters, values), microsOf: microsOfUsdc })
    const over = trader.play(new AbortController().signal).then((summary) => { ended.push(summary) })
    return { over }
  }))

/** The same on the outcome service. */
export const outcomeTraders = (prepared: PreparedScenario, makers: readonly TradedMaker[], ended: MakerSummary[] = []) => async ({ url, controlUrl, served, credentials }: Doors) =>
  Promise.all(makers.map(async ({ name, use, values, strategy = STRATEGIES[use]! }) => {
    const held = credentials[name]!
    const words = new OutcomeMaker({ makerId: held['maker_id']!, privateKey: held['wallet_private_key']!, chainId: Number(held['chain_id']), vault: held['vault']! })
    const token = tokenOf(served.seats.find((seat) => seat.name === name)!.account)
    const link = new LockstepLink({ url, controlUrl, token, headers: { authorization: `Bearer ${held['api_key']!}` }, channels: words.channels })
    const trader = await MakerTrader.create({ link, words, name, seed: prepared.resolved.seed, strategy, values: parameterValues(strategy.parameters, values), microsOf: Number })
    return { over: trader.play(new AbortController().signal).then((summary) => { ended.push(summary) }) }
  }))
