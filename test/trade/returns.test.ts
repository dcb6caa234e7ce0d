import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { Link } from '../../src/trade/link.ts'
import { LockstepLink } from '../../src/trade/lockstepLink.ts'
import { type MakerSummary, MakerTrader } from '../../src/trade/maker/makerTrader.ts'
import { OutcomeMaker } from '../../src/trade/outcome/maker.ts'
import { microsOfUsdc, ParlayMakerWords } from '../../src/trade/parlay/makerWords.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { outcomeHandlers } from '../serve/lockstep/outcomeWirePlay.ts'
import { digestAgain, type Doors, type Play, type PlayedMaker, playedOutside, preparedOf, scenarioOf, tokenOf } from '../serve/lockstep/served.ts'
import { wireHandlers } from '../serve/lockstep/wirePlay.ts'

const STRATEGY = fixedMargin as never as MakerStrategy

type Service = 'parlay' | 'outcome'

const MAKERS: readonly PlayedMaker[] = ['a', 'b'].map((name) => ({ name, use: 'fixed-margin', latency: '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }' }))
const QUOTE_OPS: Readonly<Record<Service, number>> = { parlay: ParlayOp.submitQuote, outcome: OutcomeOp.submitQuote }

interface Trading { readonly over: Promise<MakerSummary>; readonly said: string[] }

/** `parlor trade` with a maker that quotes everything; `before` is called as each of its turns begins. */
async function trading({ url, controlUrl, served, credentials }: Doors, service: Service, name: string, before: (turn: number) => Promise<void> = () => Promise.resolve()): Promise<Trading> {
  const held = credentials[name]!
  const words = service === 'parlay' ? new ParlayMakerWords(held['api_key']!)
    : new OutcomeMaker({ makerId: held['maker_id']!, privateKey: held['wallet_private_key']!, chainId: Number(held['chain_id']), vault: held['vault']! })
  const headers = service === 'parlay' ? { 'x-api-key': held['api_key']! } : { authorization: `Bearer ${held['api_key']!}` }
  const said: string[] = []
  const link = new LockstepLink({ url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), headers, channels: words.channels, say: (text) => { said.push(text) } })
  let turns = 0
  const watched: Link = {
    read: (path) => link.read(path),
    play: (act, signal) => link.play(async (turn) => {
      await before(++turns)
      return act(turn)
    }, signal),
  }
  const trader = await MakerTrader.create({
    link: watched, words, name, seed: 'seed', strategy: STRATEGY, values: parameterValues(STRATEGY.parameters, {}), microsOf: service === 'parlay' ? microsOfUsdc : Number,
  })
  return { said, over: trader.play(new AbortController().signal) }
}

const preparedFor = (service: Service) => preparedOf(scenarioOf(MAKERS, true, 30, service))
const handlersFor = (service: Service, prepared: Awaited<ReturnType<typeof preparedFor>>) => (service === 'parlay' ? wireHandlers(prepared) : outcomeHandlers(prepared))

/** Turns in which b was asked for a quote, and its quotes, since it was back. */
function sinceBack({ rows }: Play, service: Service): { readonly asked: number; readonly quotes: number } {
  const { account, turn } = rows.findLast(({ kind }) => kind === 'joined')!
  const ofB = rows.filter((row) => row.account === account && row.turn! >= turn!)
  return { asked: ofB.filter(({ kind, why }) => kind === 'turn' && why === 'onRequest').length, quotes: ofB.filter(({ op }) => op === QUOTE_OPS[service]).length }
}

