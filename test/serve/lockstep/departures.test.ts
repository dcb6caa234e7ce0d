import { describe, expect, it } from 'vitest'
import { TurnDifference } from '../../../src/scenario/servedLockstep.ts'
import { HOUR_US } from '../../../src/unit/time.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { type Answered, callOnce, type ClientTerms, LockstepClient } from './lockstepClient.ts'
import { outcomeHandlers, seatTerms } from './outcomeWirePlay.ts'
import { digestAgain, type Doors, type PlayedMaker, type PlayedService, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'
import { wireHandlers } from './wirePlay.ts'

const WAY = '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }'
const MAKERS: readonly PlayedMaker[] = ['a', 'b'].map((name) => ({ name, use: 'x', latency: WAY }))
const prepared = (service: PlayedService = 'parlay') => preparedOf(scenarioOf(MAKERS, true, 20, service))

const keyOf = ({ credentials }: Doors, name: string): Readonly<Record<string, string>> => ({ 'x-api-key': credentials[name]!['api_key']! })
/** A client of a seat; without an `act` of its own it does nothing in its turns. */
const connect = (doors: Doors, name: string, { act = () => [], streams = ['/v1/mm/stream'], ...more }: Partial<ClientTerms> = {}): Promise<LockstepClient> => {
  const { url, controlUrl, served } = doors
  return LockstepClient.connect({ headers: keyOf(doors, name), ...more, url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), streams, act })
}

