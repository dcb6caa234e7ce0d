import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SessionConfig } from '../../src/engine/config.ts'
import * as messageCells from '../../src/engine/messageCells.ts'
import { Messages } from '../../src/engine/messages.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { behindGate, curiousSession, onBoth } from './curious.ts'
import { gateConfig } from './gateWorld.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig } from './world.ts'

const SECONDS = 15
const LEFT_BEHIND = 1.5e15
const UNSET = -1
const { MESSAGE_STRIDE, ...LAYOUTS } = messageCells
const KINDS = Object.entries<Readonly<Record<string, number>>>(LAYOUTS)
const NAMES = [...new Set(KINDS.flatMap(([, cells]) => Object.keys(cells)))]
/** More cells than all messages of a session have. The cells of one name lie so far from those of the next. */
const APART = 4096 * MESSAGE_STRIDE

const given = KINDS.map(([, cells]) => ({ cells, offsets: { ...cells } }))

/** Gives every name a cell of its own, which holds what no sender wrote until one writes it. */
function setApart(): void {
  for (const { cells } of given) Object.assign(cells, Object.fromEntries(Object.keys(cells).map((name) => [name, NAMES.indexOf(name) * APART])))
  const { take, takeBare, copyFields } = Messages.prototype
  const fill = ({ cells }: Messages, at: number, value: number): void => { for (let i = 0; i < NAMES.length; i++) cells[at + i * APART] = value }
  vi.spyOn(Messages.prototype, 'takeBare').mockImplementation(function leave(this: Messages, kind: number, target: number): number {
    const at = takeBare.call(this, kind, target)
    expect(at).toBeLessThan(APART)
    if (this.cells.length < NAMES.length * APART) this.cells = new Float64Array(NAMES.length * APART)
    fill(this, at, LEFT_BEHIND)
    return at
  })
  vi.spyOn(Messages.prototype, 'take').mockImplementation(function unset(this: Messages, kind: number, target: number): number {
    const at = take.call(this, kind, target)
    fill(this, at, UNSET)
    return at
  })
  vi.spyOn(Messages.prototype, 'copyFields').mockImplementation(function copy(this: Messages, from: number, to: number): void {
    copyFields.call(this, from, to)
    for (let i = 0; i < NAMES.length; i++) this.cells[to + i * APART] = this.cells[from + i * APART]!
  })
}

afterEach(() => {
  for (const { cells, offsets } of given) Object.assign(cells, offsets)
  vi.restoreAllMocks()
})

/** Digest of a session, and all that its strategies were shown. */
function play(config: (seconds: number) => SessionConfig): { digest: string; heard: string[] } {
  const heard: string[] = []
  const digest = new Digest()
  new Session({ ...curiousSession(config(SECONDS), heard), sinks: [digest] }).runToEnd()
  return { digest: digest.hex(), heard }
}

describe('a cell of a message', () => {
  it.each([
    ['auctions', auctionConfig], ['gate', gateConfig], ['outcome', outcomeAuctionConfig], ['outcome gate', behindGate], ['both services', onBoth],
  ] as const)('INV-30 is read by the name by which it was written, so that a cell for each name changes nothing (%s)', (_world, config) => {
    const expected = play(config)
    setApart()
    expect(play(config)).toEqual(expected)
    expect(expected.heard.length).toBeGreaterThan(100)
  })

  it('lies within the row', () => {
    const cells = KINDS.flatMap(([, named]) => Object.values(named))
    expect([Math.min(...cells), Math.max(...cells)]).toEqual([0, MESSAGE_STRIDE - 1])
    expect(MESSAGE_STRIDE % 2).toBe(0)
  })
})
