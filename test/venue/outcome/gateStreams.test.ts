import { describe, expect, it } from 'vitest'
import { ChannelBit, ScopeBit } from '../../../src/venue/outcome/protocol/access.ts'
import { DAY, type Fields, GateDriver, MAKER, type OpName, OTHER, RIVAL, sec, T0, TAKER, UNBOUND } from './gateDriver.ts'
import { type ScriptRow, times } from './gateVenue.ts'
import { ApplyStream, CloseStream, Drain, OpenStream } from '../../../src/venue/outcome/protocol/commands.ts'

const { account, maker, market } = ChannelBit
const BOTH = account | maker
const FRESH = 1
const PACED = 2

/** Cursor of the first row of the last command. */
const cursorOf = (d: GateDriver): number => d.seqs[0]!
const newest = (d: GateDriver): number => d.sequence.next - 1

describe('opening a stream', () => {
  it('OM-068 OM-145 opens with the credential of the account', () => {
    const d = new GateDriver()
    const key = d.issue(TAKER, ScopeBit.accountStream)
    d.happen(['quoteCreated', MAKER, TAKER])
    const cursor = newest(d)
    expect(d.at(3).send('openStream', TAKER, { credential: key })).toEqual(
      { event: 'reply', at: 3, cause: 4, account: TAKER, op: 'openStream', code: 'ok', stream: 1, firstCursor: cursor, itemCount: 0 })
    expect(d.rows[0]).toEqual({ event: 'streamOpened', at: 3, cause: 4, account: TAKER, stream: 1, channels: account, firstCursor: cursor, itemCount: 0, start: 0 })
    expect(d.view.stream(1)).toEqual({ number: 1, account: TAKER, credential: key, channels: account, appliedCursor: cursor, backlog: 0 })
    expect(d.view.streamsOf(TAKER)).toEqual([1])
    expect(d.code('openStream', TAKER, { credential: -1 })).toBe('unauthenticated')
  })

  it('OM-155 before the venue\'s first row the first cursor is 0', () => {
    const d = new GateDriver()
    expect(d.send('openStream', TAKER)!['firstCursor']).toBe(0)
    expect(d.send('openStream', TAKER, { cursor: 0 })).toMatchObject({ code: 'ok', firstCursor: 0 })
    expect(d.code('openStream', TAKER, { cursor: 1 })).toBe('cursorReset')
  })

  it.each<[string, Fields, string]>([
    ['no channel', { value: 0 }, 'invalidSubscription'], ['the channel of market data', { value: market }, 'invalidSubscription'],
    ['all channels', { value: 7 }, 'invalidSubscription'], ['half a channel', { value: 1.5 }, 'invalidSubscription'], ['NaN', { value: NaN }, 'invalidSubscription'],
    ['flags below', { value2: -1 }, 'invalidSubscription'], ['flags above', { value2: 4 }, 'invalidSubscription'], ['half a flag', { value2: 0.5 }, 'invalidSubscription'],
    ['a cursor of −2', { cursor: -2 }, 'invalidSubscription'], ['half a cursor', { cursor: 0.5 }, 'invalidSubscription'],
    ['a cursor beyond integers', { cursor: 2 ** 53 }, 'invalidSubscription'], ['all flags', { value2: 3 }, 'ok'], ['the greatest cursor', { cursor: 2 ** 53 - 1 }, 'cursorReset'],
  ])('OM-160 OM-235 a subscription with %s', (_, fields, code) => {
    const d = new GateDriver()
    expect(d.code('openStream', TAKER, fields)).toBe(code)
    expect(d.view.streamsOf(TAKER)).toEqual(code === 'ok' ? [1] : [])
  })

  it('OM-236 the maker channel is open to makers alone', () => {
    const d = new GateDriver()
    const codes = (value: number) => [TAKER, UNBOUND, MAKER].map((who) => d.code('openStream', who, { value }))
    expect(codes(maker)).toEqual(['subscriptionDenied', 'subscriptionDenied', 'ok'])
    expect(codes(BOTH)).toEqual(['subscriptionDenied', 'subscriptionDenied', 'ok'])
    expect(codes(account)).toEqual(['ok', 'ok', 'ok'])
  })

  it('OM-217 an account has 10 streams, of either socket; another can open when one closed', () => {
    const d = new GateDriver()
    for (let i = 0; i < 9; i++) d.stream(TAKER)
    expect(d.code('openMarketStream', TAKER, { items: [1] })).toBe('ok')
    expect(d.code('openStream', TAKER)).toBe('connectionLimit')
    expect(d.code('openMarketStream', TAKER, { items: [1] })).toBe('connectionLimit')
    expect(d.code('openStream', OTHER)).toBe('ok')
    d.send('closeStream', TAKER, { [CloseStream.stream]: 10 })
    expect([1, 2].map(() => d.code('openStream', TAKER))).toEqual(['ok', 'connectionLimit'])
    expect(d.view.streamsOf(TAKER)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 12])
  })

  // The upgrade of a socket is answered before its first frame is sent.
  it('OM-217 OM-234 the limit of streams and a drain come before the checks of a subscription, these in their order', () => {
    const d = new GateDriver({ streamsMax: 1 })
    const denied = d.issue(TAKER, ScopeBit.accountRead)
    const bad = { value: 0, credential: denied, cursor: 1e9 }
    const market = { items: [1_000], cursor: -2 }
    d.send('drain', -1, { [Drain.isDraining]: 1 })
    const codes = (own: Fields, of: Fields) => [d.code('openStream', TAKER, own), d.code('openMarketStream', TAKER, of)]
    expect(codes(bad, market)).toEqual(Array(2).fill('connectionDrain'))
    d.send('drain', -1, { [Drain.isDraining]: 0 })
    d.stream(TAKER)
    expect(codes(bad, market)).toEqual(Array(2).fill('connectionLimit'))
    d.send('closeStream', TAKER, { [CloseStream.stream]: d.view.streamsOf(TAKER)[0]! })
    expect(codes(bad, market)).toEqual(Array(2).fill('invalidSubscription'))
    expect(codes({ ...bad, value: 1 }, { ...market, cursor: 1e9 })).toEqual(Array(2).fill('subscriptionDenied'))
    expect(codes({ cursor: 1e9 }, { items: [1], cursor: 1e9 })).toEqual(Array(2).fill('cursorReset'))
  })

  it('its client closes a stream, and only its own; the answer is ok in any case', () => {
    const d = new GateDriver()
    d.stream(TAKER)
    expect(d.code('closeStream', OTHER, { [CloseStream.stream]: 1 })).toBe('ok')
    expect(d.rows).toHaveLength(1)
    expect(d.code('closeStream', TAKER, { [CloseStream.stream]: 1, credential: -1 })).toBe('ok')
    expect(d.rows[0]).toEqual({ event: 'streamClosed', at: 0, cause: 3, account: TAKER, stream: 1, appliedCursor: 0, reason: 'ok' })
    for (const value of [1, 99, 0.5, NaN]) expect([d.code('closeStream', TAKER, { value }), d.rows.length]).toEqual(['ok', 1])
    expect(d.view.stream(1)).toBeNull()
    expect(d.code('closeStream', -1, { [CloseStream.stream]: 1 })).toBe('invalidRequest')
  })
})

