import { describe, expect, it } from 'vitest'
import { digestAgain, type PlayedMaker, preparedOf, scenarioOf } from './served.ts'
import { playedSpeaking } from './spokenTo.ts'

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
