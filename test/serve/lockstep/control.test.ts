import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildSession } from '../../../src/scenario/build.ts'
import { HOUR_US } from '../../../src/unit/time.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { digestAgain, type PlayedMaker, preparedOf, scenarioOf } from './served.ts'
import { type ControlTurn, playedSpeaking, type Speaker, type SpokenControl } from './spokenTo.ts'

const MAKERS: readonly PlayedMaker[] = ['a', 'b'].map((name) => ({ name, use: 'x', latency: '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }' }))
/** A read, which changes nothing. */
const READ = JSON.stringify({ op: ParlayOp.read, fields: {} })
const prepared = () => preparedOf(scenarioOf(MAKERS, true, 20))

describe('a control connection whose place another one has taken', () => {
  it('begins no time, also where the other one is gone', async () => {
    const session = await prepared()
    const { waitedFor, said, digest, rows } = await playedSpeaking(session, (speaker) => {
      const former = speaker.control('b')
      const latter = speaker.control('b')
      latter.end(1006)
      former.ready()
      speaker.control('a').ready()
    })
    expect(waitedFor).toEqual([['a', 'b'], ['b']])
    expect(said).toEqual(['the client of b was not ready 30 s after the first one, and is out of the session until it says that it is ready'])
    expect(digestAgain(session, rows)).toBe(digest)
  })

  it('has said that it is ready for itself alone', async () => {
    const session = await prepared()
    const { waitedFor, said, lapses } = await playedSpeaking(session, (speaker) => {
      speaker.control('b').ready()
      const latter = speaker.control('b')
      speaker.control('a').ready()
      setImmediate(() => { latter.ready() })
    })
    expect([waitedFor, said, lapses]).toEqual([[['a', 'b'], ['a'], ['a', 'b'], ['b']], [], 0])
  })

  it('ends no turn of the other one', async () => {
    const session = await prepared()
    const { rows, lapses, digest } = await playedSpeaking(session, (speaker) => {
      speaker.control('a').ready()
      const former = speaker.control('b')
      const latter = speaker.control('b', (turn) => {
        // The former one says first that the turn has no calls.
        former.done(turn)
        if (turn.why === 'begin') latter.say({ frame: 'wake', n: turn.n, call: 1, at_us: turn.at_us })
        latter.say({ frame: 'done', n: turn.n, calls: turn.why === 'begin' ? 1 : 0 })
      })
      latter.ready()
    })
    expect(lapses).toBe(0)
    expect(rows.filter(({ kind }) => kind === 'wake')).toHaveLength(1)
    expect(digestAgain(session, rows)).toBe(digest)
  })
})

/** Plays a session in which another client comes for the seat b in a turn of a, once the reason of that turn is `why`. */
async function taken(why: string, come: (speaker: Speaker) => void) {
  const session = await prepared()
  let hasCome = false
  const play = await playedSpeaking(session, (speaker) => {
    const a = speaker.control('a', (turn) => {
      if (turn.why === 'begin') a.say({ frame: 'wake', n: turn.n, call: 1, at_us: turn.at_us + 1 })
      if (turn.why === why && !hasCome) {
        hasCome = true
        come(speaker)
        // It is told that its place is taken, and answers that.
        b.end(1000)
      }
      a.say({ frame: 'done', n: turn.n, calls: turn.why === 'begin' ? 1 : 0 })
    })
    const b = speaker.control('b')
    a.ready()
    b.ready()
  })
  expect(digestAgain(session, play.rows)).toBe(play.digest)
  const begin = play.rows.findLast(({ kind, why: of }) => kind === 'turn' && of === 'begin')!
  return { ...play, ofB: play.rows.filter(({ account, kind }) => account === begin.account && ['turn', 'left', 'joined'].includes(kind!)) }
}

