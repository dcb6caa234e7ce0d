import { describe, expect, it } from 'vitest'
import { digestAgain, type PlayedMaker, preparedOf, scenarioOf } from './served.ts'
import { type ControlTurn, playedSpeaking, type Speaker, type SpokenControl } from './spokenTo.ts'

const MAKERS: readonly PlayedMaker[] = ['a', 'b'].map((name) => ({ name, use: 'x', latency: '{ broadcast: 5ms, quote: 5ms, confirm: 5ms }' }))
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
      }
      a.say({ frame: 'done', n: turn.n, calls: turn.why === 'begin' ? 1 : 0 })
    })
    a.ready()
    speaker.control('b').ready()
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
