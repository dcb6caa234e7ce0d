import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, cohorts, makerEntry, NO_FAULTS, type Replaced } from './world.ts'

const SECONDS = 45

function digestOf(replaced: Replaced = {}, chunk = 4096): string {
  const digest = new Digest()
  new Session(auctionConfig(SECONDS, { ...replaced, sinks: [digest] })).runToEnd(chunk)
  return digest.hex()
}

function logOf(replaced: Replaced = {}): RowLog {
  const log = new RowLog()
  new Session(auctionConfig(SECONDS, { ...replaced, sinks: [log] })).runToEnd()
  return log
}

describe('INV-30 same inputs, same bytes, with auctions', () => {
  const expected = digestOf()

  it('INV-30 gives the same digest with every chunk size, and when strategies cannot keep their views', () => {
    for (const chunk of [1, 7, 1000]) expect(digestOf({}, chunk)).toBe(expected)
    expect(digestOf({ freshViews: true })).toBe(expected)
  })

  it('INV-30 continues a checkpoint at any step to the same digest', () => {
    let total = 0
    for (const session = new Session(auctionConfig(SECONDS)); session.run(1);) total++
    fc.assert(fc.property(fc.integer({ min: 1, max: total - 1 }), (steps) => {
      const digests = [new Digest(), new Digest()] as const
      const [first, second] = digests.map((digest) => new Session(auctionConfig(SECONDS, { sinks: [digest] }))) as [Session, Session]
      first.run(steps)
      const image = deserialize(serialize({ session: first.snapshot(), digest: digests[0].snapshot() })) as { session: Image; digest: Image }
      second.restore(image.session)
      digests[1].restore(image.digest)
      expect(second.stateHash()).toBe(first.stateHash())
      second.runToEnd()
      expect(digests[1].hex()).toBe(expected)
    }), { numRuns: 8 })
  })

  it('INV-30 continues a checkpoint in a new process', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-auctions-'))
    try {
      const digest = new Digest()
      const session = new Session(auctionConfig(SECONDS, { sinks: [digest] }))
      while (session.counts.sales < 5) session.run(1)
      const file = join(folder, 'image')
      writeFileSync(file, serialize({ session: session.snapshot(), digest: digest.snapshot() }))
      const resume = fileURLToPath(new URL('./resume.ts', import.meta.url))
      const child = spawnSync(process.execPath, [resume, file, String(SECONDS), 'auctions'], { encoding: 'utf8' })
      expect(child.stderr).toBe('')
      expect(child.stdout.trim()).toBe(expected)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('draws about auctions are keyed', () => {
  /** What everybody but `own` commands, with the number of its account in the world without it. */
  const commandsOf = (log: RowLog, own: number): unknown[] => log.commands.filter((c) => c.op > ParlayOp.withdraw && c.account !== own)
    .map(({ atUs, op, account, request, oddsE4, amountMicros, auction, position }) =>
      [atUs, op, own >= 0 && account > own ? account - 1 : account, request, oddsE4, amountMicros, auction, position])
  const base = auctionConfig(SECONDS)
  const alone = commandsOf(logOf(), -1)

  it('a maker that hears of auctions and never bids changes nothing that the others do', () => {
    expect(alone.filter((command) => (command as number[])[1] === ParlayOp.submitBid).length).toBeGreaterThan(100)
    const silent = makerEntry('silent', maker({}, () => ({ onCashOut: () => {}, onBestBid: () => {} })) as unknown as MakerStrategy)
    // 155 bettors' accounts come first, so the inserted maker stands at 155 + 1.
    const inserted = logOf({ makers: [base.parlay.makers[0]!, silent, ...base.parlay.makers.slice(1)] })
    expect(commandsOf(inserted, 156)).toEqual(alone)
  })

  it('a cohort that never bets changes nothing that the others do', () => {
    const strategy = { role: 'bettor', parameters: {}, create: () => ({ onArrival: () => {}, onDecision: () => {}, onOpened: () => {} }) } as BettorStrategy
    const idle = { ...cohorts[0]!, name: 'idle', bettors: 1, strategy, values: {} }
    expect(commandsOf(logOf({ cohorts: [idle, ...base.parlay.cohorts] }), 0)).toEqual(alone)
  })
})

describe('money with auctions', () => {
  it('INV-01 conserves every micro-unit, and ends with desks that know what the venue holds', () => {
    // This holds for makers that were away too, as what they are owed comes later.
    const session = new Session(auctionConfig(SECONDS))
    while (session.run(500)) {
      const { netDepositsMicros, houseMicros, potMicros, escrowMicros, heldMicros } = session.parlay!.venue.view.totals()
      expect(heldMicros + potMicros + escrowMicros + houseMicros).toBe(netDepositsMicros)
    }
    const { auctions, sales } = session.counts
    expect([auctions > 50, sales > 20]).toEqual([true, true])
    for (const { account, freeMicros, capitalMicros, openPositions, heldPositions } of session.desks()) {
      expect([freeMicros, capitalMicros, openPositions, heldPositions]).toEqual([session.parlay!.venue.view.balance(account).freeMicros, freeMicros, 0, 0])
    }
  })

  it('sells to backers and to others', () => {
    const { rows } = logOf()
    const count = (kind: number): number => rows.filter((row) => row.kind === kind).length
    expect(count(ParlayEvent.positionBoughtBack)).toBeGreaterThan(30)
    expect(count(ParlayEvent.positionTransferred)).toBeGreaterThan(30)
  })

  it('plays every outcome of an auction', () => {
    // The shortest bids are over before the auction; the high ones of a maker without money fail.
    const wavering = maker({}, () => ({
      onCashOut(auction, desk) {
        desk.bid(auction, { priceMicros: 1, validUs: 5_000_000 })
        desk.bid(auction, { priceMicros: 2, validUs: 5_000_000 })
      },
    })) as unknown as MakerStrategy
    const poor = maker({}, () => ({
      onCashOut: (auction, desk) => { if (!auction.isBackingMaker) desk.bid(auction, { priceMicros: auction.payoutMicros, validUs: 15_000_000 }) },
    })) as unknown as MakerStrategy
    const others = [makerEntry('wavering', wavering), { ...makerEntry('poor', poor), capitalMicros: 1_000_000 }]
    const kinds = new Set(logOf({ makers: [...base().parlay.makers, ...others.map((entry) => ({ ...entry, faults: NO_FAULTS }))] }).rows.map((row) => row.kind))
    const unplayed = Object.entries(ParlayEvent).filter(([name, kind]) => /^(auction|bid|bestBid|positionBought|positionTransferred)/.test(name) && !kinds.has(kind))
    expect(unplayed).toEqual([])
  })

  /** There are no faults, so that makers hear everything. */
  const base = (): ReturnType<typeof auctionConfig> => {
    const config = auctionConfig(SECONDS)
    return { ...config, parlay: { ...config.parlay, makers: config.parlay.makers.map((entry) => ({ ...entry, faults: NO_FAULTS })) } }
  }
})
