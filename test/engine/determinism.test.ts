import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maker } from '../../src/agent/maker.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { MARKET_CLOSES, type OperatorInput } from '../../src/engine/config.ts'
import { planOperator } from '../../src/engine/operatorInputs.ts'
import { Session } from '../../src/engine/session.ts'
import { rootKey } from '../../src/kernel/random.ts'
import type { Market } from '../../src/market/market.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { ACCOUNT_KIND_NAMES, POSTING_CAUSE_NAMES } from '../../src/ledger/ledger.ts'
import { PostingField, type PostingRows } from '../../src/ledger/postingRows.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Sink } from '../../src/record/sink.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { AuctionCommitted, AuctionOpened, MarketResolved, ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, makerEntry, makers, sessionConfig, world, WORLD_START_US } from './world.ts'

const SECONDS = 120

function digestOf(replaced: Parameters<typeof sessionConfig>[1] = {}, chunk = 4096): string {
  const digest = new Digest()
  new Session(sessionConfig(SECONDS, { ...replaced, sinks: [digest] })).runToEnd(chunk)
  return digest.hex()
}

function logOf(replaced: Parameters<typeof sessionConfig>[1] = {}, config = sessionConfig): RowLog {
  const log = new RowLog()
  new Session(config(SECONDS, { ...replaced, sinks: [log] })).runToEnd()
  return log
}

