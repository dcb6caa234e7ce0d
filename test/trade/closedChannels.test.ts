import { beforeEach, describe, expect, it } from 'vitest'
import { ClosedChannels } from '../../src/trade/closedChannels.ts'

const PATHS = [['1', '/v1/stream'], ['2', '/v1/market-stream']] as const
const DRAINED = { path: '/v1/stream', why: '1012 CONNECTION_DRAIN' }
const NEWS = 'the session has closed /v1/stream (1012 CONNECTION_DRAIN): nothing comes on it any more'
let said: string[]
let closed: ClosedChannels
beforeEach(() => {
  said = []
  closed = new ClosedChannels((text) => { said.push(text) })
})

describe('channels that the session has closed', () => {
  it('are news with the turn that comes without them, in either order, and once', () => {
    closed.add('1', DRAINED)
    closed.turn({ 1: 3, 2: 0 }, PATHS)
    expect(said).toEqual([])
    closed.turn({ 2: 0 }, PATHS)
    closed.turn({ 2: 0 }, PATHS)
    closed.over()
    expect(said).toEqual([NEWS])
    said = []
    closed.clear()
    closed.turn({ 2: 0 }, PATHS)
    expect(said).toEqual([])
    closed.add('1', DRAINED)
    expect(said).toEqual([NEWS])
  })

  it('are no news where no turn comes without them', () => {
    closed.turn({ 1: 3, 2: 0 }, PATHS)
    closed.add('1', DRAINED)
    closed.over()
    expect(said).toEqual([])
  })

  it('are news at the end where their close has not come, unless a later turn counts them', () => {
    closed.turn({}, PATHS)
    closed.turn({ 2: 1 }, PATHS)
    closed.over()
    expect(said).toEqual(['the session has closed /v1/stream: nothing comes on it any more'])
  })
})