describe.each(['parlay', 'outcome'] as const)('a maker of the %s service', (service) => {
  it('trades from its first turn on where it comes when the session is under way', async () => {
    const prepared = await preparedFor(service)
    let patiences = 0
    const patience = { end: () => {}, begun: () => { if (++patiences === 1) setImmediate(() => { patience.end() }) } }
    let late: Trading | null = null
    const play = await playedOutside(prepared, async (doors) => {
      const come = async (turn: number): Promise<void> => {
        if (turn !== 5) return
        late = await trading(doors, service, 'b')
        late.over.catch(() => {})
      }
      return [await trading(doors, service, 'a', come)]
    }, { handlers: handlersFor(service, prepared), patience })
    expect(play.said).toEqual(['the client of b was not ready 30 s after the first one, and is out of the session until it says that it is ready', 'the client of b is back'])
    const { asked, quotes } = sinceBack(play, service)
    expect(asked).toBeGreaterThan(10)
    expect(quotes).toBe(asked)
    expect(late!.said).toEqual([])
    expect(digestAgain(prepared, play.rows)).toBe(play.digest)
  })

  it('comes back when it was dropped, and trades on', async () => {
    const prepared = await preparedFor(service)
    const patience = { end: () => {} }
    let b: Trading | null = null
    const play = await playedOutside(prepared, async (doors) => {
      b = await trading(doors, service, 'b', async (turn) => {
        if (turn !== 9) return
        patience.end()
        await new Promise((resolve) => { setTimeout(resolve, 50) })
      })
      return [await trading(doors, service, 'a'), b]
    }, { handlers: handlersFor(service, prepared), patience })
    expect(play.said.map((text) => text.slice(0, 27))).toEqual(['the client of b did not end', 'the client of b is back'])
    const { asked, quotes } = sinceBack(play, service)
    expect(asked).toBeGreaterThan(10)
    expect(quotes).toBe(asked)
    expect(b!.said).toEqual([expect.stringMatching(/^the session has dropped this client, which did not end turn \d+ in 30 s; it comes back$/)])
    expect(digestAgain(prepared, play.rows)).toBe(play.digest)
  })

  it('takes the place of one that is gone without a word, and trades on', async () => {
    const prepared = await preparedFor(service)
    let after: Trading | null = null
    let former: Promise<unknown> = Promise.resolve()
    const play = await playedOutside(prepared, async (doors) => {
      const b = await trading(doors, service, 'b', async (turn) => {
        if (turn !== 9) return
        after = await trading(doors, service, 'b')
        after.over.catch(() => {})
        await new Promise(() => {})
      })
      former = b.over.catch((error: unknown) => error)
      return [await trading(doors, service, 'a')]
    }, { handlers: handlersFor(service, prepared) })
    expect(await former).toMatchObject({ name: 'InputError', message: expect.stringContaining('closed with 1000 another connection has taken its place') as string })
    expect(play.said).toEqual(['the client of b made way for another one, and is out of the session until it says that it is ready', 'the client of b is back'])
    const { asked, quotes } = sinceBack(play, service)
    expect(asked).toBeGreaterThan(10)
    expect(quotes).toBe(asked)
    expect(after!.said).toEqual([])
    expect(digestAgain(prepared, play.rows)).toBe(play.digest)
  })

  it('takes the place of one that has no turn just then, and trades on', async () => {
    const prepared = await preparedFor(service)
    let former: Promise<unknown> = Promise.resolve()
    let after: Trading | null = null
    const play = await playedOutside(prepared, async (doors) => {
      const b = await trading(doors, service, 'b')
      former = b.over.catch((error: unknown) => error)
      const come = async (turn: number): Promise<void> => {
        if (turn !== 9) return
        after = await trading(doors, service, 'b')
        after.over.catch(() => {})
        // It says that it is ready while the former one is still there.
        await new Promise((resolve) => { setTimeout(resolve, 50) })
      }
      return [await trading(doors, service, 'a', come)]
    }, { handlers: handlersFor(service, prepared) })
    expect(await former).toMatchObject({ name: 'InputError', message: expect.stringContaining('closed with 1000 another connection has taken its place') as string })
    await after!.over
    const { asked, quotes } = sinceBack(play, service)
    expect(asked).toBeGreaterThan(10)
    expect(quotes).toBe(asked)
    expect(digestAgain(prepared, play.rows)).toBe(play.digest)
  })
})
