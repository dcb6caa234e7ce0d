import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { SessionConfig } from '../../src/engine/config.ts'
import { MESSAGE_STRIDE, RequestMessage } from '../../src/engine/messageCells.ts'
import { MessageKind, Messages, MessageWord } from '../../src/engine/messages.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import { JOURNAL_STRIDE as OUTCOME_STRIDE } from '../../src/venue/outcome/protocol/journal.ts'
import { JOURNAL_STRIDE } from '../../src/venue/parlay/protocol/journal.ts'
import { behindGate, curiousSession, onBoth } from './curious.ts'
import { gateConfig } from './gateWorld.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, sessionConfig } from './world.ts'

const SECONDS = 18

/** Every field of every command, those too that leave no trace in a row. */
class CommandHash implements Sink {
  readonly hash = createHash('sha256')

  flush({ parlay, outcome }: Batch): void {
    for (const [journal, stride] of [[parlay?.journal, JOURNAL_STRIDE], [outcome?.journal, OUTCOME_STRIDE]] as const) {
      if (journal !== undefined) this.hash.update(new Uint8Array(journal.cells.slice(0, journal.count * stride).buffer))
    }
  }

  finish(): void {}
  abort(): void {}
}

/** Digest of a session, its commands, and all that its strategies were shown. */
function play(config: (seconds: number) => SessionConfig): { digest: string; commands: string; heard: string[] } {
  const heard: string[] = []
  const digest = new Digest()
  const commands = new CommandHash()
  new Session({ ...curiousSession(config(SECONDS), heard), sinks: [digest, commands] }).runToEnd()
  return { digest: digest.hex(), commands: commands.hash.digest('hex'), heard }
}

const { takeBare } = Messages.prototype
const FIELDS = Object.values(RequestMessage)

/** Every message that is taken bare holds `word` and `cell` wherever nothing is written. */
function leaveBehind(word: number, cell: number): void {
  vi.spyOn(Messages.prototype, 'takeBare').mockImplementation(function leave(this: Messages, kind: number, target: number): number {
    const at = takeBare.call(this, kind, target)
    this.words.fill(word, at + MessageWord.action, at + MessageWord.held + 1)
    this.cells.fill(cell, at, at + MESSAGE_STRIDE)
    return at
  })
}

/**
 * Notes which fields of each message are written, and tells in `unwritten` those that are read before. What a receiver merely compares shows
 * in no digest.
 */
function watchReads(unwritten: Set<string>): void {
  const { copyFields } = Messages.prototype
  type Arrays = Pick<Messages, 'words' | 'cells'>
  const watched = new WeakMap<Messages, { arrays: Arrays; written: Map<number, Set<string>> }>()
  const watch = <A extends Int32Array | Float64Array>(array: A, name: string, kinds: Int32Array, written: Map<number, Set<string>>): A => new Proxy(array, {
    get(target, key) {
      const index = Number(typeof key === 'string' ? key : NaN)
      const value: unknown = Reflect.get(target, key, target)
      if (Number.isNaN(index)) return typeof value === 'function' ? value.bind(target) : value
      const fields = written.get(index - (index % MESSAGE_STRIDE))
      const field = `${name} ${index % MESSAGE_STRIDE}`
      if (fields !== undefined && !fields.has(field)) unwritten.add(`${field} of kind ${kinds[index - (index % MESSAGE_STRIDE)]}`)
      return value
    },
    set(target, key, value: number) {
      const index = Number(key)
      target[index] = value
      written.get(index - (index % MESSAGE_STRIDE))?.add(`${name} ${index % MESSAGE_STRIDE}`)
      return true
    },
  })
  vi.spyOn(Messages.prototype, 'takeBare').mockImplementation(function begin(this: Messages, kind: number, target: number): number {
    const { arrays, written } = watched.get(this) ?? { arrays: { words: this.words, cells: this.cells }, written: new Map<number, Set<string>>() }
    // The arrays themselves, which may be replaced by wider ones.
    Object.assign(this, arrays)
    const at = takeBare.call(this, kind, target)
    const { words, cells } = this
    written.set(at, new Set([`words ${MessageWord.kind}`, `words ${MessageWord.target}`]))
    watched.set(this, { arrays: { words, cells }, written })
    this.words = watch(words, 'words', words, written)
    this.cells = watch(cells, 'cells', words, written)
    return at
  })
  vi.spyOn(Messages.prototype, 'copyFields').mockImplementation(function copy(this: Messages, from: number, to: number): void {
    copyFields.call(this, from, to)
    const { written } = watched.get(this)!
    written.set(to, new Set(written.get(from)))
  })
}

const WORLDS = [
  ['plain', sessionConfig], ['auctions', auctionConfig], ['gate', gateConfig], ['outcome', outcomeAuctionConfig], ['outcome gate', behindGate],
  ['both services', onBoth],
] as const

afterEach(() => void vi.restoreAllMocks())

describe('a message', () => {
  it('taken with every field unset has nothing of a former one', () => {
    const messages = new Messages(2)
    const at = messages.take(MessageKind.command, 0)
    messages.words.fill(9)
    messages.cells.fill(9)
    messages.give(at)
    expect(messages.take(MessageKind.ack, 3)).toBe(at)
    expect([...messages.words.subarray(at, at + MessageWord.held + 1)]).toEqual([MessageKind.ack, 3, -1, -1, -1, -1, -1, -1, -1])
    expect([...messages.cells.subarray(at, at + MESSAGE_STRIDE)]).toEqual(Array.from({ length: MESSAGE_STRIDE }, () => -1))
  })

  it('taken bare keeps what is there', () => {
    leaveBehind(7, 8)
    const messages = new Messages(2)
    const at = messages.takeBare(MessageKind.request, 1)
    expect(FIELDS.map((field) => messages.cells[at + field])).toEqual(FIELDS.map(() => 8))
  })
})

describe('INV-30 nothing is read of a message that its sender has not written', () => {
  it.each(WORLDS)('INV-30 whatever a former message left, in the digest, in commands, in what strategies are shown (%s)', (_name, config) => {
    const expected = play(config)
    for (const [word, cell] of [[1_000_000_007, 1.5e15], [-77, NaN]] as const) {
      leaveBehind(word, cell)
      expect(play(config)).toEqual(expected)
    }
    expect(expected.heard.length).toBeGreaterThan(1000)
  })

  it.each(WORLDS)('INV-30 nor what it holds compared with anything (%s)', (_name, config) => {
    const unwritten = new Set<string>()
    watchReads(unwritten)
    new Session(curiousSession(config(SECONDS / 2), [])).runToEnd()
    expect([...unwritten]).toEqual([])
  })

  it('INV-30 a read of what was not written is seen', () => {
    const unwritten = new Set<string>()
    watchReads(unwritten)
    const messages = new Messages(2)
    const at = messages.takeBare(MessageKind.request, 1)
    messages.cells[at + RequestMessage.bookChanges] = messages.words[at + MessageWord.kind]!
    expect([messages.cells[at + RequestMessage.bookChanges], messages.cells[at + RequestMessage.looks]]).toEqual([MessageKind.request, 0])
    expect([...unwritten]).toEqual([`cells ${RequestMessage.looks} of kind ${MessageKind.request}`])
  })
})