/** The event and who must hear of it: [row, account channel of, maker channel of]. */
const EVENTS: readonly [rule: string, row: ScriptRow, accounts: readonly number[], makers: readonly number[]][] = [
  ['OM-151', ['rfqCreated', TAKER], [], [MAKER, RIVAL]],
  ['OM-152', ['quoteCreated', MAKER, TAKER], [TAKER], []],
  ['OM-153', ['quoteAccepted', MAKER, TAKER], [], [MAKER]],
  ['OM-154', ['operationStarted', TAKER, MAKER], [TAKER], [MAKER]],
  ['OM-154', ['operationUpdated', TAKER, MAKER], [TAKER], [MAKER]],
  ['OM-154', ['operationUpdated', OTHER], [OTHER], []],
  ['OM-154', ['operationUpdated', RIVAL, MAKER], [RIVAL], [MAKER]],
  ['OM-150', ['quoteReplaced', MAKER, TAKER], [], []],
  ['OM-150', ['rfqFilled', TAKER], [], []],
]

describe('events', () => {
  it.each(EVENTS)('%s %j goes to the account channels of %j and the maker channels of %j', (_, row, accounts, makers) => {
    const d = new GateDriver()
    d.happen()
    const before = newest(d)
    const streams: [number, number, boolean][] = []
    for (const who of [TAKER, OTHER, MAKER, RIVAL]) {
      streams.push([d.stream(who, { value2: PACED }), who, accounts.includes(who)])
      if (who >= MAKER) streams.push([d.stream(who, { value: maker, value2: PACED }), who, makers.includes(who)])
      if (who >= MAKER) streams.push([d.stream(who, { value: BOTH, value2: PACED }), who, accounts.includes(who) || makers.includes(who)])
    }
    d.happen(row)
    for (const [number, who, hears] of streams) expect([number, who, d.view.stream(number)!.backlog]).toEqual([number, who, hears ? 1 : 0])
    const replayed = (who: number, value: number) => d.send('openStream', who, { value, cursor: before })!['itemCount']
    expect([TAKER, OTHER, MAKER, RIVAL].map((who) => replayed(who, account))).toEqual([TAKER, OTHER, MAKER, RIVAL].map((who) => (accounts.includes(who) ? 1 : 0)))
    expect([MAKER, RIVAL].map((who) => replayed(who, maker))).toEqual([MAKER, RIVAL].map((who) => (makers.includes(who) ? 1 : 0)))
  })

  it('OM-150 deadlines of the venue make events like commands', () => {
    const d = new GateDriver()
    d.stream(TAKER, { value2: PACED })
    d.plan(5, ['operationUpdated', TAKER, MAKER], ['operationUpdated', TAKER, MAKER])
    d.pulse(5)
    expect(d.view.stream(1)!.backlog).toBe(2)
  })

  it('OM-153 an accept reaches the maker before it is answered', () => {
    const d = new GateDriver()
    d.stream(MAKER, { value: maker, value2: PACED })
    expect(d.send('acceptQuote', TAKER, { quote: 3 })).toBeUndefined()
    expect(d.view.stream(1)!.backlog).toBe(1)
  })

  it('OM-163 a client that is not paced has applied the last event that it was sent', () => {
    const d = new GateDriver()
    d.stream(TAKER)
    d.happen(['quoteCreated', MAKER, TAKER], ['quoteReplaced', MAKER, TAKER])
    const event = cursorOf(d)
    d.happen(['quoteCreated', MAKER, OTHER])
    expect(d.view.stream(1)).toMatchObject({ appliedCursor: event, backlog: 0 })
    d.pulse(sec(15))
    expect(d.view.stream(1)!.appliedCursor).toBe(event)
    d.send('drain', -1, { [Drain.isDraining]: 1 })
    expect(d.of('streamClosed')[0]!['appliedCursor']).toBe(event)
  })
})

