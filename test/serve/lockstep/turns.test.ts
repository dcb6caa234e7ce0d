import { describe, expect, it } from 'vitest'
import { DAY_US } from '../../../src/unit/time.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { type Answered, callOnce, LockstepClient, type ClientTerms } from './lockstepClient.ts'
import { digestAgain, type Doors, type PlayedMaker, type PlayedService, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'

const ONE: readonly PlayedMaker[] = [{ name: 'a', use: 'fixed-margin', latency: '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }' }]
const TWO: readonly PlayedMaker[] = [...ONE, { ...ONE[0]!, name: 'b' }]
const prepared = (makers: readonly PlayedMaker[], service: PlayedService = 'parlay') => preparedOf(scenarioOf(makers, true, 20, service))

/** A client of a seat; without an `act` of its own it does nothing in its turns. */
const connect = ({ url, controlUrl, served }: Doors, name: string, act: ClientTerms['act'] = () => [], terms: Partial<ClientTerms> = {}): Promise<LockstepClient> =>
  LockstepClient.connect({
    ...terms, url, controlUrl, token: tokenOf(served.seats.find((seat) => seat.name === name)!.account), headers: { 'x-seat': name }, streams: ['/events'], act,
  })

/** A read, which changes nothing. */
const READ = JSON.stringify({ op: ParlayOp.read, fields: {} })
const post = ({ url }: Doors, name: string, headers: Readonly<Record<string, string>>): Promise<Answered> => callOnce(`${url}/call`, 'POST', READ, { 'x-seat': name, ...headers })
const errorOf = ({ body }: Answered): string => (JSON.parse(body) as { error: string }).error

describe('a client that does not end its turn', () => {
  it.each(['parlay', 'outcome'] as const)('is dropped by name when patience ends, the session goes on, and the client may come back: %s', async (service) => {
    const session = await prepared(TWO, service)
    const dropped: Promise<Answered>[] = []
    const whys: string[] = []
    const patience = { end: () => {} }
    const { digest, rows, said, stoppedUs } = await playedOutside(session, async (doors) => {
      const here = await connect(doors, 'a')
      const silent = await connect(doors, 'b', ({ n, why }) => {
        whys.push(why)
        if (whys.length !== 3) return []
        dropped.push(post(doors, 'b', { 'parlor-turn': String(n), 'parlor-call': '1' }))
        // It has arrived, or has not, when patience ends.
        setTimeout(() => { patience.end() }, 20)
        return null
      }, { whenLeft: () => { silent.say({ frame: 'ready' }) } })
      return [here, silent]
    }, { patience })
    expect(stoppedUs).toBeNull()
    expect(said).toEqual([expect.stringMatching(/^the client of b did not end turn \d+ in 30 s, and is out/) as string, 'the client of b is back'])
    const { status } = await dropped[0]!
    expect([503, 409]).toContain(status)
    const left = rows.find(({ kind }) => kind === 'left')!
    // The turn that was dropped left nothing else, and no turn of the client comes before it is back.
    const after = rows.slice(rows.indexOf(left) + 1).filter(({ account }) => account === left.account)
    expect(after.filter(({ turn }) => turn === left.turn)).toEqual([])
    expect(after[0]).toMatchObject({ kind: 'joined' })
    expect(after[1]).toMatchObject({ kind: 'turn', why: 'joined', atUs: after[0]!.atUs })
    // Its stream is open again.
    expect(after.filter(({ kind, why }) => kind === 'turn' && why === 'onRequest').length).toBeGreaterThan(5)
    expect(rows.filter(({ kind, account }) => kind === 'turn' && account !== left.account).length).toBeGreaterThan(20)
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a client that waits for each of its answers', () => {
  it('needs two headers and no channel: turns before its answer end by themselves', async () => {
    const session = await prepared(TWO)
    const instants: number[] = []
    const patience = { end: () => {} }
    const { digest, rows, said } = await playedOutside(session, async (doors) => {
      const here = await connect(doors, 'a')
      const calls = async (): Promise<void> => {
        for (let call = 1; call <= 10; call++) {
          const { status, headers } = await post(doors, 'b', { 'parlor-hold': '1', 'parlor-done': '1' })
          expect(status).toBe(200)
          expect(Number(headers['parlor-turn'])).toBeGreaterThan(0)
          instants.push(Number(headers['parlor-at']))
        }
        patience.end()
      }
      return [here, { over: calls() }]
    }, { patience })
    // Both ways of a read are 5 ms long, and it goes off at the instant of the answer before it.
    expect(instants).toHaveLength(10)
    expect(instants.slice(1).map((atUs, i) => atUs - instants[i]!)).toEqual(Array.from({ length: 9 }, () => 10_000))
    // It says nothing after its last answer.
    expect(said).toEqual([expect.stringMatching(/^the client of b did not end turn/) as string])
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a client without a control channel', () => {
  it('sleeps until an instant by a call of the control port, and no longer than the session', async () => {
    const session = await prepared(TWO)
    const told: [status: number, atUs: number][] = []
    const { digest, rows, said } = await playedOutside(session, async (doors) => {
      const here = await connect(doors, 'a')
      const token = tokenOf(doors.served.seats.find(({ name }) => name === 'b')!.account)
      const wake = (body: object, path = '/wake', bearer = token) =>
        callOnce(`${doors.controlUrl.replace('ws', 'http')}${path}`, 'POST', JSON.stringify(body), { authorization: `Bearer ${bearer}`, 'parlor-hold': '1', 'parlor-done': '1' })
      expect((await wake({}, '/sleep')).status).toBe(404)
      expect(errorOf(await wake({ until: 5 }))).toBe('a body with at_us is expected, µs on the wire\'s clock')
      expect(errorOf(await wake({ at_us: 5 }, '/wake', 'another'))).toMatch(/^the call is of no client/)
      const sleeps = async (): Promise<void> => {
        const { headers } = await post(doors, 'b', { 'parlor-hold': '1', 'parlor-done': '1' })
        const beganUs = Number(headers['parlor-at'])
        // An instant that is over, one that comes, and one that does not.
        for (const atUs of [0, beganUs + 7_000_000, beganUs + 30 * DAY_US]) {
          const { status, headers: then } = await wake({ at_us: atUs })
          told.push([status, Number(then['parlor-at']) - beganUs])
        }
      }
      return [here, { over: sleeps() }]
    })
    expect(told).toEqual([[200, 0], [200, 7_000_000], [503, NaN]])
    expect(said).toEqual([])
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a call without its place in a turn', () => {
  it('is refused at once, and is no part of the session', async () => {
    const session = await prepared(ONE)
    const told: Promise<[string, Answered]>[] = []
    let refusals: readonly string[] = []
    let turns = 0
    const { rows, digest } = await playedOutside(session, async (doors) => {
      const ask = (what: string, headers: Readonly<Record<string, string>>) => { told.push(post(doors, 'a', headers).then((answer) => [what, answer])) }
      const client = await connect(doors, 'a', ({ n }) => {
        if (++turns !== 2) return []
        ask('no number', {})
        ask('no turn', { 'parlor-call': '1' })
        ask('number 0', { 'parlor-turn': String(n), 'parlor-call': '0' })
        ask('another turn', { 'parlor-turn': String(n - 1), 'parlor-call': '1' })
        ask('call 1001', { 'parlor-turn': String(n), 'parlor-call': '1001' })
        ask('hold without done', { 'parlor-turn': String(n), 'parlor-call': '1', 'parlor-hold': '1' })
        told.push(callOnce(`${doors.url}/call`, 'POST', READ, { 'x-seat': 'nobody', 'parlor-turn': String(n), 'parlor-call': '1' }).then((answer) => ['nobody', answer]))
        // The turn is complete when the two calls that it has are here; the second one of number 2 is not one of them.
        void Promise.all(told).then(async () => {
          ask('right', { 'parlor-turn': String(n), 'parlor-call': '2' })
          const again = await post(doors, 'a', { 'parlor-turn': String(n), 'parlor-call': '2' })
          told.push(Promise.resolve(['again', again]))
          const before = await post(doors, 'a', { 'parlor-turn': String(n), 'parlor-done': '1' })
          told.push(Promise.resolve(['done before another call', before]))
          ask('last', { 'parlor-turn': String(n), 'parlor-done': '3' })
          client.say({ frame: 'wake', n, call: 1, at_us: 0 })
        })
        return null
      })
      client.over.then(() => { refusals = client.refusals }, () => {})
      return [client]
    })
    const answers = (await Promise.all(told)).map(([what, answer]) => [what, answer.status, answer.status === 409 ? errorOf(answer) : ''])
    expect(answers.sort(([a], [b]) => (a! < b! ? -1 : 1))).toEqual([
      ['again', 409, 'call 2 of the turn has come already'],
      ['another turn', 409, expect.stringMatching(/^the client's turn is \d+$/)],
      ['call 1001', 409, 'a turn has at most 1000 calls'],
      ['done before another call', 409, 'the turn has a call after number 1'],
      ['hold without done', 409, 'Parlor-Hold stands with Parlor-Done'],
      ['last', 200, ''],
      ['no number', 409, 'a call has a number: Parlor-Call, or Parlor-Done for the last one of its turn'],
      ['no turn', 409, 'a call names its turn, Parlor-Turn, or holds'],
      ['nobody', 409, expect.stringMatching(/^the call is of no client of this session/)],
      ['number 0', 409, 'parlor-call is one whole number from 1 on'],
      ['right', 200, ''],
    ])
    expect(refusals).toHaveLength(8)
    // The wake came last, and goes in first: by its number.
    expect(rows.filter(({ call }) => call !== undefined).map(({ kind = 'command', call }) => [kind, call])).toEqual([['wake', 1], ['command', 2], ['command', 3]])
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

describe('a session that is given up', () => {
  it('ends where it stands: calls that wait are answered, clients are told, and the journal plays it again until there', async () => {
    const session = await prepared(TWO)
    const stop = new AbortController()
    let turns = 0
    const { digest, rows, stoppedUs } = await playedOutside(session, (doors) => Promise.all(['a', 'b'].map((name) => connect(doors, name, () => {
      if (++turns < 30) return []
      stop.abort()
      return null
    }))), { signal: stop.signal })
    expect(stoppedUs).toBeGreaterThan(0)
    expect(rows.at(-1)!.atUs).toBeLessThan(stoppedUs!)
    expect(rows.filter(({ kind }) => kind === 'left')).toEqual([])
    expect(digestAgain(session, rows, stoppedUs)).toBe(digest)
  })
})
