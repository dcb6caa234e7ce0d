import { describe, expect, it } from 'vitest'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Sink } from '../../src/record/sink.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { taskIdOf, withSeed } from '../../src/sweep/taskIdentity.ts'
import { type Row, rowOfKind } from '../../src/venue/eventCells.ts'
import { EVENT_STRIDE, EventCell, type EventRows } from '../../src/venue/eventRows.ts'
import { MarketResolved, ParlayEvent, type ParlayKind, RequestCreated } from '../../src/venue/parlay/protocol/events.ts'
import { mistakes, prepared, SMALL } from './small.ts'

/** Everything that may be drawn is: outcomes that hang together, delays with jitter, faults, and a maker that draws. */
const DRAWN = `${SMALL.replace(/makers:[^]*/, `makers:
  - { use: fixed-margin, capital: 50000 USDC, latency: { quote: { base: 20ms, jitter: 90ms }, confirm: { base: 100ms, jitter: 900ms } }, faults: { ignore: 10%, missConfirm: 10% } }
  - { use: random, capital: 50000 USDC, latency: { broadcast: { base: 5ms, jitter: 60ms } } }
`)}settlement: { missing: draw, outcomes: drawn, correlation: 40%, lag: 1m }
`

/** What a session tells, row by row with its list. */
interface Heard {
  readonly digest: string
  /** Up to the first result, and from there on. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly fills: number
  /** When, of which market, and what. */
  readonly results: readonly string[]
  /** When, who, for how much, and on which legs. */
  readonly wishes: readonly string[]
}

async function heard(...set: readonly string[]): Promise<Heard> {
  const { resolved, strategies, store } = (await prepared(DRAWN, { set })).prepared
  const told = { before: [] as string[], after: [] as string[], fills: 0, results: [] as string[], wishes: [] as string[] }
  const hear = (events: EventRows, row: Row): void => {
    const kind = events.kindOf(row) as ParlayKind
    if (kind === ParlayEvent.marketResolved) {
      const of = rowOfKind(row, kind)
      told.results.push([events.read(of, EventCell.atUs), events.read(of, MarketResolved.market), events.read(of, MarketResolved.result)].join())
    } else if (kind === ParlayEvent.requestCreated) {
      const of = rowOfKind(row, kind)
      told.wishes.push([events.read(of, EventCell.atUs), events.read(of, RequestCreated.owner), events.read(of, RequestCreated.betMicros), ...events.list(of)].join())
    } else if (kind === ParlayEvent.quoteFilled && told.results.length === 0) told.fills++
    const { cells, first } = events.rowCells(row)
    const numbers = (cells as unknown as Float64Array).subarray(first, first + EVENT_STRIDE)
    ;(told.results.length === 0 ? told.before : told.after).push([...numbers.subarray(0, EVENT_STRIDE - 2), ...events.list(row)].join())
  }
  const sink: Sink = {
    flush: ({ parlay }) => { for (let i = 0; i < parlay!.events.count; i++) hear(parlay!.events, parlay!.events.row(i)) },
    finish() {}, abort() {},
  }
  const digest = new Digest()
  new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest, sink] }).runToEnd()
  return { digest: digest.hex(), ...told }
}

describe('the seeds of a session\'s parts', () => {
  it('give the streams of the one seed where all are equal to it', async () => {
    const { digest } = await heard('seed=7')
    expect((await heard('seed=7', 'seeds.outcomes=7', 'seeds.bettors=7', 'seeds.makers=7')).digest).toBe(digest)
    expect((await heard('seed=8', 'seeds={ outcomes: 7, bettors: 7, makers: 7 }')).digest).toBe(digest)
    expect((await heard('seed=8')).digest).not.toBe(digest)
  })

  it('leave every row before the first result as it is, with another seed of outcomes', async () => {
    const base = await heard()
    const other = await heard('seeds.outcomes=2')
    expect(base.fills).toBeGreaterThan(20)
    expect(other.before).toEqual(base.before)
    expect(other.results).not.toEqual(base.results)
    expect(other.after).not.toEqual(base.after)
  })

  it('leave outcomes as they are, with another seed of bettors', async () => {
    const base = await heard()
    const other = await heard('seeds.bettors=2')
    expect(other.results).toEqual(base.results)
    expect(other.wishes).not.toEqual(base.wishes)
    // No request of one is one of the other.
    expect(other.wishes.filter((wish) => base.wishes.includes(wish))).toEqual([])
  })

  it('leave outcomes and what bettors wish for as they are, with another seed of makers', async () => {
    const base = await heard()
    const other = await heard('seeds.makers=2')
    expect(base.wishes.length).toBeGreaterThan(100)
    expect(other.wishes).toEqual(base.wishes)
    expect(other.results).toEqual(base.results)
    expect(other.before).not.toEqual(base.before)
  })

  it('stand in the manifest and in the identity of a task, and stay as they are given over replications', async () => {
    const { prepared: base } = await prepared(SMALL)
    const { prepared: given } = await prepared(SMALL, { set: ['seeds.bettors=2'] })
    expect(base.resolved).not.toHaveProperty('seeds')
    expect(given.resolved.seeds).toEqual({ bettors: '2' })
    expect(taskIdOf(given, 'tree')).not.toBe(taskIdOf(base, 'tree'))
    expect(withSeed(given, '1/3').resolved).toMatchObject({ seed: '1/3', seeds: { bettors: '2' } })
  })

  it('are of the parts that there are', async () => {
    expect(await mistakes('mode: interactive', 'mode: interactive\nseeds: { takers: 2 }')).toEqual(['4 seeds: unknown key takers; did you mean makers?'])
  })
})
