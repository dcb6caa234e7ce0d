import { describe, expect, it } from 'vitest'
import { ChannelBit, ScopeBit } from '../../../src/venue/outcome/protocol/access.ts'
import { DAY, GateDriver, MAKER, TAKER } from './gateDriver.ts'
import { Read } from '../../../src/venue/outcome/protocol/commands.ts'

const PACED = 2
const QUIET = { heartbeatMs: 86_400_000 }

/** A gate and a credential of the taker that ends by itself at the instant 1 day. */
const ENDINGS: readonly [how: string, made: () => [d: GateDriver, credential: number], row: string][] = [
  ['a key that expires', () => {
    const d = new GateDriver(QUIET)
    return [d, d.issue(TAKER, ScopeBit.accountStream, 1)]
  }, 'keyExpired'],
  ['a session that ages', () => {
    const d = new GateDriver({ ...QUIET, sessionAgeMs: 86_400_000 })
    return [d, d.session(TAKER)]
  }, 'sessionEnded'],
  ['a session that idles', () => {
    const d = new GateDriver({ ...QUIET, sessionIdleMs: 86_400_000 })
    return [d, d.session(TAKER)]
  }, 'sessionEnded'],
]

describe('events at the end of a credential', () => {
  it.each(ENDINGS)('INV-28 OM-145 no event goes to the streams of %s from that instant on, be it of a deadline', (_, made, row) => {
    for (const [atUs, hears] of [[DAY - 1, true], [DAY, false]] as const) {
      const [d, credential] = made()
      const [reading, paced, own] = [
        d.stream(TAKER, { credential, origin: 0 }), d.stream(TAKER, { credential, origin: 0, value2: PACED }), d.stream(TAKER, { value2: PACED }),
      ]
      d.plan(atUs, ['quoteCreated', MAKER, TAKER])
      d.pulse(atUs)
      const event = d.seqs[0]!
      if (hears) {
        expect(d.rows.map((each) => each.event)).toEqual(['quoteCreated'])
        expect(d.view.stream(reading)!.appliedCursor).toBe(event)
        expect(d.view.stream(paced)!.backlog).toBe(1)
      } else {
        expect(d.rows.slice(0, 4).map((each) => [each.event, each['stream'] ?? each['credential'], each['appliedCursor']])).toEqual([
          ['quoteCreated', undefined, undefined], [row, credential, undefined], ['streamClosed', reading, 0], ['streamClosed', paced, 0],
        ])
      }
      expect(d.view.stream(own)!.backlog).toBe(1)
    }
  })

  it.each(ENDINGS)('INV-28 OM-145 nor an event of an operator\'s command, which comes before the end of %s', (_, made) => {
    for (const [atUs, hears] of [[DAY - 1, true], [DAY, false]] as const) {
      const [d, credential] = made()
      const paced = d.stream(TAKER, { credential, origin: 0, value2: PACED })
      d.at(atUs).happen(['quoteCreated', MAKER, TAKER])
      expect(d.of('streamClosed')).toEqual([])
      expect(d.view.stream(paced)!.backlog).toBe(hears ? 1 : 0)
      d.pulse(DAY)
      expect(d.of('streamClosed')[0]!['reason']).toBe('authorizationRevoked')
    }
  })

  it('INV-28 an event that is none of its closes no stream as a slow consumer\'s', () => {
    const d = new GateDriver({ ...QUIET, backlogMax: 1 })
    const credential = d.issue(MAKER, ScopeBit.accountStream, 1)
    d.stream(MAKER, { credential, value: ChannelBit.maker, value2: PACED })
    d.happen(['rfqCreated', TAKER])
    d.plan(DAY, ['rfqCreated', TAKER])
    d.pulse(DAY)
    expect(d.of('streamClosed').map((row) => row['reason'])).toEqual(['authorizationRevoked'])
  })

  it('INV-28 a key that never expires, a session in use and the app\'s sign-in go on', () => {
    const d = new GateDriver(QUIET)
    const session = d.session(TAKER)
    const streams = [0, d.issue(TAKER, ScopeBit.accountStream), session].map((credential) => d.stream(TAKER, { credential, origin: 0, value2: PACED }))
    expect(d.at(6 * DAY).code('read', TAKER, { [Read.route]: 4, credential: session, origin: 0 })).toBe('ok')
    d.at(7 * DAY).happen(['quoteCreated', MAKER, TAKER])
    expect(streams.map((number) => d.view.stream(number)!.backlog)).toEqual([1, 1, 1])
  })
})