describe('cursors', () => {
  /** Three quotes for the taker at 0, 10 and 20 µs; their cursors. */
  function quoted(profile = {}): [d: GateDriver, cursors: number[]] {
    const d = new GateDriver(profile)
    d.happen()
    const cursors = [0, 10, 20].map((at) => cursorOf(d.at(at).happen(['quoteCreated', MAKER, TAKER])))
    return [d, cursors]
  }
  const resume = (d: GateDriver, cursor: number) => d.send('openStream', TAKER, { cursor })!

  it('OM-155 OM-163 a stream resumes after the last cursor that its client applied', () => {
    const [d, [a, b, c]] = quoted()
    expect([a! - 1, a!, b!, c!].map((cursor) => resume(d, cursor)['itemCount'])).toEqual([3, 2, 1, 0])
    expect(resume(d, b!)).toMatchObject({ code: 'ok', firstCursor: b })
    expect(d.rows[0]).toMatchObject({ event: 'streamOpened', firstCursor: b, itemCount: 1, start: 1 })
    expect(d.view.stream(5)!.appliedCursor).toBe(c)
    expect(resume(d, newest(d))).toMatchObject({ code: 'cursorReset' })
  })

  it('OM-198 a cursor above the newest row of the venue cannot be replayed, the newest can', () => {
    const [d] = quoted()
    d.at(21).happen()
    const last = newest(d)
    expect([last, last + 1].map((cursor) => resume(d, cursor).code)).toEqual(['ok', 'cursorReset'])
  })

  it('OM-156 OM-198 events are replayed for 24 hours to the microsecond, then the cursor before them is reset', () => {
    const [d, [a, b, c]] = quoted()
    expect(resume(d.at(DAY - 1), a! - 1)).toMatchObject({ code: 'ok', itemCount: 3 })
    expect(resume(d.at(DAY), a! - 1).code).toBe('cursorReset')
    expect(resume(d, a!)).toMatchObject({ code: 'ok', itemCount: 2 })
    expect(resume(d.at(DAY + 19), a!).code).toBe('cursorReset')
    expect(resume(d, b!)).toMatchObject({ code: 'ok', itemCount: 1 })
    expect(resume(d.at(DAY + 20), b!).code).toBe('cursorReset')
    expect(resume(d, c!)).toMatchObject({ code: 'ok', itemCount: 0 })
    expect(d.code('openStream', TAKER)).toBe('ok')
  })

  it('OM-156 an event of another account lifts the horizon too', () => {
    const d = new GateDriver()
    d.happen()
    const before = newest(d)
    d.happen(['quoteCreated', MAKER, OTHER])
    expect([DAY - 1, DAY].map((at) => resume(d.at(at), before).code)).toEqual(['ok', 'cursorReset'])
  })

  it('OM-156 what is kept is bounded by the window', () => {
    const d = new GateDriver({ replayWindowMs: 1 })
    for (let i = 0; i < 5_000; i++) d.at(i * 10).happen(['rfqCreated', TAKER])
    const { gate } = d.gate.snapshot() as { gate: { log: { seq: Float64Array } } }
    expect(gate.log.seq.length).toBe(100)
    const streams = d.send('openStream', MAKER, { [OpenStream.channels]: maker, cursor: newest(d) - 6 })!
    expect(streams).toMatchObject({ code: 'ok', itemCount: 3 })
  })
})