describe('a client that takes the place of another one', () => {
  it.each([
    ['has no turn', 'wake', ['turn begin', 'left', 'joined', 'turn joined']],
    ['has its next turn before the loop stands', 'onRequest', ['turn begin', 'turn onRequest', 'left', 'joined', 'turn joined']],
  ])('that %s is told no turn but its own, in which it opens its channels', async (_, why, expected) => {
    let newcomer: SpokenControl | null = null
    let stream = 0
    let speaking: Speaker | null = null
    const { ofB, said, lapses } = await taken(why, (speaker) => {
      speaking = speaker
      newcomer = speaker.control('b', (turn: ControlTurn, control) => {
        if (turn.why !== 'joined') return control.done(turn)
        stream = speaker.call('b', '/events', { 'parlor-turn': String(turn.n), 'parlor-call': '1' }, 'open')
        control.say({ frame: 'done', n: turn.n, calls: 1 })
      })
      newcomer.ready()
    })
    expect(ofB.slice(0, expected.length).map(({ kind, why: of }) => (of === undefined ? kind : `${kind} ${of}`))).toEqual(expected)
    expect(ofB.slice(expected.length).map(({ kind }) => kind)).not.toContain('left')
    expect(newcomer!.frames.slice(0, 3)).toMatchObject([{ frame: 'welcome', has_begun: true }, { frame: 'turn', why: 'joined' }, { frame: 'turn' }])
    expect(speaking!.answers.get(stream)).toMatchObject({ kind: 'accept' })
    expect(said.map((text) => text.slice(0, 31))).toEqual(['the client of b made way for an', 'the client of b is back'])
    expect(lapses).toBe(0)
  })
})

describe('two clients that take the places of others', () => {
  it('join one behind the other, also where the second one is ready in the first one\'s turn', async () => {
    let begun = 0
    const { rows, said } = await taken('wake', (speaker) => {
      speaker.control('b', (turn, control) => {
        if (turn.why === 'joined') speaker.control('a', (one, latter) => {
          begun += Number(one.why === 'onRequest')
          latter.done(one)
        }).ready()
        control.done(turn)
      }).ready()
    })
    expect(rows.filter(({ kind, why }) => kind === 'left' || kind === 'joined' || why === 'joined').map(({ kind, turn }) => [kind, turn])).toEqual([
      ['left', undefined], ['joined', 4], ['turn', 4], ['left', undefined], ['joined', 5], ['turn', 5],
    ])
    expect([said.length, begun > 5]).toEqual([4, true])
  })
})

describe('a client that has turns dropped without end', () => {
  it.each<readonly [string, (speaker: Speaker) => void]>([
    ['another one takes its place in each of them', (speaker) => {
      const come = (): void => { speaker.control('b', () => { come() }).ready() }
      come()
    }],
    ['it is ready again and ends none of them', (speaker) => {
      const control = speaker.control('b', () => {})
      const again = setInterval(() => { control.ready() }, 1)
      onTestFinished(() => { clearInterval(again) })
    }],
  ])('because %s, lets time go on for the others', async (_, come) => {
    const { rows, ofB } = await taken('wake', come)
    // A recording of an hour: it is back after 2, 4, 8, … seconds, and not at every instant.
    const joined = ofB.filter(({ kind }) => kind === 'joined').length
    expect([joined > 5, joined < 20]).toEqual([true, true])
    expect(rows.filter(({ kind, account }) => kind === 'turn' && account !== ofB[0]!.account).length).toBeGreaterThan(10)
  })
})

describe('a client that is ready too late', () => {
  it('though it came before time began, is told of the turn that was dropped, and so that its channels are gone', async () => {
    const session = await prepared()
    let late: SpokenControl | null = null
    const { said } = await playedSpeaking(session, (speaker) => {
      late = speaker.control('b', (turn, control) => { if (turn.why !== 'begin') control.done(turn) })
      speaker.control('a', (turn, control) => {
        if (turn.why === 'begin') late!.ready()
        control.done(turn)
      }).ready()
    })
    expect(late!.frames.slice(0, 4)).toMatchObject([{ frame: 'welcome', has_begun: false }, { frame: 'turn', why: 'begin' }, { frame: 'left', n: 2 }, { frame: 'turn', why: 'joined' }])
    expect(said.map((text) => text.slice(0, 27))).toEqual(['the client of b was not rea', 'the client of b is back'])
  })
})

const LEFT = 'the client of b has closed its control channel, and is out of the session until it says that it is ready'

const MISSED: unknown = expect.stringMatching(/^the client of b did not end turn \d+ in 30 s, and is out of the session/)