describe('a client that lets no time pass', () => {
  it('is dropped by name, and the session goes on without it', async () => {
    const session = await prepared()
    const { digest, rows, said, stoppedUs } = await playedOutside(session, async (doors) => [
      await connect(doors, 'a'), await connect(doors, 'b', { act: ({ at_us }) => [{ wakeUs: at_us, tag: '' }] }),
    ], { handlers: wireHandlers(session), turnsPerInstantMax: 20 })
    expect(said).toEqual(['the client of b let no time pass: it had more than 20 turns at one instant, and is out of the session until it says that it is ready'])
    expect(stoppedUs).toBeNull()
    const ofB = rows.filter(({ kind, account }) => kind === 'turn' && account === rows.find((row) => row.kind === 'left')!.account)
    expect(ofB).toHaveLength(21)
    expect(rows.filter(({ kind }) => kind === 'turn').length - ofB.length).toBeGreaterThan(20)
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a client that comes back', () => {
  it('has no turn for what it waited for when it was dropped, also where the session is played again', async () => {
    const session = await prepared()
    let isDropped = false
    const { digest, rows, said } = await playedOutside(session, async (doors) => {
      const b: LockstepClient = await connect(doors, 'b', {
        // It waits for an hour hence, and then for no time at all until it is dropped.
        act: ({ why, at_us }) => (isDropped ? [] : [...(why === 'begin' ? [{ wakeUs: at_us + HOUR_US, tag: '' }] : []), { wakeUs: at_us, tag: '' }]),
        whenLeft: () => {
          isDropped = true
          b.say({ frame: 'ready' })
        },
      })
      return [b, await connect(doors, 'a')]
    }, { handlers: wireHandlers(session), turnsPerInstantMax: 20 })
    expect(said.map((text) => text.slice(0, 24))).toEqual(['the client of b let no t', 'the client of b is back'])
    const turns = rows.filter(({ kind, account }) => kind === 'turn' && account === rows.find((row) => row.kind === 'left')!.account)
    const back = turns.findIndex(({ why }) => why === 'joined')
    // The session goes on for longer than the hour, and the hour's wake comes to nobody.
    expect(turns.at(-1)!.atUs - turns[0]!.atUs).toBeGreaterThan(HOUR_US)
    expect(turns.slice(back).map(({ why }) => why)).not.toContain('wake')
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe.each(['parlay', 'outcome'] as const)('a client of the %s service that has no turn', (service) => {
  const terms = ({ credentials }: Doors, name: string) => (service === 'parlay' ? {} : seatTerms(credentials[name]!))
  const handlers = (session: Awaited<ReturnType<typeof prepared>>) => (service === 'parlay' ? wireHandlers(session) : outcomeHandlers(session))

  /** A client of a, in whose turn a moment after the beginning `act` makes that of b go. */
  const besides = (doors: Doors, act: () => Promise<void> | void): Promise<LockstepClient> => connect(doors, 'a', {
    ...terms(doors, 'a'),
    act: async ({ why, at_us }) => {
      if (why === 'begin') return [{ wakeUs: at_us + 1, tag: '' }]
      if (why !== 'wake') return []
      await act()
      while (doors.driver.parties.every(({ gone }) => gone === null)) await new Promise((resolve) => { setTimeout(resolve, 1) })
      return []
    },
  })

  it('and closes its control channel is dropped where the loop stands, with its channels, and is not waited for', async () => {
    const session = await prepared(service)
    const { digest, rows, said } = await playedOutside(session, async (doors) => {
      const leaving = await connect(doors, 'b', terms(doors, 'b'))
      return [await besides(doors, () => { leaving.leave() })]
    }, { handlers: handlers(session) })
    expect(said).toEqual(['the client of b has closed its control channel, and is out of the session until it says that it is ready'])
    const left = rows.find(({ kind }) => kind === 'left')!
    expect(left.turn).toBeUndefined()
    expect(rows.filter(({ kind, account }) => kind === 'turn' && account === left.account).map(({ why }) => why)).toEqual(['begin'])
    expect(rows.filter(({ why }) => why === 'onRequest').length).toBeGreaterThan(10)
    expect(digestAgain(session, rows)).toBe(digest)
  })

  it('when another one takes its place is dropped where the loop stands, with its channels, and the other one opens its own', async () => {
    const session = await prepared(service)
    const newcomers: LockstepClient[] = []
    const socket = service === 'parlay' ? '/v1/ws' : '/v1/stream'
    const opened: string[] = []
    const { digest, rows, said } = await playedOutside(session, async (doors) => {
      await connect(doors, 'b', terms(doors, 'b'))
      return [await besides(doors, async () => {
        const newcomer = await connect(doors, 'b', {
          ...terms(doors, 'b'), streams: [], sockets: [],
          act: (turn) => {
            opened.push(turn.why)
            if (turn.why !== 'joined') return []
            newcomer.socketIn(turn, socket)
            return null
          },
        })
        newcomers.push(newcomer)
      })]
    }, { handlers: handlers(session) })
    expect(said.map((text) => text.slice(0, 28))).toEqual(['the client of b made way for', 'the client of b is back'])
    const left = rows.find(({ kind }) => kind === 'left')!
    expect(left.turn).toBeUndefined()
    const ofB = rows.filter(({ kind, account }) => account === left.account && (kind === 'turn' || kind === 'joined'))
    expect(ofB.slice(0, 3).map(({ kind, why }) => why ?? kind)).toEqual(['begin', 'joined', 'joined'])
    expect(ofB.filter(({ why }) => why === 'onRequest').length).toBeGreaterThan(5)
    expect([opened.slice(0, 2), newcomers[0]!.refusals]).toEqual([['joined', 'answer'], []])
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a client that does not come', () => {
  it.each<[string, boolean]>([['and never does', false], ['until the session is under way', true]])('is dropped by name when patience with the others is over, %s', async (_, isLate) => {
    const session = await prepared()
    let patiences = 0
    // The first patience is that with clients that are missing.
    const patience = { end: () => {}, begun: () => { if (++patiences === 1) setImmediate(() => { patience.end() }) } }
    let turnsOfA = 0
    const { digest, rows, said, waitedFor, stoppedUs } = await playedOutside(session, async (doors) => {
      // It has opened its stream, and does not say that it is ready.
      const late = await connect(doors, 'b', { isReady: false })
      const here = await connect(doors, 'a', {
        act: () => {
          if (++turnsOfA === 5 && isLate) late.say({ frame: 'ready' })
          return []
        },
      })
      return [here, late]
    }, { handlers: wireHandlers(session), patience })
    expect(stoppedUs).toBeNull()
    expect(waitedFor).toEqual([['a', 'b'], ['b']])
    expect(said).toEqual([
      'the client of b was not ready 30 s after the first one, and is out of the session until it says that it is ready',
      ...(isLate ? ['the client of b is back'] : []),
    ])
    const left = rows.find(({ kind }) => kind === 'left')!
    const ofB = rows.filter(({ account }) => account === left.account)
    // Nothing reaches it before it is back, and then its requests do.
    const whys = ofB.filter(({ kind }) => kind === 'turn').map(({ why }) => why)
    expect([whys.slice(0, 2), whys.includes('onRequest')]).toEqual([isLate ? ['begin', 'joined'] : ['begin'], isLate])
    expect(rows.filter(({ kind, account, why }) => kind === 'turn' && account !== left.account && why === 'onRequest').length).toBeGreaterThan(10)
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a client that is dropped while its stream is being opened', () => {
  it('is told so, and the stream that the gate opens is closed with the next turn', async () => {
    const session = await prepared()
    const patience = { end: () => {} }
    const opened: Promise<Answered>[] = []
    const { digest, rows, said } = await playedOutside(session, async (doors) => {
      const leaving = await connect(doors, 'b', {
        streams: [],
        act: ({ n, why, at_us }) => {
          if (why === 'begin') {
            opened.push(callOnce(`${doors.url}/v1/mm/stream`, 'GET', '', { ...keyOf(doors, 'b'), accept: 'text/event-stream', 'parlor-turn': String(n), 'parlor-call': '1' }))
            leaving.say({ frame: 'wake', n, call: 2, at_us: at_us + 1 })
            leaving.say({ frame: 'done', n, calls: 2 })
          } else patience.end()
          return null
        },
      })
      return [leaving, await connect(doors, 'a')]
    }, { handlers: wireHandlers(session), patience })
    expect([said.length, (await opened[0]!).status]).toEqual([1, 503])
    const left = rows.find(({ kind }) => kind === 'left')!
    const closes = rows.filter(({ op, account }) => op === ParlayOp.closeStream && account === left.account)
    expect(closes.map(({ call, turn }) => [call, turn! > left.turn!])).toEqual([[undefined, true]])
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a journal whose turns are others than those of the session', () => {
  it.each<[string, number, string]>([
    ['a message', 5, 'turn 6 is onBest of account'], ['the begin of time', 0, 'turn 1 is begin of account'],
  ])('is told by the first that differs, also where it is %s', async (_, at, text) => {
    const session = await prepared()
    const { rows } = await playedOutside(session, async (doors) => [await connect(doors, 'a'), await connect(doors, 'b')], { handlers: wireHandlers(session) })
    const turns = rows.filter(({ kind }) => kind === 'turn')
    const changed = rows.map((row) => (row === turns[at] ? { ...row, atUs: row.atUs - 1 } : row))
    const play = (): string => digestAgain(session, changed)
    expect(play).toThrow(TurnDifference)
    expect(play).toThrow(text)
  })
})