describe('snapshots', () => {
  const items = (d: GateDriver, who: number, value: number) => d.send('openStream', who, { value })!['itemCount']

  it.each([[100, 100], [101, 100]])('OM-157 of %i items of a class %i are in a snapshot', (there, shown) => {
    for (const [who, value, kind] of [[TAKER, account, 'rfqs'], [TAKER, account, 'positions'], [TAKER, account, 'operations'], [MAKER, maker, 'quotes']] as const) {
      const d = new GateDriver()
      d.venue.items.set(who, { [kind]: there })
      expect([kind, items(d, who, value)]).toEqual([kind, shown])
    }
  })

  it('OM-157 the limit is that of each class, and a channel has its own classes', () => {
    const d = new GateDriver()
    d.venue.items.set(MAKER, { rfqs: 150, positions: 7, operations: 101, quotes: 200 })
    expect([account, maker, BOTH].map((value) => items(d, MAKER, value))).toEqual([207, 100, 307])
    expect(d.send('openStream', MAKER, { [OpenStream.channels]: BOTH, cursor: 0 })!['itemCount']).toBe(0)
  })

  it('OM-240 OM-166 a snapshot above the largest frame is refused, one of just its size is not', () => {
    // 512 + 256 × (2 + 3 + 1) + 96 × 4 × (2 + 3) bytes.
    const bytes = 512 + 1_536 + 1_920
    for (const [frameBytesMax, code] of [[bytes, 'ok'], [bytes - 1, 'snapshotTooLarge']] as const) {
      const d = new GateDriver({ frameBytesMax })
      d.venue.items.set(TAKER, { rfqs: 2, positions: 3, operations: 1, quotes: 50, legs: 4 })
      expect(d.code('openStream', TAKER)).toBe(code)
      expect(d.rows).toHaveLength(code === 'ok' ? 2 : 1)
      expect(d.code('openStream', TAKER, { cursor: 0 })).toBe('ok')
    }
  })
})

describe('a snapshot of 1 MiB', () => {
  it.each([[19, 'ok'], [20, 'snapshotTooLarge']])('OM-240 100 positions of 106 legs with %i operations: %s', (operations, code) => {
    // 512 + 256 × 119 + 96 × 10600 = 1048576 bytes.
    const d = new GateDriver()
    d.venue.items.set(TAKER, { positions: 100, operations, legs: 106 })
    expect(d.code('openStream', TAKER)).toBe(code)
  })
})