/** Plays a session whose client of the seat b does what `turned` says. */
async function leaving(turned: (turn: ControlTurn, control: SpokenControl, speaker: Speaker) => void) {
  const session = await prepared()
  const play = await playedSpeaking(session, (speaker) => {
    speaker.control('a').ready()
    speaker.control('b', (turn, control) => { turned(turn, control, speaker) }).ready()
  })
  expect(digestAgain(session, play.rows)).toBe(play.digest)
  const { account } = play.rows.findLast(({ kind, why }) => kind === 'turn' && why === 'begin')!
  return { ...play, ofB: play.rows.filter((row) => row.account === account) }
}

describe('a client that closes its control channel', () => {
  it.each([1000, 1001, 1005])('with the code %i in its turn is out of the session at once, and nobody waits for it', async (code) => {
    const { ofB, said, lapses, rows } = await leaving(({ why }, control) => {
      if (why === 'begin') control.done({ n: 2 })
      else control.end(code)
    })
    expect([said, lapses]).toEqual([[LEFT], 0])
    expect(ofB.map(({ kind, why, turn }) => [kind, why, turn])).toEqual([['turn', 'begin', 2], ['turn', 'onRequest', ofB[1]!.turn], ['left', undefined, ofB[1]!.turn]])
    expect(rows.length).toBeGreaterThan(20)
  })

  it('behind a turn that it has ended has done what it did in that turn, and is out of the session where the loop stands', async () => {
    const { ofB, said, lapses } = await leaving((turn, control, speaker) => {
      control.say({ frame: 'wake', n: turn.n, call: 1, at_us: turn.at_us + HOUR_US })
      control.say({ frame: 'done', n: turn.n, calls: 2 })
      control.end(1000)
      // A call goes over another connection.
      speaker.call('b', '/call', { 'parlor-turn': String(turn.n), 'parlor-call': '2' }, 'call', READ)
    })
    expect([said, lapses]).toEqual([[LEFT], 0])
    expect(ofB.map(({ kind = 'command', turn, call }) => [kind, turn, call])).toEqual([['turn', 2, undefined], ['wake', 2, 1], ['command', 2, 2], ['left', undefined, undefined]])
  })

  it('is back when it is ready on another one', async () => {
    const { ofB, said, lapses } = await leaving((turn, control, speaker) => {
      control.done(turn)
      control.end(1000)
      speaker.control('b').ready()
    })
    expect([said, lapses]).toEqual([[LEFT, 'the client of b is back'], 0])
    expect(ofB.slice(0, 4).map(({ kind, why, turn }) => [kind, why, turn])).toEqual([['turn', 'begin', 2], ['left', undefined, undefined], ['joined', undefined, 3], ['turn', 'joined', 3]])
    expect(ofB.filter(({ why }) => why === 'onRequest').length).toBeGreaterThan(5)
  })

  it('is back when it makes a call that needs none', async () => {
    const { ofB, said } = await leaving((turn, control, speaker) => {
      control.done(turn)
      control.end(1000)
      speaker.call('b', '/call', { 'parlor-hold': '1', 'parlor-done': '1' }, 'call', READ)
    })
    expect(said.slice(0, 2)).toEqual([LEFT, 'the client of b is back'])
    expect(ofB.slice(0, 5).map(({ kind = 'command', turn, call }) => [kind, turn, call])).toEqual([['turn', 2, undefined], ['left', undefined, undefined], ['joined', 3, undefined], ['turn', 3, undefined], ['command', 3, 1]])
  })

  it('has no answer to a call that waits for its turn', async () => {
    const session = await prepared()
    let call = 0
    let answer: unknown = null
    const { said } = await playedSpeaking(session, (speaker) => {
      const b = speaker.control('b')
      const a = speaker.control('a', (turn) => {
        if (turn.why === 'begin') a.say({ frame: 'wake', n: turn.n, call: 1, at_us: turn.at_us + 1 })
        if (turn.why === 'wake') {
          call = speaker.call('b', '/call', { 'parlor-hold': '1', 'parlor-done': '1' }, 'call', READ)
          b.end(1000)
        }
        if (turn.why === 'onRequest') answer ??= speaker.answers.get(call)
        a.say({ frame: 'done', n: turn.n, calls: turn.why === 'begin' ? 1 : 0 })
      })
      a.ready()
      b.ready()
    })
    expect(answer).toMatchObject({ kind: 'answer', answer: { status: 503 } })
    expect(said).toEqual([LEFT])
  })

  it('does not come back when it says so, and closes the other channel too', async () => {
    const { ofB, lapses } = await leaving((turn, control, speaker) => {
      control.done(turn)
      control.end(1000)
      const again = speaker.control('b')
      again.ready()
      again.end(1000)
    })
    expect(lapses).toBe(0)
    expect(ofB.map(({ kind }) => kind)).toEqual(['turn', 'left'])
  })

  it('before time begins is waited for as if it had not come', async () => {
    const session = await prepared()
    const { waitedFor, said, lapses } = await playedSpeaking(session, (speaker) => {
      const b = speaker.control('b')
      b.ready()
      b.end(1000)
      speaker.control('a').ready()
    })
    expect(waitedFor).toEqual([['a', 'b'], ['a'], ['a', 'b'], ['b']])
    expect([said.length, lapses]).toEqual([1, 1])
  })

  it('is waited for where it has lost the connection', async () => {
    const { said, lapses } = await leaving((_, control) => { control.end(1006) })
    expect([said, lapses]).toEqual([[MISSED], 1])
  })

  it('has not left where it needs none: it has looked, and was never ready on any', async () => {
    const session = await prepared()
    const { said, lapses } = await playedSpeaking(session, (speaker) => {
      const a = speaker.control('a', (turn) => {
        if (turn.why === 'begin') a.say({ frame: 'wake', n: turn.n, call: 1, at_us: turn.at_us + 1 })
        if (turn.why === 'wake') speaker.control('b').end(1000)
        a.say({ frame: 'done', n: turn.n, calls: turn.why === 'begin' ? 1 : 0 })
      })
      a.ready()
      speaker.call('b', '/call', { 'parlor-hold': '1', 'parlor-done': '1' }, 'call', READ)
    })
    // It has the answer's turn, in which it does nothing more.
    expect([said, lapses]).toEqual([[MISSED], 1])
  })
})

