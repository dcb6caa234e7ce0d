import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { QuoteView, RequestView } from '../../../src/venue/parlay/protocol/view.ts'
import { Driver, type Row, T0, usd } from './driver.ts'
import { type Draw, drawsOf } from '../../draws.ts'
import { startWalk, stepWalk } from './walk.ts'

const STEPS = 250
/** Answers of commands that did something; a withdrawal whose recovery is pending is under way, for all its error (PQ-084). */
const TAKEN: ReadonlySet<string> = new Set(['ok', 'chainPending', 'balancePending', 'recoveryPending'])
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

/** Every number that was given out and is still known. */
function known<T>(read: (number: number) => T | null, upTo: number): T[] {
  return Array.from({ length: upTo }, (_, i) => read(i + 1)).filter((entity) => entity !== null)
}

/** Balances of pots and escrows by position number, summed from the postings alone. */
class Pots {
  readonly micros = { pot: new Map<number, number>(), escrow: new Map<number, number>() }

  note(d: Driver): void {
    for (const moved of d.moved) {
      const [, from, fromOwner, to, toOwner, amount] = /^\w+: (\w+)(?: (\d+))? -> (\w+)(?: (\d+))? (\d+)$/.exec(moved)!
      this.move(from!, Number(fromOwner), -Number(amount))
      this.move(to!, Number(toOwner), Number(amount))
    }
  }

  private move(kind: string, position: number, amountMicros: number): void {
    if (kind !== 'pot' && kind !== 'escrow') return
    const micros = this.micros[kind]
    micros.set(position, (micros.get(position) ?? 0) + amountMicros)
  }
}

function checkMoney(d: Driver, pots: Pots): void {
  const { netDepositsMicros, houseMicros, potMicros, escrowMicros, heldMicros } = d.view.totals()
  expect(heldMicros + potMicros + escrowMicros + houseMicros).toBe(netDepositsMicros)
  const backed = new Map<number, number>()
  const open = { pot: new Map<number, number>(), escrow: new Map<number, number>() }
  for (const position of known((number) => d.view.position(number), STEPS)) {
    open.pot.set(position.number, position.payoutMicros)
    open.escrow.set(position.number, position.takerFeeMicros)
    backed.set(position.backer, (backed.get(position.backer) ?? 0) + position.payoutMicros - position.stakeMicros)
  }
  const total = (of: ReadonlyMap<number, number>): number => [...of.values()].reduce((sum, micros) => sum + micros, 0)
  expect([potMicros, escrowMicros]).toEqual([total(open.pot), total(open.escrow)])
  for (const kind of ['pot', 'escrow'] as const) {
    for (const [number, micros] of open[kind]) expect(pots.micros[kind].get(number) ?? 0).toBe(micros)
    for (const [number, micros] of pots.micros[kind]) expect(micros).toBe(open[kind].get(number) ?? 0)
  }
  for (let account = 0; account < 6; account++) {
    const balance = d.view.balance(account)
    expect(Math.min(balance.freeMicros, balance.reservedMicros)).toBeGreaterThanOrEqual(0)
    expect(balance.lockedMicros).toBe(balance.reservedMicros + (backed.get(account) ?? 0))
    expect(balance.grossMicros).toBe(balance.freeMicros + balance.lockedMicros)
  }
}

/** The payout that stake and odds of an opening give, rounded down to the micro-unit. */
function checkOpenings(d: Driver): void {
  for (const { netStakeMicros, payoutMicros, oddsE4 } of d.of('positionOpened')) {
    expect(payoutMicros).toBe(Number(BigInt(netStakeMicros as number) * BigInt(oddsE4 as number) / 10_000n))
  }
}

function checkBooks(d: Driver): void {
  const quotes = known((number) => d.view.quote(number), STEPS)
  for (const request of known((number) => d.view.request(number), STEPS)) {
    const book = quotes.filter((quote) => quote.request === request.number)
    const standing = book.filter((quote) => quote.state === QuoteState.live || quote.state === QuoteState.reserved)
    standing.sort((a, b) => b.oddsE4 - a.oddsE4 || a.number - b.number)
    expect(request.bestQuote).toBe(standing[0]?.number ?? -1)
    expect(new Set(book.map((quote) => quote.maker)).size).toBe(book.length)
    if (request.state !== RequestState.active) expect(standing).toEqual([])
    for (const quote of standing) expect(quote.version).toBe(request.version)
    const reserved = standing.filter((quote) => quote.state === QuoteState.reserved).map((quote) => quote.number)
    expect(reserved).toEqual(request.pendingQuote === -1 ? [] : [request.pendingQuote])
  }
}

/** Everything that has ended so far, as it was seen at its end; null once it is forgotten. */
interface Ends {
  readonly requests: Map<number, RequestView | null>
  readonly quotes: Map<number, QuoteView | null>
  readonly positions: Set<number>
}

/** Checks that what had ended is as it was, then notes what has ended now. */
function checkEnds(d: Driver, { requests, quotes, positions }: Ends): void {
  stays(requests, (number) => d.view.request(number))
  stays(quotes, (number) => d.view.quote(number))
  for (const row of [...d.of('positionSettled'), ...d.of('positionFailed')]) {
    const number = row['position'] as number
    expect(positions.has(number)).toBe(false)
    positions.add(number)
  }
  for (const number of positions) expect(d.view.position(number)).toBeNull()
  for (const request of known((number) => d.view.request(number), STEPS)) {
    if (request.state !== RequestState.active && !requests.has(request.number)) requests.set(request.number, request)
  }
  for (const quote of known((number) => d.view.quote(number), STEPS)) {
    const stands = quote.state === QuoteState.live || quote.state === QuoteState.reserved
    if (!stands && !quotes.has(quote.number)) quotes.set(quote.number, quote)
  }
}