describe('heartbeats', () => {
  const beats = (d: GateDriver, until: number) => d.pulse(until).map((row) => [row.event, row.at, row['stream']])

  it('OM-158 a stream beats every 15 seconds to the microsecond', () => {
    const d = new GateDriver()
    d.happen()
    d.at(7).stream(TAKER)
    expect(beats(d, sec(15) + 6)).toEqual([])
    expect(d.pulse(sec(15) + 7)).toEqual([{ event: 'streamHeartbeat', at: sec(15) + 7, account: TAKER, stream: 1, newestCursor: 1 }])
    d.at(sec(20)).happen(['quoteCreated', MAKER, TAKER])
    const last = newest(d)
    expect(d.pulse(sec(45) + 7).map((row) => [row.at, row['newestCursor']])).toEqual([[sec(30) + 7, last], [sec(45) + 7, last]])
  })

  it('OM-159 with publication_freshness it beats every second', () => {
    const d = new GateDriver()
    d.stream(TAKER, { value2: FRESH })
    expect(beats(d, sec(1) - 1)).toEqual([])
    expect(beats(d, sec(2))).toEqual([['streamHeartbeat', sec(1), 1], ['streamHeartbeat', sec(2), 1]])
    d.stream(TAKER, { value2: FRESH | PACED })
    expect(beats(d, sec(3)).map(([, , stream]) => stream)).toEqual([1, 2])
  })

  it.each<[number, number]>([[-1, 15], [0, 15], [-0, 15], [FRESH, 1]])('OM-159 OM-295 a market stream with flags %s beats every %i s', (value2, seconds) => {
    const d = new GateDriver()
    d.send('openMarketStream', OTHER, { items: [1], value2 })
    expect(beats(d, sec(seconds) - 1)).toEqual([])
    expect(beats(d, sec(2 * seconds))).toEqual([['streamHeartbeat', sec(seconds), 1], ['streamHeartbeat', sec(2 * seconds), 1]])
  })

  it('OM-158 streams beat by number, after the venue\'s deadlines and the ends of credentials, and not once they closed', () => {
    const d = new GateDriver({ sessionAgeMs: 15_000 })
    const session = d.session(TAKER)
    d.stream(TAKER, { credential: session, origin: 0 })
    d.stream(OTHER)
    d.send('openMarketStream', OTHER, { items: [1] })
    d.plan(sec(15), ['quoteExpired', MAKER])
    d.pulse(sec(15))
    expect(d.rows.map((row) => [row.event, row['stream'] ?? row['credential'], row['account'] ?? row['maker']])).toEqual([
      ['quoteExpired', undefined, MAKER], ['sessionEnded', 1, TAKER], ['streamClosed', 1, TAKER], ['streamHeartbeat', 2, OTHER],
      ['streamHeartbeat', 3, undefined],
    ])
    d.send('closeStream', OTHER, { [CloseStream.stream]: 2 })
    expect(beats(d, sec(30))).toEqual([['streamHeartbeat', sec(30), 3]])
  })
})

describe('equal instants', () => {
  it.each<[OpName, string[]]>([
    ['setFees', ['reply ok']], ['resnapshot', ['reply ok']], ['deposit', ['streamHeartbeat', 'reply ok']], ['createRfq', ['streamHeartbeat', 'reply ok']],
    ['applyStream', ['streamHeartbeat', 'reply ok']],
  ])('an operator\'s %s comes before the deadlines of its instant, another command after them', (op, names) => {
    const d = new GateDriver()
    d.stream(TAKER)
    d.at(sec(15)).send(op, op === 'applyStream' ? -1 : TAKER, { value: op === 'resnapshot' ? maker : 1, cursor: 0 })
    expect(d.names()).toEqual(names)
    expect(d.pulse(sec(15))).toHaveLength(2 - names.length)
  })
})

