import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { scripted } from '../../src/agent/bettors/scripted.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import { maker, type MakerHandlers, type MakerStrategy } from '../../src/agent/maker.ts'
import { Session } from '../../src/engine/session.ts'
import { Side } from '../../src/market/sides.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, QuoteSelected } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { parlayConfig } from './world.ts'

const START = 1_750_000_000_000_000
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number) => ({ baseUs: sec(s), jitterUs: 0 })
/** A bettor leaves out so many makers at most: with one maker more, some maker is asked a second time. */
const LEFT_OUT_MAX = 8

/** Quotes anew every seven seconds, and declines every selection. */
const declining = maker({}, (): MakerHandlers => ({
  onRequest(request, desk) {
    desk.quote(request, { probability: 0.25, validUs: 60_000_000 })
    desk.later(request, sec(7))
  },
  onLater(request, desk) {
    desk.quote(request, { probability: 0.25, validUs: 60_000_000 })
    if (desk.nowUs + sec(7) < request.expiresAtUs) desk.later(request, sec(7))
  },
  onSelected: (selection, desk) => desk.decline(selection),
})) as unknown as MakerStrategy

const persistent: BettorStrategy = {
  role: 'bettor', parameters: {}, create: () => ({
    ...scripted([{ legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.yes }], betMicros: 25_000_000, minOddsE4: 10_001, decideUs: sec(2), cancel: false }]).create({}),
    onDecision: (intent, desk) => { if (intent.bestOddsE4 > 0) desk.commit(intent); else if (intent.decisions < 60) desk.wait(intent, sec(1)) },
    onRefused: (intent, _refusal, desk) => { if (intent.decisions < 60) desk.wait(intent, sec(1)) },
  }),
}

/** A session with a bettor that commits one request again and again, which each of the makers declines. */
function played(): RowLog {
  const none = new Int32Array(0)
  const log = new RowLog()
  const latency = { feedUs: 0, broadcast: fixed(0.02), submit: fixed(0.05), confirm: { baseUs: sec(0.1), jitterUs: sec(1) } }
  new Session(parlayConfig({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(60), profile: profileOf(PARLAY_SETTINGS), marketCount: 2,
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator: [0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
    makers: Array.from({ length: LEFT_OUT_MAX + 1 }, (_, i) => ({ name: `m${i}`, strategy: declining, values: {}, capitalMicros: 1e12, latency, faults: NO_FAULTS })),
    cohorts: [{ name: 'bettor', strategy: persistent, values: {}, bettors: 1, bankrollMicros: 1e9, everyUs: 0, arrivalsUs: [START + sec(10)], latency }],
    sinks: [log],
  })).runToEnd()
  return log
}

describe('later selections of a request', () => {
  it('have delays of their own: a maker that is asked again takes another time to answer', () => {
    const log = played()
    const selections = ofKind(log.rows, ParlayEvent.quoteSelected, QuoteSelected)
    const declines = log.commands.filter(({ op }) => op === ParlayOp.declineSelection)
    expect(declines).toHaveLength(selections.length)
    // How long after each selection its maker's decline came, by maker.
    const delaysOf = Map.groupBy(selections.map(({ maker: account, atUs }, i) => ({ account, delayUs: declines[i]!.atUs - atUs })), ({ account }) => account)
    const again = [...delaysOf.values()].filter((delays) => delays.length > 1)
    expect(again.length).toBeGreaterThan(0)
    for (const delays of again) expect(new Set(delays.map(({ delayUs }) => delayUs)).size).toBe(delays.length)
  })

  it('leave out the first eight makers that did not confirm', () => {
    const asked = ofKind(played().rows, ParlayEvent.quoteSelected, QuoteSelected).map(({ maker: account }) => account)
    const first = asked.slice(0, LEFT_OUT_MAX + 1)
    expect(new Set(first).size).toBe(LEFT_OUT_MAX + 1)
    expect(asked.length).toBeGreaterThan(LEFT_OUT_MAX + 2)
    expect(new Set(asked.slice(LEFT_OUT_MAX))).toEqual(new Set([first.at(-1)]))
  })
})
