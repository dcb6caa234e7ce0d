import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import type { SessionConfig } from '../../src/engine/config.ts'
import { COMBO_STRIDE, ComboWord } from '../../src/engine/combos.ts'
import { planOperator } from '../../src/engine/operatorInputs.ts'
import { Session } from '../../src/engine/session.ts'
import { rootKey } from '../../src/kernel/random.ts'
import type { Market } from '../../src/market/market.ts'
import { Digest } from '../../src/record/digest.ts'
import { FIRST_PARTICIPANT_OP } from '../../src/venue/contract.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../src/venue/outcome/protocol/events.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { outcomeAuctionConfig, type OutcomeConfig, outcomeConfig } from './outcomeWorld.ts'
import { cohorts, makerEntry, makers, NO_FAULTS, type Replaced, world, WORLD_START_US } from './world.ts'

const SECONDS = 30

function digestOf(config: SessionConfig, chunk = 4096): string {
  const digest = new Digest()
  new Session({ ...config, sinks: [digest] }).runToEnd(chunk)
  return digest.hex()
}

function logOf(config: SessionConfig): OutcomeLog {
  const log = new OutcomeLog()
  new Session({ ...config, sinks: [log] }).runToEnd()
  return log
}

describe('INV-30 same inputs, same bytes on the outcome service', () => {
  const config = outcomeAuctionConfig(SECONDS)
  const expected = digestOf(config)

  it('INV-30 gives the same digest with every chunk size, and when strategies cannot keep their views', () => {
    for (const chunk of [1, 7, 1_000_000]) expect(digestOf(config, chunk)).toBe(expected)
    expect(digestOf({ ...config, freshViews: true })).toBe(expected)
    expect(digestOf({ ...config, seed: 'b' })).not.toBe(expected)
  })

  it('INV-30 continues a checkpoint at any step to the same digest', () => {
    let total = 0
    for (const session = new Session(config); session.run(1);) total++
    fc.assert(fc.property(fc.integer({ min: 1, max: total - 1 }), (steps) => {
      const digests = [new Digest(), new Digest()]
      const [first, second] = digests.map((digest) => new Session({ ...config, sinks: [digest] })) as [Session, Session]
      first.run(steps)
      second.restore(structuredClone(first.snapshot()))
      digests[1]!.restore(digests[0]!.snapshot())
      expect(second.stateHash()).toBe(first.stateHash())
      second.runToEnd()
      expect(digests[1]!.hex()).toBe(expected)
    }), { numRuns: 3 })
  })

  it('INV-30 continues a checkpoint in a new process', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-checkpoint-'))
    try {
      const digest = new Digest()
      const session = new Session({ ...config, sinks: [digest] })
      while (session.counts.sales < 5) session.run(1)
      const file = join(folder, 'image')
      writeFileSync(file, serialize({ session: session.snapshot(), digest: digest.snapshot() }))
      const child = spawnSync(process.execPath, [fileURLToPath(new URL('./resume.ts', import.meta.url)), file, String(SECONDS), 'outcome'], { encoding: 'utf8' })
      expect([child.stderr, child.stdout.trim()]).toEqual(['', expected])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('INV-30 signs EIP-712 digests with the same effect as cheap tags, and goes on from an image', () => {
    const short = outcomeConfig(5)
    const earnest: OutcomeConfig = { ...short, outcome: { ...short.outcome, signatures: 'eip712' } }
    const whole = digestOf(earnest)
    // No row shows a tag.
    expect(whole).toBe(digestOf(short))
    const digests = [new Digest(), new Digest()]
    const [first, second] = digests.map((digest) => new Session({ ...earnest, sinks: [digest] })) as [Session, Session]
    first.run(400)
    second.restore(structuredClone(first.snapshot()))
    digests[1]!.restore(digests[0]!.snapshot())
    second.runToEnd()
    expect(digests[1]!.hex()).toBe(whole)
  })
})

describe('a long session on the outcome service', () => {
  it('INV-01 INV-02 pays everything out, and the desks know it', () => {
    const session = new Session(outcomeAuctionConfig(SECONDS))
    session.runToEnd()
    const { view } = session.outcome!.venue
    const { netDepositsMicros, houseMicros, potMicros, heldMicros } = view.totals()
    expect([potMicros, heldMicros]).toEqual([0, netDepositsMicros - houseMicros])
    expect(session.counts.sales).toBeGreaterThan(20)
    for (const { account, freeMicros, capitalMicros, openPositions, heldPositions } of session.desks()) {
      expect([freeMicros, capitalMicros, openPositions, heldPositions]).toEqual([view.balance(account).freeMicros, freeMicros, 0, 0])
    }
  })

  it('keeps nothing of what has ended', () => {
    const session = new Session(outcomeAuctionConfig(SECONDS))
    session.runToEnd()
    const image = session.outcome!.snapshot() as unknown as {
      transit: { combos: { words: Int32Array }; comboOfRequest: { numbers: Float64Array }; comboOfAuction: { numbers: Float64Array } }
      delivery: Record<'book' | 'comboOfAcceptance' | 'comboOfPosition', { numbers: Float64Array }>
      enricher: { quotes: { rowOf: { numbers: Float64Array }; waiting: readonly number[] } }
    }
    const { book, comboOfAcceptance, comboOfPosition } = image.delivery
    const { combos, comboOfRequest, comboOfAuction } = image.transit
    expect(combos.words.length).toBeGreaterThan(0)
    for (let combo = 0; combo < combos.words.length; combo += COMBO_STRIDE) expect(combos.words[combo + ComboWord.references]).toBe(0)
    for (const { numbers } of [book, comboOfAcceptance, comboOfPosition, comboOfRequest, comboOfAuction, image.enricher.quotes.rowOf]) {
      expect(numbers).toHaveLength(0)
    }
    expect(image.enricher.quotes.waiting).toEqual([])
  })

  it('plays every kind of row that participants can cause', () => {
    const config = outcomeAuctionConfig(SECONDS, { makers: outcomeAuctionConfig(1).outcome.makers.map((entry) => ({ ...entry, faults: { ...NO_FAULTS, missConfirm: 0.1 } })) })
    const kinds = new Set(logOf(config).rows.map((row) => row.kind))
    const played = ['rfqCreated', 'rfqClosed', 'rfqCancelled', 'rfqFilled', 'quoteCreated', 'quoteExpired', 'quoteDead', 'quoteAccepted', 'quoteFilled', 'quoteFailed',
      'bestQuoteChanged', 'operationStarted', 'operationUpdated', 'positionOpened', 'positionSettled', 'positionClaimed', 'positionClosed', 'positionTransferred'] as const
    expect(played.filter((name) => !kinds.has(OutcomeEvent[name]))).toEqual([])
  })
})

describe('draws on the outcome service are keyed', () => {
  /** What participants send, their accounts numbered without `own`. */
  const commands = (log: OutcomeLog, own: number): unknown[] => log.commands
    .filter((c) => c.op > OutcomeOp.withdraw && c.account !== own)
    .map(({ atUs, op, rfq, payoutMicros, stakeMicros, legs, account }) => [atUs, op, rfq, payoutMicros, stakeMicros, legs, own >= 0 && account > own ? account - 1 : account])

  it('a maker that never quotes changes nothing that the others do', () => {
    const silent = maker({}, () => ({ onRequest: (_request, desk) => desk.pass('never quotes') })) as unknown as MakerStrategy
    const entries = makers(4)
    const without = commands(logOf(outcomeConfig(SECONDS)), -1)
    const inserted = commands(logOf(outcomeConfig(SECONDS, { makers: [entries[0]!, makerEntry('silent', silent), ...entries.slice(1)] })), 56)
    expect(without.length).toBeGreaterThan(300)
    expect(inserted).toEqual(without)
  })

  it('a cohort that never bets changes nothing that the others do', () => {
    const idle = { ...cohorts[0]!, name: 'idle', bettors: 1, arrivalsUs: [] }
    const without = commands(logOf(outcomeConfig(SECONDS)), -1)
    expect(commands(logOf(outcomeConfig(SECONDS, { cohorts: [idle, ...cohorts] })), 0)).toEqual(without)
  })
})

describe('no look-ahead on the outcome service', () => {
  const tUs = WORLD_START_US + 15_000_000
  const { markets, ticks, endUs } = world(60, 60 + SECONDS * 20)
  const timed = markets.map((market, m): Market => ({ ...market, settledUs: WORLD_START_US + (5 + m) * 1_000_000 }))
  /** Everything that was not known at t is otherwise: prices, results and their times. */
  const otherwise = timed.map((market): Market => (market.settledUs! <= tUs ? market : { ...market, outcome: market.outcome === 'yes' ? 'no' : 'yes', settledUs: market.settledUs! + 5_000_000 }))
  const bidE6 = ticks.bidE6.map((price, i) => (ticks.atUs[i]! > tUs ? 980_000 - price : price))
  const otherTicks = { ...ticks, bidE6, askE6: bidE6.map((price) => price + 20_000) }
  const policy = { lagUs: 60_000_000, missing: 'exclude', scalar: 'void' } as const

  it('changing all prices and results after t changes no command up to t', () => {
    const config = outcomeAuctionConfig(SECONDS)
    const blind = config.outcome.cohorts.filter(({ strategy }) => strategy.horizonUs === undefined)
    const upTo = (catalogue: readonly Market[], prices: Replaced['ticks']): unknown[] => {
      const operator = planOperator(catalogue, prices!, WORLD_START_US, endUs, policy, rootKey('a')).inputs
      return logOf({ ...config, ticks: prices!, operator, outcome: { ...config.outcome, cohorts: blind } }).commands
        .filter(({ atUs, op }) => atUs <= tUs && op >= FIRST_PARTICIPANT_OP)
    }
    const known = upTo(timed, ticks)
    expect(known.length).toBeGreaterThan(300)
    expect(upTo(otherwise, otherTicks)).toEqual(known)
    expect(logOf({ ...config, ticks: otherTicks }).commands).not.toEqual(logOf({ ...config, ticks }).commands)
  })
})