describe('paced clients', () => {
  const applied = (d: GateDriver, value: number, cursor: number, who = -1) => d.code('applyStream', who, { value, cursor })

  it('OM-238 a client that would be more than 1000 events behind is closed', () => {
    const d = new GateDriver()
    d.stream(TAKER, { value2: PACED })
    const quotes = (count: number) => d.happen(...times(count, ['quoteCreated', MAKER, TAKER]))
    quotes(1_000)
    expect(d.view.stream(1)).toMatchObject({ appliedCursor: 0, backlog: 1_000 })
    expect(d.of('streamClosed')).toEqual([])
    quotes(1)
    expect(d.rows.at(-1)).toEqual({ event: 'streamClosed', at: 0, cause: 3, account: TAKER, stream: 1, appliedCursor: 0, reason: 'slowConsumer' })
    expect(d.view.stream(1)).toBeNull()
  })

  it('OM-238 what the client has read is not behind, and lets further events come', () => {
    const d = new GateDriver({ backlogMax: 3 })
    d.stream(TAKER, { value2: PACED })
    const cursors = [1, 2, 3].map(() => cursorOf(d.happen(['quoteCreated', MAKER, TAKER])))
    expect(applied(d, 1, cursors[1]! - 1)).toBe('ok')
    expect(d.view.stream(1)).toMatchObject({ appliedCursor: cursors[1]! - 1, backlog: 2 })
    expect(applied(d, 1, cursors[1]!)).toBe('ok')
    expect(d.view.stream(1)).toMatchObject({ appliedCursor: cursors[1], backlog: 1 })
    for (let i = 0; i < 2; i++) d.happen(['quoteCreated', MAKER, TAKER])
    expect(d.view.stream(1)!.backlog).toBe(3)
    d.happen(['quoteCreated', MAKER, TAKER])
    expect(d.of('streamClosed')[0]).toMatchObject({ appliedCursor: cursors[1], reason: 'slowConsumer' })
  })

  it('OM-238 an event of a deadline closes without a cause, streams by number, after all rows of the instant', () => {
    const d = new GateDriver({ backlogMax: 1 })
    for (const who of [MAKER, RIVAL, MAKER]) d.stream(who, { value: maker, value2: who === RIVAL ? 0 : PACED })
    d.plan(5, ['rfqCreated', TAKER], ['quoteExpired', MAKER], ['rfqCreated', TAKER], ['rfqClosed', TAKER])
    d.pulse(5)
    expect(d.rows.map((row) => [row.event, row['stream'], row['cause']])).toEqual([
      ['rfqCreated', undefined, undefined], ['quoteExpired', undefined, undefined], ['rfqCreated', undefined, undefined],
      ['rfqClosed', undefined, undefined], ['streamClosed', 1, undefined], ['streamClosed', 3, undefined],
    ])
    expect(d.view.streamsOf(RIVAL)).toEqual([2])
  })

  it('OM-238 replayed events wait in the backlog from the begin; more than 1000 of them close the stream', () => {
    for (const [count, names] of [[1_000, ['streamOpened', 'reply ok']], [1_001, ['streamOpened', 'streamClosed', 'reply ok']]] as const) {
      const d = new GateDriver()
      d.happen(...times(count, ['quoteCreated', MAKER, TAKER]))
      expect(d.send('openStream', TAKER, { [OpenStream.flags]: PACED, cursor: 0 })).toMatchObject({ stream: 1, firstCursor: 0, itemCount: count })
      expect(d.names()).toEqual(names)
      expect(d.view.stream(1)?.backlog).toBe(count === 1_000 ? 1_000 : undefined)
      expect(d.send('openStream', TAKER, { cursor: 0 })).toMatchObject({ code: 'ok', itemCount: count })
      expect(d.view.streamsOf(TAKER)).toContain(2)
    }
  })

  it('OM-186 OM-191 the world says how far a client has read, of an open stream and between its cursor and the newest row', () => {
    const d = new GateDriver()
    d.stream(TAKER, { value2: PACED })
    const first = cursorOf(d.happen(['quoteCreated', MAKER, TAKER]))
    const last = newest(d)
    expect([last + 1, -1, 0.5, NaN, 2 ** 53].map((cursor) => applied(d, 1, cursor))).toEqual(Array(5).fill('invalidCursor'))
    expect([applied(d, 1, first), applied(d, 1, first - 1), applied(d, 1, first), applied(d, 1, last)]).toEqual(['ok', 'invalidCursor', 'ok', 'ok'])
    expect([2, 0.5, NaN, -1].map((value) => applied(d, value, last))).toEqual(Array(4).fill('notFound'))
    expect([TAKER, 0, NaN, 1.5].map((who) => applied(d, 1, last, who))).toEqual(Array(4).fill('forbidden'))
    expect(d.send('applyStream', -1, { [ApplyStream.stream]: 1, cursor: last, credential: -1 })).toEqual(
      { event: 'reply', at: 0, cause: d.seq, op: 'applyStream', code: 'ok' })
  })

  it('OM-163 a client that has applied the cursor −0 has applied 0', () => {
    const [d, twin] = [new GateDriver(), new GateDriver()]
    for (const each of [d, twin]) each.stream(TAKER, { value2: PACED })
    expect([applied(d, 1, -0), applied(twin, 1, 0)]).toEqual(['ok', 'ok'])
    expect(d.view.stream(1)!.appliedCursor).toBe(0)
    expect(d.gate.stateHash()).toBe(twin.gate.stateHash())
  })

  it('OM-238 events that are no longer kept for others still wait for a client', () => {
    const d = new GateDriver({ backlogMax: 2 })
    d.stream(TAKER, { value2: PACED })
    d.happen(['quoteCreated', MAKER, TAKER])
    d.at(2 * DAY).happen(['quoteCreated', MAKER, TAKER])
    expect(d.view.stream(1)!.backlog).toBe(2)
    d.happen(['quoteCreated', MAKER, TAKER])
    expect(d.of('streamClosed')).toHaveLength(1)
  })
})

