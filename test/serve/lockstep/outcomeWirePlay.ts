import type { MakerStrategy } from '../../../src/agent/maker.ts'
import cashOutBidder from '../../../src/agent/makers/cashOutBidder.ts'
import fixedMargin from '../../../src/agent/makers/fixedMargin.ts'
import lastLook from '../../../src/agent/makers/lastLook.ts'
import shade from '../../../src/agent/makers/shade.ts'
import { parameterValues } from '../../../src/agent/parameters.ts'
import { outcomeLimbs } from '../../../src/scenario/outcomeIds.ts'
import type { PreparedScenario } from '../../../src/scenario/run.ts'
import { outcomeHandler } from '../../../src/serve/outcome/handler.ts'
import { decimalOfLimbs } from '../../../src/venue/outcome/protocol/outcomeId.ts'
import { OutcomeWords } from '../../engine/makerWords.ts'
import { OutsideMaker } from '../../engine/outsideMaker.ts'
import { type ClientTerms, LockstepClient } from './lockstepClient.ts'
import { OutcomeWireMaker } from './outcomeWireMaker.ts'
import { type Doors, type PlayedMaker, tokenOf } from './served.ts'
import { VALUES, WIRE_MAKERS } from './wirePlay.ts'
import { wholeTicks } from '../../market/wholeTicks.ts'

const STRATEGIES: Readonly<Record<string, MakerStrategy>> = { 'fixed-margin': fixedMargin, shade, 'last-look': lastLook, 'cashout-bidder': cashOutBidder } as never

const outcomeIdsOf = ({ store }: PreparedScenario): string[] => store.catalogue.markets.map((market) => decimalOfLimbs(outcomeLimbs(market)))

/** The service's own handler, with a key of tests, which decides about ids, wallets and the contract that signatures name. */
export const outcomeHandlers = (prepared: PreparedScenario, sessionKey = 'a key of tests') => ({
  outcome: outcomeHandler({ sessionKey, ticks: prepared.store.ticks, outcomeIds: outcomeIdsOf(prepared), pages: ['https://app.example'] }),
})

/** A bidder in auctions besides those that quote. */
export const OUTCOME_WIRE_MAKERS = (latency: string): PlayedMaker[] => [...WIRE_MAKERS(latency), { name: 'd', use: 'cashout-bidder', latency }]

/** What a client says first on `/v1/stream`. */
export const SUBSCRIBE = JSON.stringify({ type: 'subscribe', channels: ['account', 'maker'] })

/** What a client of a seat sends with everything, and how it opens its socket. */
export const seatTerms = (credentials: Readonly<Record<string, string>>) => ({
  headers: { authorization: `Bearer ${credentials['api_key']!}` }, streams: [], sockets: ['/v1/stream'], subprotocol: 'outcome-rfq.v1', firstFrame: SUBSCRIBE,
}) satisfies Partial<ClientTerms>

/** Clients that play the makers' strategies over the service's wire. `played` gets them. */
export const outcomeWireClients = (prepared: PreparedScenario, makers: readonly PlayedMaker[], played: OutcomeWireMaker[] = [], terms: Partial<ClientTerms> = {}) =>
  async ({ url, controlUrl, served, results, credentials }: Doors) => {
    const { built: { config } } = served
    const profile = prepared.resolved.services.outcome!.settings
    const marketOf = new Map(outcomeIdsOf(prepared).map((id, number) => [id, number]))
    return Promise.all(makers.map(({ name, use }) => {
      const { capitalMicros, latency: { feedUs, submit } } = prepared.resolved.makers.find((maker) => maker.name === name)!
      const held = credentials[name]!
      const strategy = STRATEGIES[use]!
      // It signs by the names of the wire: what the session signs by numbers nobody reads.
      const words = new OutcomeWords({ account: 0, profile, termsTag: () => 0, slowestUs: submit.baseUs + submit.jitterUs })
      const brain = new OutsideMaker({
        name, seed: config.seed, strategy, values: parameterValues(strategy.parameters, VALUES[use] ?? {}), capitalMicros, feedUs, ticks: wholeTicks(config.ticks), marketCount: config.marketCount, results, words,
      })
      const domain = { name: 'Outcome-Market RFQ', version: '1', chainId: Number(held['chain_id']), verifyingContract: held['vault'] }
      const maker = new OutcomeWireMaker(brain, {
        makerId: held['maker_id']!, privateKey: held['wallet_private_key']!, domain, takerFeeBps: profile.takerFeeBps, feeBps: profile.feeBps,
      }, marketOf)
      played.push(maker)
      return LockstepClient.connect({ url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), ...seatTerms(held), act: maker.act, ...terms })
    }))
  }