describe('a session that comes to its end', () => {
  it('says in each turn from the operator’s last input on that it ends, and in none before', async () => {
    const session = await prepared()
    const endUs = buildSession(session.resolved, session.strategies, session.store).config.operator.at(-1)!.atUs
    const turns: ControlTurn[] = []
    await playedSpeaking(session, (speaker) => {
      speaker.control('a', (turn, control) => {
        turns.push(turn)
        const isBegin = turn.why === 'begin'
        if (isBegin) [endUs - 1, endUs, endUs + 1].forEach((at_us, i) => { control.say({ frame: 'wake', n: turn.n, call: i + 1, at_us }) })
        control.say({ frame: 'done', n: turn.n, calls: isBegin ? 3 : 0 })
      }).ready()
      speaker.control('b').ready()
    })
    expect(turns.filter(({ why }) => why === 'wake').map(({ at_us, is_ending }) => [at_us - endUs, is_ending])).toEqual([[-1, undefined], [0, true], [1, true]])
    expect(turns.every(({ at_us, is_ending = false }) => is_ending === at_us >= endUs)).toBe(true)
  })

  it('refuses nothing that comes for a turn which it dropped because it was stopped', async () => {
    const stop = new AbortController()
    const session = await prepared()
    let call = 0
    let speaking: Speaker | null = null
    let a: SpokenControl | null = null
    await playedSpeaking(session, (speaker) => {
      speaking = speaker
      a = speaker.control('a', (turn) => {
        stop.abort()
        // Both come behind the stop.
        call = speaker.call('a', '/call', { 'parlor-turn': String(turn.n), 'parlor-call': '1' }, 'call', READ)
        a!.done(turn)
      })
      a.ready()
      speaker.control('b').ready()
    }, stop.signal)
    expect(a!.frames.map(({ frame }) => frame)).toEqual(['welcome', 'turn', 'over'])
    await vi.waitFor(() => { expect(speaking!.answers.get(call)).toMatchObject({ kind: 'answer', answer: { status: 503 } }) })
  })
})
