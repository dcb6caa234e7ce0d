import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import type { CohortEntry, OutcomeGateConfig, SessionConfig } from '../../src/engine/config.ts'
import { M, Messages, MessageKind } from '../../src/engine/messages.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import { OUTCOME_GATE_SETTINGS } from '../../src/venue/outcome/protocol/gate.ts'
import { JOURNAL_STRIDE as OUTCOME_STRIDE } from '../../src/venue/outcome/protocol/journal.ts'
import { JOURNAL_STRIDE } from '../../src/venue/parlay/protocol/journal.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { gateConfig } from './gateWorld.ts'
import { outcomeAuctionConfig } from './outcomeWorld.ts'
import { auctionConfig, makerEntry, sessionConfig } from './world.ts'

const SECONDS = 30

/** Numbers and flags of a view: its own fields, or those that it reads elsewhere. */
function textOf(view: object): string {
  const names = [...Object.keys(view), ...Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(view)))]
  const fields = names.map((name) => [name, (view as Record<string, unknown>)[name]] as const)
  return fields.filter(([name, value]) => name !== 'slot' && ['number', 'boolean'].includes(typeof value)).map(([name, value]) => `${name} ${value}`).join(', ')
}

/** The same handlers, which write down first what they are shown. */
function telling<H extends object>(handlers: H, heard: string[]): H {
  const entries = Object.entries(handlers).map(([name, handle]) => [name, typeof handle !== 'function' ? handle : (view: object, ...more: unknown[]) => {
    heard.push(`${name}: ${textOf(view)}; ${more.filter((value) => typeof value === 'number').join(' ')}`)
    return (handle as (...all: unknown[]) => unknown).call(handlers, view, ...more)
  }])
  return Object.fromEntries(entries) as H
}

const tellingStrategy = <S extends { create: (...all: never[]) => object }>(strategy: S, heard: string[]): S =>
  ({ ...strategy, create: (...all: never[]) => telling(strategy.create(...all), heard) })

/** Makes use of every message that a maker can get, and of each way to put a thing off. */
const curious = maker({}, () => ({
  onRequest(request, desk) {
    if (request.request % 2 === 0) desk.later(request, 30_000)
    desk.quote(request, { probability: 0.2, validMs: 3000 })
  },
  onLater(request, desk) {
    if (request.request % 4 === 0) desk.withdraw(request)
    else desk.quote(request, { probability: 0.05, validMs: 3000, fair: 0.04 })
  },
  onBest(request, desk) {
    if (request.bookSeq === 2) desk.quote(request, { probability: 0.06, validMs: 3000 })
  },
  onSelected: (selection, desk) => desk.decideLater(selection, 1000),
  onDecision: (selection, desk) => desk.confirm(selection),
  onAck() {}, onFill() {}, onSettled() {}, onBought() {}, onBestBid() {},
  onCashout: (auction, desk) => desk.bid(auction, { probability: 0.3, validMs: 5000 }),
})) as unknown as MakerStrategy

type Entries = Pick<NonNullable<SessionConfig['parlay']>, 'makers' | 'cohorts'>

function withCurious<E extends Entries>(service: E, heard: string[]): E {
  const cohorts = service.cohorts.map((entry): CohortEntry => ({ ...entry, strategy: tellingStrategy(entry.strategy as BettorStrategy, heard) as CohortEntry['strategy'] }))
  const makers = [...service.makers, makerEntry('curious', curious)].map((entry) => ({ ...entry, strategy: tellingStrategy(entry.strategy, heard) }))
  return { ...service, makers, cohorts }
}

const outcomeGate: OutcomeGateConfig = {
  profile: profileOf(OUTCOME_GATE_SETTINGS, { limitWindowMs: 5_000, quoteLimit: 60, heartbeatMs: 4_000 }),
  keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 3, backoffUs: 500_000 },
}

const behindGate = (seconds: number): SessionConfig => {
  const config = outcomeAuctionConfig(seconds)
  return { ...config, outcome: { ...config.outcome, gate: outcomeGate } }
}

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
  const { parlay, outcome, ...terms } = config(SECONDS)
  new Session({
    ...terms, sinks: [digest, commands], ...(parlay === undefined ? {} : { parlay: withCurious(parlay, heard) }),
    ...(outcome === undefined ? {} : { outcome: withCurious(outcome, heard) }),
  }).runToEnd()
  return { digest: digest.hex(), commands: commands.hash.digest('hex'), heard }
}

const { takeBare } = Messages.prototype
const FIELDS = [M.version, M.bookSeq, M.oddsE4, M.index]

/** Every message that is taken bare holds `word` and `cell` wherever nothing is written. */
function leaveBehind(word: number, cell: number): void {
  vi.spyOn(Messages.prototype, 'takeBare').mockImplementation(function leave(this: Messages, kind: number, target: number): number {
    const at = takeBare.call(this, kind, target)
    this.words.fill(word, at + M.op, at + M.held + 1)
    this.cells.fill(cell, at, at + M.index + 1)
    return at
  })
}

afterEach(() => void vi.restoreAllMocks())

describe('a message', () => {
  it('taken with every field unset has nothing of a former one', () => {
    const messages = new Messages(2)
    const at = messages.take(MessageKind.command, 0)
    messages.words.fill(9)
    messages.cells.fill(9)
    messages.give(at)
    expect(messages.take(MessageKind.ack, 3)).toBe(at)
    expect([...messages.words.subarray(at, at + M.held + 1)]).toEqual([MessageKind.ack, 3, -1, -1, -1, -1, -1, -1, -1])
    expect([...messages.cells.subarray(at, at + M.index + 1)]).toEqual(Array.from({ length: M.index + 1 }, () => -1))
  })

  it('taken bare keeps what is there', () => {
    leaveBehind(7, 8)
    const messages = new Messages(2)
    const at = messages.takeBare(MessageKind.request, 1)
    expect(FIELDS.map((field) => messages.cells[at + field])).toEqual([8, 8, 8, 8])
  })
})

describe('INV-30 nothing is read of a message that its sender has not written', () => {
  it.each([
    ['plain', sessionConfig], ['auctions', auctionConfig], ['gate', gateConfig], ['outcome', outcomeAuctionConfig], ['outcome gate', behindGate],
  ] as const)('INV-30 whatever a former message left, in the digest, in commands, in what strategies are shown (%s)', (_name, config) => {
    const expected = play(config)
    for (const [word, cell] of [[1_000_000_007, 1.5e15], [-77, NaN]] as const) {
      leaveBehind(word, cell)
      expect(play(config)).toEqual(expected)
    }
    expect(expected.heard.length).toBeGreaterThan(1000)
  }, 60_000)
})