describe('closings', () => {
  it('OM-163 OM-234 a drain closes every stream by number, refuses others, and they resume when it is over', () => {
    const d = new GateDriver()
    d.happen(['quoteCreated', MAKER, TAKER])
    const cursor = cursorOf(d)
    d.stream(OTHER)
    d.stream(TAKER, { cursor: cursor - 1 })
    d.send('openMarketStream', TAKER, { items: [1] })
    d.at(9).send('drain', -1, { [Drain.isDraining]: 1 })
    expect(d.rows).toEqual([
      { event: 'faultChanged', at: 9, cause: 5, fault: 30, isOn: 1 },
      { event: 'streamClosed', at: 9, cause: 5, account: OTHER, stream: 1, appliedCursor: cursor + 1, reason: 'connectionDrain' },
      { event: 'streamClosed', at: 9, cause: 5, account: TAKER, stream: 2, appliedCursor: cursor, reason: 'connectionDrain' },
      { event: 'streamClosed', at: 9, cause: 5, stream: 3, appliedCursor: cursor + 1, reason: 'connectionDrain' },
      { event: 'reply', at: 9, cause: 5, op: 'drain', code: 'ok' },
    ])
    expect(d.code('openStream', TAKER, { cursor })).toBe('connectionDrain')
    expect(d.code('openMarketStream', TAKER, { items: [1] })).toBe('connectionDrain')
    expect(d.code('createRfq', TAKER)).toBe('ok')
    d.happen(['quoteCreated', MAKER, TAKER])
    d.send('drain', -1, { [Drain.isDraining]: 0 })
    expect(d.names()).toEqual(['faultChanged', 'reply ok'])
    expect(d.send('openStream', TAKER, { cursor })).toMatchObject({ code: 'ok', itemCount: 1 })
  })

  it.each<[number, number[]]>([[account, [1, 3]], [maker, [2, 3]], [market, [4]]])('OM-239 a resnapshot of channel %i closes its streams by number', (value, closed) => {
    const d = new GateDriver()
    d.stream(TAKER)
    d.stream(MAKER, { value: maker })
    d.stream(MAKER, { value: BOTH })
    d.send('openMarketStream', TAKER, { items: [1] })
    expect(d.code('resnapshot', -1, { value })).toBe('ok')
    expect(d.of('streamClosed').map((row) => [row['stream'], row['reason']])).toEqual(closed.map((number) => [number, 'resnapshotRequired']))
    expect(d.rows.at(-1)!.event).toBe('reply')
    expect(d.code('openStream', TAKER)).toBe('ok')
  })

  it.each([['signOut', {}, 'sessionEnded'], ['revokeKey', {}, 'keyRevoked']] as const)(
    'OM-146 OM-237 %s closes the streams of its credential, and no others', (op, _, row) => {
      const d = new GateDriver()
      const [session, key] = [d.session(TAKER), d.issue(TAKER, ScopeBit.accountStream)]
      const credential = op === 'signOut' ? session : key
      for (const each of [credential, 0, credential]) d.stream(TAKER, { credential: each, origin: 0 })
      d.send('openMarketStream', TAKER, { items: [1], credential })
      d.send(op, TAKER, op === 'signOut' ? { credential, origin: 0 } : { value: key })
      expect(d.rows.map((each) => [each.event, each['stream'] ?? each['credential'] ?? each['op'], each['reason'] ?? each.code])).toEqual([
        [row, credential, op === 'signOut' ? 0 : undefined], ['streamClosed', 1, 'authorizationRevoked'], ['streamClosed', 3, 'authorizationRevoked'],
        ['reply', op, 'ok'],
      ])
      expect(d.view.streamsOf(TAKER)).toEqual([2, 4])
    })

  it('OM-146 OM-237 a key that expires and a session that idles close their streams at that instant', () => {
    const d = new GateDriver({ heartbeatMs: 86_400_000 })
    const [key, session] = [d.issue(TAKER, ScopeBit.accountStream, 1), d.session(TAKER)]
    d.stream(TAKER, { credential: key })
    d.stream(TAKER, { credential: session, origin: 0 })
    d.pulse(DAY - 1)
    expect(d.rows).toEqual([])
    d.pulse(DAY)
    expect(d.rows.map((row) => row.event)).toEqual(['keyExpired', 'streamClosed', 'streamHeartbeat'])
    expect(d.rows[1]).toEqual({ event: 'streamClosed', at: DAY, account: TAKER, stream: 1, appliedCursor: 0, reason: 'authorizationRevoked' })
    d.pulse(7 * DAY)
    expect(d.of('streamClosed')).toEqual([{ event: 'streamClosed', at: 7 * DAY, account: TAKER, stream: 2, appliedCursor: 0, reason: 'authorizationRevoked' }])
  })
})

