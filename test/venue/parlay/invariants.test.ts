import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { Driver, type Row, T0 } from './driver.ts'
import { drawsOf, startWalk, stepWalk } from './walk.ts'

const STEPS = 250
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })

/** Every number that was given out and is still known. */
function known<T>(read: (number: number) => T | null, upTo: number): T[] {
  return Array.from({ length: upTo }, (_, i) => read(i + 1)).filter((entity) => entity !== null)
}

function checkMoney(d: Driver): void {
  const { netDepositsMicros, houseMicros, potMicros, escrowMicros, heldMicros } = d.view.totals()
  expect(heldMicros + potMicros + escrowMicros + houseMicros).toBe(netDepositsMicros)
  const backed = new Map<number, number>()
  let pots = 0
  let escrows = 0
  for (const position of known((number) => d.view.position(number), STEPS)) {
    pots += position.payoutMicros
    escrows += position.takerFeeMicros
    backed.set(position.backer, (backed.get(position.backer) ?? 0) + position.payoutMicros - position.stakeMicros)
  }
  expect([potMicros, escrowMicros]).toEqual([pots, escrows])
  for (let account = 0; account < 6; account++) {
    const balance = d.view.balance(account)
    expect(Math.min(balance.freeMicros, balance.reservedMicros)).toBeGreaterThanOrEqual(0)
    expect(balance.lockedMicros).toBe(balance.reservedMicros + (backed.get(account) ?? 0))
    expect(balance.grossMicros).toBe(balance.freeMicros + balance.lockedMicros)
  }
}

function checkBooks(d: Driver): void {
  for (const request of known((number) => d.view.request(number), STEPS)) {
    const book = known((number) => d.view.quote(number), STEPS).filter((quote) => quote.request === request.number)
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

describe('a random walk', () => {
  it('INV-01 INV-02 INV-04 money adds up after every command', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      startWalk(d)
      for (let step = 0; step < STEPS; step++) {
        stepWalk(d, draw)
        if (step % 10 === 0) checkMoney(d)
      }
      checkMoney(d)
    }), { numRuns: 12 })
  })

  it('INV-14 INV-16 INV-17 every book holds what it should after every command', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      startWalk(d)
      for (let step = 0; step < STEPS; step++) {
        stepWalk(d, draw)
        if (step % 10 === 0) checkBooks(d)
      }
      checkBooks(d)
    }), { numRuns: 12 })
  })

  it('PQ-183 a rejected command changes nothing', () => {
    fc.assert(fc.property(seeds, (seed) => {
      const d = new Driver()
      const draw = drawsOf(seed)
      startWalk(d)
      let refused = 0
      for (let step = 0; step < 120; step++) {
        const reply = stepWalk(d, draw)
        if (reply === undefined || reply.code === 'ok' || d.rows.length > 1) continue
        refused++
        // The same command again, at once: rejected again, and the state is the same.
        const before = d.venue.stateHash()
        expect(d.apply()!.code).toBe(reply.code)
        expect(d.venue.stateHash()).toBe(before)
      }
      expect(refused).toBeGreaterThan(10)
    }), { numRuns: 4 })
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
