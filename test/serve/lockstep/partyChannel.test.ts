import { describe, expect, it } from 'vitest'
import { PartyChannel } from '../../../src/serve/session/lockstep/partyChannel.ts'
import type { ToHttp } from '../../../src/serve/threadMessages.ts'

/** A socket on connection 1 that is not accepted yet, and what is said of it. */
function socket(): { readonly channel: PartyChannel; readonly said: ToHttp[] } {
  const said: ToHttp[] = []
  return { channel: new PartyChannel(1, 'socket', { say: (message) => { said.push(message) }, settled: () => [['parlor-channel', '1']] }), said }
}
const ACCEPTED = { kind: 'accept', id: 2, subprotocol: 'a-protocol', headers: [['parlor-channel', '1']] }

describe('a channel whose connection is lost', () => {
  it('goes on, under its subprotocol, with the frames that were not read', () => {
    const { channel, said } = socket()
    channel.accept('a-protocol')
    for (const text of ['a', 'b', 'c']) channel.send(text)
    channel.wasRead(1)
    channel.lost()
    said.length = 0
    expect([0, 4].map((read) => channel.resume(2, read))).toEqual([false, false])
    expect(channel.resume(2, 2)).toBe(true)
    channel.send('d')
    expect(said).toEqual([ACCEPTED, { kind: 'send', ids: [2], text: 'c' }, { kind: 'send', ids: [2], text: 'd' }])
  })

  it('and has been closed meanwhile, brings the frames that are left, and then the close', () => {
    const { channel, said } = socket()
    expect(channel.resume(2, 0)).toBe(false)
    channel.accept('a-protocol')
    channel.send('a')
    channel.lost()
    channel.send('b')
    channel.close(1012, 'over')
    said.length = 0
    expect(channel.resume(2, 1)).toBe(true)
    expect(said).toEqual([ACCEPTED, { kind: 'send', ids: [2], text: 'b' }, { kind: 'close', id: 2, code: 1012, reason: 'over' }])
  })
})
