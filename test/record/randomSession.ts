import fc from 'fast-check'
import { MarketResult, Side } from '../../src/market/sides.ts'
import type { Directory } from '../../src/record/directory.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import { MS_US, SECOND_US } from '../../src/unit/time.ts'
import { contentTag, type ParlayCommand, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import type { ParlayProfile } from '../../src/venue/parlay/protocol/profile.ts'
import { Session } from './session.ts'

const T0 = 1_750_000_000_000_000
const OPERATOR = 0
/** Accounts 1 and 2 bet, 2 and 3 quote: 2 does both. */
const DIRECTORY: Directory = {
  accounts: [
    { name: 'operator', role: 'bettor', group: 'operator' },
    { name: 'ann', role: 'bettor', group: 'noise' },
    { name: 'bob', role: 'both', group: 'bob' },
    { name: 'cat', role: 'maker', group: 'cat' },
  ],
  markets: [0, 1, 2, 3].map((market) => ({ ticker: `M${market}`, cluster: market < 2 ? 'first' : 'second' })),
}
/** Accounts that quote. */
export const MAKERS = [2, 3]

/** Counts events by kind, beside the recorder. */
export class Counts implements Sink {
  readonly of = new Map<number, number>()

  flush({ parlay }: Batch): void {
    const { events } = parlay!
    for (let i = 0; i < events.count; i++) {
      const kind = events.kindOf(events.row(i))
      this.of.set(kind, (this.of.get(kind) ?? 0) + 1)
    }
  }

  finish(): void {}
  abort(): void {}

  count(...kinds: readonly number[]): number {
    return kinds.reduce((sum, kind) => sum + (this.of.get(kind) ?? 0), 0)
  }
}

const options = (dir: string, more: Partial<RecorderOptions> = {}): RecorderOptions => ({
  dir, directory: DIRECTORY, parlay: { legsMax: 3 }, identity: {}, reference: { parlayValue: (_, legCount) => 0.5 ** legCount },
  horizonsUs: [0, 3 * SECOND_US], equityEveryUs: 5 * SECOND_US, batchRows: 16, ...more,
})

/** One step of a session; many are refused, which is recorded too. */
export const step = fc.record({
  op: fc.constantFrom(
    'trade', 'trade', 'trade', 'create', 'update', 'cancel', 'quote', 'quote', 'withdraw', 'commit', 'commit', 'confirm', 'decline', 'resolve',
    'sale', 'sale', 'sale', 'sell', 'bid', 'take', 'drop', 'fault', 'funds',
  ),
  waitMs: fc.integer({ min: 0, max: 3000 }),
  pick: fc.nat(1000),
  legs: fc.constantFrom([0, 1], [1, 2], [0, 2, 3]),
  oddsE4: fc.integer({ min: 15_000, max: 60_000 }),
})

export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Plays one step on request `number` with whatever the venue holds then; many are refused, which is recorded too. */
function playStep(session: Session, atUs: number, { op, pick, legs, oddsE4 }: Step, number: number): void {
  const view = session.venue.view.request(number)
  const maker = MAKERS[pick % 2]!
  const owner = view?.owner ?? 1
  const body = (c: { betMicros: number; leg(market: number, side: number): unknown }): void => {
    c.betMicros = 10_000_000 + pick * 1000
    for (const market of legs) c.leg(market, pick % 3 === 0 ? Side.no : Side.yes)
  }
  switch (op) {
    case 'sell': case 'bid': case 'take': case 'drop': return playCashOut(session, atUs, op, pick)
    case 'fault': return session.apply(atUs, ParlayOp.setFault, OPERATOR, (c) => { c.value = 3 + (pick % 3); c.value2 = pick % 2 })
    case 'funds': return session.apply(atUs, pick % 2 === 0 ? ParlayOp.deposit : ParlayOp.withdraw, 1 + (pick % 3), (c) => { c.amountMicros = 1000 * (1 + pick) })
    case 'create': return session.apply(atUs, ParlayOp.createRequest, 1 + (pick % 2), body)
    case 'update': return session.apply(atUs, ParlayOp.updateRequest, owner, (c) => { body(c); c.request = number })
    case 'cancel': return session.apply(atUs, ParlayOp.cancelRequest, owner, (c) => { c.request = number })
    case 'withdraw': return session.apply(atUs, ParlayOp.withdrawQuote, maker, (c) => { c.request = number })
    case 'resolve': return session.apply(atUs, ParlayOp.resolveMarket, OPERATOR, (c) => {
      c.market = pick % 4
      c.value = [MarketResult.no, MarketResult.yes, MarketResult.void][pick % 3]!
    })
    case 'quote': return session.apply(atUs, ParlayOp.submitQuote, maker, (c) => {
      c.request = number
      c.version = view?.version ?? 1
      c.contentTag = view === null ? 0 : contentTag(view.legs.length, view.legs.map((l) => l.market), view.legs.map((l) => l.side), view.betMicros)
      c.oddsE4 = oddsE4
      value(c, oddsE4)
    })
    case 'commit': return session.apply(atUs, ParlayOp.commitRequest, owner, (c) => {
      c.request = number
      c.version = view?.version ?? 1
      c.quote = c.bookSeq = 1
      c.oddsE4 = 20_000
    })
    default: {
      const quote = view?.pendingQuote ?? -1
      const chosen = session.venue.view.quote(quote)?.maker ?? maker
      const opcode = op === 'confirm' ? ParlayOp.confirmSelection : ParlayOp.declineSelection
      return session.apply(atUs, opcode, chosen, (c) => { c.request = number; c.quote = quote })
    }
  }
}

/** Most makers say what they think fair, and some of them what it would be if legs were independent. */
function value(c: ParlayCommand, pick: number): void {
  c.memoE9 = [-1, 250_000_000, 410_000_000, 333_333_333][pick % 4]!
  c.productE9 = c.memoE9 < 0 ? -1 : [-1, 200_000_000, 333_333_333][pick % 3]!
}

/** A step about an auction among the last ones of a position among those that somebody holds or backs. */
function playCashOut(session: Session, atUs: number, op: 'sell' | 'bid' | 'take' | 'drop', pick: number): void {
  const { view } = session.venue
  const open = [1, 2, 3].flatMap((account) => view.positionsOf(account))
  const position = open.length === 0 ? 1 : open[pick % open.length]!
  let auction = 1
  for (let number = 1; number <= 200; number++) if (view.auction(number) !== null) auction = number
  const seller = view.auction(auction)?.seller ?? 1
  switch (op) {
    case 'sell': return session.apply(atUs, ParlayOp.openCashout, view.position(position)?.holder ?? 1, (c) => { c.position = position })
    case 'bid': return session.apply(atUs, ParlayOp.submitBid, MAKERS[pick % 2]!, (c) => { c.auction = auction; c.amountMicros = 1_000_000 + 7000 * ((617 * pick) % 1000); value(c, pick) })
    case 'take': return session.apply(atUs, ParlayOp.commitCashout, seller, (c) => { c.auction = auction })
    case 'drop': return session.apply(atUs, ParlayOp.cancelCashout, seller, (c) => { c.auction = auction })
  }
}

const TRADE = ['quote', 'quote', 'commit', 'confirm'] as const
const SALE = ['sell', 'bid', 'bid', 'take'] as const

/** Plays the steps into tables under `dir`, and a manifest. */
export function play(dir: string, steps: readonly Step[], more: Partial<RecorderOptions> = {}, profile: Partial<ParlayProfile> = {}): { session: Session; counts: Counts; endUs: number } {
  const counts = new Counts()
  const recorder = new Recorder(options(dir, more))
  const session = new Session([recorder, counts], { chunk: 5, profile })
  for (const market of [0, 1, 2, 3]) {
    session.apply(T0, ParlayOp.listMarket, OPERATOR, (c) => { c.market = market; c.closeUs = T0 + 3600 * SECOND_US; c.item(market) })
  }
  for (const account of [1, 2, 3]) session.apply(T0, ParlayOp.deposit, account, (c) => { c.amountMicros = 200_000_000 })
  session.apply(T0, ParlayOp.createRequest, 1, (c) => { c.betMicros = 20_000_000; c.leg(0, Side.yes).leg(1, Side.yes) })
  let atUs = T0
  let requests = 1
  const one = (given: Step, op: Step['op'], number: number): void => {
    playStep(session, atUs, { ...given, op }, number)
    if (session.venue.view.request(requests + 1) !== null) requests++
  }
  for (const given of steps) {
    atUs += given.waitMs * MS_US
    const parts = given.op === 'trade' ? TRADE : given.op === 'sale' ? [...TRADE, ...SALE] : null
    if (parts === null) {
      one(given, given.op, 1 + (given.pick % requests))
      continue
    }
    one(given, 'create', 0)
    for (const [i, op] of parts.entries()) {
      atUs += 100 * MS_US
      one({ ...given, pick: given.pick + i }, op, requests)
    }
  }
  const endUs = atUs + 2 * SECOND_US
  session.finish(endUs)
  const identity = { sourceTree: '', node: '', scenario: {}, strategies: {}, data: null, seed: 'a' }
  writeManifest(dir, { label: 'interactive', digest: 'd'.repeat(64), identity, counts: {}, tables: recorder.tables() })
  return { session, counts, endUs }
}