function stays<T>(ended: Map<number, T | null>, read: (number: number) => T | null): void {
  for (const [number, end] of ended) {
    const now = read(number)
    if (now === null) ended.set(number, null)
    else expect(now).toEqual(end)
  }
}

/** Plays a step of the walk or, now and then, the result of a market under an open position, which the walk seldom meets. */
function stepOrResolve(d: Driver, draw: Draw): void {
  const open = draw(8) === 0 ? known((number) => d.view.position(number), STEPS) : []
  if (open.length === 0) return void stepWalk(d, draw)
  const { legs } = open[draw(open.length)]!
  d.at(d.now + 1).resolve(legs[draw(legs.length)]!.market, (['yes', 'yes', 'no', 'void'] as const)[draw(4)]!)
}

/** A driver that plays what is due before each command by a pulse, and keeps the hash of the state that the command finds. */
class Watching extends Driver {
  /** Null when an operator's command comes before a deadline of its instant, so that no pulse can part the two. */
  hashBefore: string | null = null

  override apply(command = this.command): Row | undefined {
    const isOperators = command.op < FIRST_PARTICIPANT_OP
    this.hashBefore = null
    if (!isOperators || this.venue.nextDeadlineUs() > T0 + this.now) {
      this.pulse()
      this.hashBefore = this.venue.stateHash()
    }
    return super.apply(command)
  }
}

describe('a random walk', () => {
  it('INV-01 INV-02 INV-04 money adds up after every command', () => {
    const seen = { opened: 0, settled: 0 }
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      const pots = new Pots()
      startWalk(d)
      for (let step = 0; step < STEPS; step++) {
        stepOrResolve(d, draw)
        pots.note(d)
        checkOpenings(d)
        checkMoney(d, pots)
        seen.opened += d.of('positionOpened').length
        seen.settled += d.of('positionSettled').length
      }
    }), { numRuns: 12 })
    expect(Math.min(seen.opened, seen.settled)).toBeGreaterThan(3)
  })

  it('INV-14 INV-16 every book holds what it should after every command', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      startWalk(d)
      for (let step = 0; step < STEPS; step++) {
        stepWalk(d, draw)
        checkBooks(d)
      }
    }), { numRuns: 12 })
  })

  it('INV-17 what has ended stays as it ended, or is forgotten for good, after every command', () => {
    const ended = { requests: 0, quotes: 0, positions: 0 }
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      const ends: Ends = { requests: new Map(), quotes: new Map(), positions: new Set() }
      startWalk(d)
      for (let step = 0; step < STEPS; step++) {
        stepOrResolve(d, draw)
        checkEnds(d, ends)
      }
      ended.requests += ends.requests.size
      ended.quotes += ends.quotes.size
      ended.positions += ends.positions.size
    }), { numRuns: 12 })
    expect(Math.min(ended.requests, ended.quotes, ended.positions)).toBeGreaterThan(3)
  })

  it('PQ-183 a rejected command changes nothing', () => {
    const refused = new Set<unknown>()
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Watching()
      const draw = drawsOf(seed)
      startWalk(d)
      // Poor enough to be short of collateral and of bets.
      for (let account = 0; account < 6; account++) d.withdraw(account, usd(260))
      for (let step = 0; step < 120; step++) {
        const reply = stepWalk(d, draw)
        if (reply === undefined || TAKEN.has(reply.code!) || d.hashBefore === null) continue
        refused.add(reply['op']).add(reply.code)
        expect(d.rows).toEqual([reply])
        expect(d.moved).toEqual([])
        expect(d.venue.stateHash()).toBe(d.hashBefore)
      }
    }), { numRuns: 6 })
    const met = ['createRequest', 'submitQuote', 'commitRequest', 'withdrawQuote', 'confirmSelection', 'insufficientCollateral']
    expect(met.filter((name) => !refused.has(name))).toEqual([])
  })

  it('each command has exactly one reply, if need be from a later pulse', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      const replies: number[] = []
      const note = (): void => { for (const row of d.of('reply')) replies.push(row.cause) }
      startWalk(d)
      const from = d.seq
      for (let step = 0; step < STEPS; step++) {
        stepWalk(d, draw)
        note()
      }
      d.pulse(d.now + 60_000_000)
      note()
      expect(replies.toSorted((a, b) => a - b)).toEqual(Array.from({ length: d.seq - from }, (_, i) => from + 1 + i))
    }), { numRuns: 12 })
  })

  it('INV-30 pulses in between change no row', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const [d, pulsed] = [new Driver(), new Driver()]
      const draw = drawsOf(seed)
      const rows: Row[] = []
      const pulsedRows: Row[] = []
      startWalk(d)
      startWalk(pulsed)
      for (let step = 0; step < STEPS; step++) {
        stepWalk(d, draw)
        rows.push(...d.rows)
        for (let due = pulsed.venue.nextDeadlineUs() - T0; due < d.now; due = pulsed.venue.nextDeadlineUs() - T0) {
          pulsedRows.push(...pulsed.pulse(due))
        }
        pulsed.at(d.now).apply(d.command)
        pulsedRows.push(...pulsed.rows)
      }
      expect(pulsedRows).toEqual(rows)
      expect(pulsed.venue.stateHash()).toBe(d.venue.stateHash())
    }), { numRuns: 8 })
  })
})