describe('INV-30 same inputs, same bytes', () => {
  const expected = digestOf()

  it('INV-30 gives the same digest with every chunk size', () => {
    for (const chunk of [1, 7, 1000, 1_000_000]) expect(digestOf({}, chunk)).toBe(expected)
  })

  it('INV-30 gives the same digest when the sinks get few rows later', () => {
    for (const flushRows of [0, 3, 256, 1_000_000]) {
      const digest = new Digest()
      let flushes = 0
      const counting = { flush: () => { flushes++ }, finish: () => {}, abort: () => {} }
      const session = new Session(sessionConfig(SECONDS, { sinks: [digest, counting] }))
      let chunks = 1
      while (session.run(7, flushRows)) chunks++
      expect(flushes).toBeLessThanOrEqual(flushRows === 1_000_000 ? 0 : chunks)
      session.run(1)
      expect([flushRows, digest.hex()]).toEqual([flushRows, expected])
    }
  })

  it('INV-30 gives another digest for another seed', () => {
    expect(digestOf({ seed: 'b' })).not.toBe(expected)
  })

  it('INV-30 gives the same digest when strategies cannot keep their views', () => {
    expect(digestOf({ freshViews: true })).toBe(expected)
  })

  it('INV-30 continues a checkpoint in a new process to the same digest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-checkpoint-'))
    try {
      const total = countSteps()
      fc.assert(fc.property(fc.integer({ min: 1, max: total - 1 }), (steps) => {
        const digest = new Digest()
        const session = new Session(sessionConfig(SECONDS, { sinks: [digest] }))
        session.run(steps)
        const file = join(folder, 'image')
        writeFileSync(file, serialize({ session: session.snapshot(), digest: digest.snapshot() }))
        const child = spawnSync(process.execPath, [fileURLToPath(new URL('./resume.ts', import.meta.url)), file, String(SECONDS)], { encoding: 'utf8' })
        expect(child.stderr).toBe('')
        expect(child.stdout.trim()).toBe(expected)
      }), { numRuns: 3 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Steps of a whole session, counted by playing it one by one. */
function countSteps(): number {
  const session = new Session(sessionConfig(SECONDS))
  let steps = 0
  while (session.run(1)) steps++
  return steps
}

describe('draws are keyed', () => {
  const silent = maker({}, () => ({ onRequest: (_request, desk) => desk.pass('never quotes') })) as unknown as MakerStrategy

  it('a maker that never quotes changes nothing that the others do', () => {
    const participants = (log: RowLog, own: number): unknown[] =>
      log.commands.filter((c) => c.op > ParlayOp.withdraw && c.account !== own).map(({ atUs, op, request, oddsE4, betMicros, legs }) => [atUs, op, request, oddsE4, betMicros, legs])
    const entries = makers(4)
    const without = participants(logOf(), -1)
    // Bettors' accounts come first, so the inserted maker stands at 55 + 1.
    const inserted = participants(logOf({ makers: [entries[0]!, makerEntry('silent', silent), ...entries.slice(1)] }), 56)
    expect(without.length).toBeGreaterThan(1000)
    expect(inserted).toEqual(without)
  })
})

describe('no look-ahead', () => {
  const tUs = WORLD_START_US + 60_000_000
  const { markets: plain, ticks: steady, endUs } = world(60, 60 + SECONDS * 20)
  // Markets of every kind of schedule; every tenth has its first price later, the last of these after t.
  const markets = plain.map((market, m): Market => ({
    ...market,
    outcome: m % 11 === 7 ? null : market.outcome,
    scheduledCloseUs: m % 4 === 3 ? null : WORLD_START_US + (20 + m) * 1_000_000,
    scheduledCloseKnownUs: m % 4 === 0 ? WORLD_START_US : m % 4 === 1 ? WORLD_START_US + 2 * m * 1_000_000 : null,
    actualCloseUs: m % 5 === 0 ? null : WORLD_START_US + (45 + m) * 1_000_000,
    settledUs: m % 3 === 0 ? null : WORLD_START_US + (50 + 2 * m) * 1_000_000,
  }))
  const firstPriceUs = (m: number): number => (m % 10 === 3 ? WORLD_START_US + m * 1_500_000 : 0)
  const ticks = { ...steady, market: steady.market.map((m, i) => (steady.atUs[i]! < firstPriceUs(m) ? m - 1 : m)) }

  const later = (us: number | null, byUs: number): number | null => (us !== null && us > tUs ? us + byUs : us)
  /** The market with every fact changed that was not known at t. */
  const otherwise = (market: Market): Market => ({
    ...market,
    outcome: market.settledUs !== null && market.settledUs <= tUs ? market.outcome : OTHER_OUTCOME[market.outcome ?? 'yes'],
    settledUs: later(market.settledUs, 7_000_000),
    actualCloseUs: market.actualCloseUs === null ? tUs + 3_000_000 : later(market.actualCloseUs, -1),
    ...(market.scheduledCloseKnownUs !== null && market.scheduledCloseKnownUs > tUs
      ? { scheduledCloseUs: tUs + 1_000_000, scheduledCloseKnownUs: market.scheduledCloseKnownUs + 1 } : {}),
  })
  /** Prices after t are others, at other instants, and market 53, whose first would come after t, has none. */
  const otherTicks = (): Ticks => {
    const atUs = ticks.atUs.map((us) => (us > tUs ? tUs + 1 + Math.floor((us - tUs) / 2) : us))
    const bidE6 = ticks.bidE6.map((price, i) => (ticks.atUs[i]! > tUs ? 1_000_000 - price - 20_000 : price))
    return { ...ticks, atUs, bidE6, askE6: bidE6.map((price) => price + 20_000), market: ticks.market.map((m) => (m === 53 ? 52 : m)) }
  }

  const upTo = <Row extends { readonly atUs: number }>(rows: readonly Row[]): Row[] => rows.filter((row) => row.atUs <= tUs)

  it('changing all prices and results known after t changes no auction and no bid up to t, where legs have ended early', () => {
    // Two thirds of the markets end one after another, from 4 s to 122 s, with closes far off.
    const early = plain.map((market, m): Market => ({ ...market, settledUs: m % 3 === 0 ? null : WORLD_START_US + (4 + 2 * m) * 1_000_000 }))
    const after = (market: Market): Market =>
      (market.settledUs !== null && market.settledUs <= tUs ? market : { ...market, outcome: OTHER_OUTCOME[market.outcome ?? 'yes'], settledUs: later(market.settledUs, 7_000_000) })
    const play = (of: readonly Market[], prices: Ticks): RowLog['rows'] => {
      const { inputs } = planOperator(of, prices, WORLD_START_US, endUs, { lagUs: 10_000_000, missing: 'exclude', scalar: 'void' }, rootKey('a'))
      const { cohorts } = auctionConfig(SECONDS).parlay
      return logOf({ cohorts: cohorts.filter(({ strategy }) => strategy.horizonUs === undefined), ticks: prices, operator: inputs }, auctionConfig).rows
    }
    const [asItWas, changed] = [play(early, ticks), play(early.map(after), otherTicks())]
    expect(upTo(changed)).toEqual(upTo(asItWas))
    expect(changed).not.toEqual(asItWas)
    // Positions with a leg that has ended are auctioned, bid for and sold up to t.
    const endedAt = new Map(ofKind(asItWas, ParlayEvent.marketResolved, MarketResolved).map(({ market, atUs }) => [market, atUs]))
    const mixed = upTo(ofKind(asItWas, ParlayEvent.auctionOpened, AuctionOpened)).filter(({ atUs, list }) =>
      list.some((market, i) => i % 2 === 0 && (endedAt.get(market) ?? Infinity) < atUs))
    const auctions = new Set(mixed.map(({ auction }) => auction))
    const sold = upTo(ofKind(asItWas, ParlayEvent.auctionCommitted, AuctionCommitted)).filter(({ auction }) => auctions.has(auction))
    expect([mixed.length > 15, sold.length > 10]).toEqual([true, true])
  })

  it.each(['void', 'draw'] as const)('changing all prices, closes, schedules and results known after t changes nothing up to t (%s)', (missing) => {
    // Informed bettors look ahead on purpose, through the oracle that the manifest lists: they stay away here.
    const blind = sessionConfig(SECONDS).parlay.cohorts.filter((cohort) => cohort.strategy.horizonUs === undefined)
    const play = (of: readonly Market[], prices: Ticks): { rows: RowLog['rows']; inputs: readonly OperatorInput[] } => {
      const policy = { lagUs: 10_000_000, missing, scalar: 'void' } as const
      const { inputs } = planOperator(of, prices, WORLD_START_US, endUs, policy, rootKey('a'))
      return { rows: logOf({ cohorts: blind, ticks: prices, operator: inputs }).rows, inputs }
    }
    const [asItWas, changed] = [play(markets, ticks), play(markets.map(otherwise), otherTicks())]
    expect(upTo(changed.inputs)).toEqual(upTo(asItWas.inputs))
    expect(upTo(changed.rows)).toEqual(upTo(asItWas.rows))
    expect(upTo(asItWas.rows).length).toBeGreaterThan(1000)
    // Up to t there are closes, halts, results, and listings later than the begin; everything has happened otherwise after it.
    const kinds = new Set(upTo(asItWas.inputs).filter(({ atUs }) => atUs > WORLD_START_US).map(({ op }) => op))
    expect(kinds).toEqual(new Set([MARKET_CLOSES, ParlayOp.listMarket, ParlayOp.haltMarket, ParlayOp.resolveMarket]))
    expect(changed.inputs).not.toEqual(asItWas.inputs)
    expect(changed.rows).not.toEqual(asItWas.rows)
  })
})

const OTHER_OUTCOME = { yes: 'no', no: 'void', void: 'yes', scalar: 'yes' } as const

describe('money', () => {
  it('INV-01 INV-29 conserves every micro-unit, by postings that balance, and settles every position', () => {
    const moved = new Map<string, number>()
    let rows = 0
    const book = (account: string, micros: number): void => void moved.set(account, (moved.get(account) ?? 0) + micros)
    const checkPosting = (postings: PostingRows, row: number): void => {
      const { cause, debitKind, debitOwner, creditKind, creditOwner, amountMicros } = PostingField
      const [why, fromKind, fromOwner, toKind, toOwner, micros] = [cause, debitKind, debitOwner, creditKind, creditOwner, amountMicros]
        .map((field) => postings.get(row, field)) as [number, number, number, number, number, number]
      const [from, to] = [`${ACCOUNT_KIND_NAMES[fromKind]} ${fromOwner}`, `${ACCOUNT_KIND_NAMES[toKind]} ${toOwner}`]
      const isSound = Number.isSafeInteger(micros) && micros > 0 && from !== to && (POSTING_CAUSE_NAMES[why] ?? '') !== ''
      expect(isSound, `cause ${why}: ${from} to ${to}, ${micros}`).toBe(true)
      book(from, -micros)
      book(to, micros)
      rows++
    }
    const sink: Sink = {
      flush: ({ parlay }) => { for (let row = 0; row < parlay!.postings.count; row++) checkPosting(parlay!.postings, row) },
      finish: () => {}, abort: () => {},
    }
    const session = new Session(sessionConfig(SECONDS, { sinks: [sink] }))
    while (session.run(500)) {
      const { netDepositsMicros, houseMicros, potMicros, escrowMicros, heldMicros } = session.parlay!.venue.view.totals()
      expect(heldMicros + potMicros + escrowMicros + houseMicros).toBe(netDepositsMicros)
    }
    const { potMicros, escrowMicros, houseMicros, netDepositsMicros } = session.parlay!.venue.view.totals()
    expect([potMicros, escrowMicros]).toEqual([0, 0])
    expect(houseMicros).toBeGreaterThan(0)
    expect(rows).toBeGreaterThan(1000)
    expect([moved.get('house -1'), moved.get('external -1')]).toEqual([houseMicros, -netDepositsMicros])
    for (const [account, micros] of moved) {
      const [kind, owner] = account.split(' ')
      if (kind === 'free') expect(micros).toBe(session.parlay!.venue.view.balance(Number(owner)).freeMicros)
      else if (kind !== 'house' && kind !== 'external') expect([account, micros]).toEqual([account, 0])
    }
  })

  it('plays every outcome of the main line', () => {
    const seen = new Set(logOf().rows.map((row) => row.kind))
    const missing = Object.entries(ParlayEvent).filter(([name, kind]) => kind < ParlayEvent.positionBoughtBack && !seen.has(kind) && !UNUSED.has(name)).map(([name]) => name)
    expect(missing).toEqual([])
  })
})

/** What bettors and operators of this world never do. */
const UNUSED = new Set([
  'marketHalted', 'marketResumed', 'marketDelisted', 'feesChanged', 'faultChanged', 'fundsWithdrawn', 'requestUpdated',
  'requestCancelled', 'quoteReplaced', 'quoteWithdrawn', 'positionCancelled', 'vaultTransactionStarted', 'vaultTransactionChanged',
  'walletChanged',
])