describe('the market stream', () => {
  const open = (count: number, fields: Fields = {}) => new GateDriver().code('openMarketStream', TAKER, { items: Array.from({ length: count }, (_, i) => i), ...fields })

  it('OM-161 OM-044 a subscription names 1 to 256 outcomes', () => {
    expect([0, 1, 256, 257].map((count) => open(count))).toEqual(['invalidSubscription', 'ok', 'ok', 'invalidSubscription'])
    expect([-2, 0.5, 2 ** 53].map((cursor) => open(1, { cursor }))).toEqual(Array(3).fill('invalidSubscription'))
    expect([-2, 0.5, 2, 3, NaN].map((value2) => open(1, { value2 }))).toEqual(Array(5).fill('invalidSubscription'))
  })

  it('OM-236 an outcome that is not listed now is denied, to the microsecond of its close', () => {
    const d = new GateDriver()
    expect(d.code('openMarketStream', TAKER, { items: [1, 1_000] })).toBe('subscriptionDenied')
    d.venue.closeUs = T0 + sec(1)
    expect([sec(1) - 1, sec(1)].map((at) => d.at(at).code('openMarketStream', TAKER, { items: [1] }))).toEqual(['ok', 'subscriptionDenied'])
  })

  it('OM-069 OM-198 it opens for no account, with a cursor as the others, and carries no account\'s events', () => {
    const d = new GateDriver()
    d.happen(['quoteCreated', MAKER, TAKER])
    const last = newest(d)
    expect(d.send('openMarketStream', TAKER, { items: [1] })).toMatchObject({ code: 'ok', account: TAKER, stream: 1, firstCursor: last, itemCount: 0 })
    expect(d.rows[0]).toEqual({ event: 'streamOpened', at: 0, cause: 2, stream: 1, channels: market, firstCursor: last, itemCount: 0, start: 0 })
    expect(d.view.stream(1)).toEqual({ number: 1, account: TAKER, credential: -1, channels: market, appliedCursor: last, backlog: 0 })
    expect(d.send('openMarketStream', TAKER, { items: [1], cursor: 0 })).toMatchObject({ code: 'ok', firstCursor: 0, itemCount: 0 })
    expect(d.rows[0]!['start']).toBe(1)
    expect(d.code('openMarketStream', TAKER, { items: [1], cursor: last + 3 })).toBe('cursorReset')
    d.happen(['quoteCreated', MAKER, TAKER], ['rfqCreated', TAKER])
    const after = newest(d)
    expect(d.view.stream(1)!.appliedCursor).toBe(last)
    expect(d.pulse(sec(15))[0]).toEqual({ event: 'streamHeartbeat', at: sec(15), stream: 1, newestCursor: after })
    d.send('closeStream', TAKER, { [CloseStream.stream]: 1 })
    expect(d.rows[0]).toEqual({ event: 'streamClosed', at: sec(15), cause: 6, stream: 1, appliedCursor: last, reason: 'ok' })
  })
})
