import fc from 'fast-check'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { PostingRows } from '../../../src/ledger/postingRows.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import { ParlayOp, Read } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { parlayVenue } from '../../../src/venue/parlay/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { GateDriver, sec, T0, usd } from './gateDriver.ts'

/** Small limits and short times, so that a walk meets all of them. */
const PROFILE: Partial<ParlayGateProfile> = {
  authenticatedLimit: 12, unauthenticatedLimit: 4, publicLimit: 5, quoteServiceLimit: 6, depositLimit: 4, limitWindowMs: 20_000,
  deliveryTimeoutMs: 2_000, deliveryBackoffMs: 1_000, deliveryBackoffMaxMs: 4_000, deliveryAttemptsMax: 4, deliveryRetentionMs: 30_000,
}

const OPS = Object.values(ParlayOp).filter((op) => op >= 20)
const weird = fc.constantFrom(-2, -1, -0, 0.5, NaN, Infinity, 2 ** 31, 2 ** 53)

const command = fc.record({
  op: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(20, 20, 60, 61, 62, 63, 63, 64, 64, 65, 66, 67, 68, 68, 68, 68) },
    fc.constantFrom(...OPS), fc.integer({ min: -5, max: 99 })),
  waitUs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: sec(3) }), fc.constantFrom(sec(1), sec(2))),
  account: fc.oneof({ weight: 20, arbitrary: fc.constantFrom(1, 1, 2, 3) }, weird),
  credential: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(0, 0, 0, 0, 1, 2, 3) }, weird),
  source: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(0, 1) }, weird),
  value: fc.oneof({ weight: 10, arbitrary: fc.integer({ min: 0, max: 9 }) }, fc.constant(2047), weird),
  value2: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(0, 7, 7, 127, 200, 404, 500) }, weird),
  version: fc.oneof({ weight: 10, arbitrary: fc.integer({ min: 1, max: 4 }) }, weird),
  closeUs: fc.oneof({ weight: 5, arbitrary: fc.constant(-1) }, fc.integer({ min: T0, max: T0 + sec(200) }), weird),
  amountMicros: fc.oneof({ weight: 10, arbitrary: fc.constant(usd(1)) }, weird),
})
type Step = typeof command extends fc.Arbitrary<infer T> ? T : never

/** One step of a walk; most answers come from the world. */
function step(d: GateDriver, { waitUs, op, account, ...fields }: Step): void {
  d.at(d.now + waitUs).send(op, op === ParlayOp.answerDelivery && account !== 3 ? -1 : account, fields)
}

/** Endpoints of the walk's accounts for all they can hear. */
function started(): GateDriver {
  return new GateDriver(PROFILE).endpoint(1, 0, 127).endpoint(2, 0, 127).endpoint(1, 1, 7)
}

/** Another gate that goes on where `d` stands; one whose columns an earlier use has widened must have the same hash. */
function forked(d: GateDriver): GateDriver {
  const fork = new GateDriver({ ...PROFILE, authenticatedLimit: 1e9, depositLimit: 1e9 }).endpoint(5, 0, 127)
  for (let i = 0; i < 200; i++) fork.send('deposit', 5, { amountMicros: 1 })
  const other = new GateDriver(PROFILE)
  for (const to of [fork, other]) to.gate.restore(deserialize(serialize(d.gate.snapshot())) as Image)
  expect(fork.gate.stateHash()).toBe(d.gate.stateHash())
  other.now = d.now
  other.seq = d.seq
  other.sequence.next = d.sequence.next
  return other
}

describe('a gate', () => {
  it('INV-30 goes on alike after a restore, in the middle of attempts, retries and windows', () => {
    fc.assert(fc.property(fc.array(command, { minLength: 20, maxLength: 120 }), fc.nat(), (steps, at) => {
      const d = started()
      const cut = at % steps.length
      for (const each of steps.slice(0, cut)) step(d, each)
      const fork = forked(d)
      expect(fork.gate.stateHash()).toBe(d.gate.stateHash())
      expect(fork.gate.nextDeadlineUs()).toBe(d.gate.nextDeadlineUs())
      expect(fork.view.lastLimit()).toEqual(d.view.lastLimit())
      for (const each of steps.slice(cut)) {
        step(d, each)
        step(fork, each)
        expect(fork.rows).toEqual(d.rows)
      }
      expect(fork.gate.stateHash()).toBe(d.gate.stateHash())
      expect(fork.view.deliveriesOf(1, 0)).toEqual(d.view.deliveriesOf(1, 0))
    }), { numRuns: 60, endOnFailure: true })
  })

  it('INV-27 answers every command once, never throws, and makes no attempt of an ended delivery', () => {
    fc.assert(fc.property(fc.array(command, { minLength: 50, maxLength: 150 }), (steps) => {
      const d = started()
      const attempts = new Map<unknown, number>()
      const ended = new Set<unknown>()
      for (const each of steps) {
        step(d, each)
        expect(d.of('reply').filter((row) => row['cause'] === d.seq)).toHaveLength(1)
        for (const row of d.rows) {
          const delivery = row['delivery']
          if (row.event === 'deliveryRequeued') ended.delete(delivery)
          if (row.event === 'deliveryChanged' && (row['status'] === 1 || row['status'] === 3)) ended.add(delivery)
          if (row.event !== 'deliveryAttempted') continue
          expect(ended.has(delivery)).toBe(false)
          attempts.set(delivery, (attempts.get(delivery) ?? 0) + 1)
          expect(row['attempt']).toBe(attempts.get(delivery))
        }
      }
    }), { numRuns: 60, endOnFailure: true })
  })

  it('plays deadlines alike in many pulses and in one', () => {
    fc.assert(fc.property(fc.array(command, { minLength: 20, maxLength: 80 }), (steps) => {
      const [d, pulsed] = [started(), started()]
      const rows = { once: [] as unknown[], often: [] as unknown[] }
      for (const each of steps) {
        step(d, each)
        rows.once.push(...d.rows)
        // An operator's command comes before the deadlines of its own instant.
        const until = pulsed.now + each.waitUs - (each.op < 20 ? 1 : 0)
        while (pulsed.gate.nextDeadlineUs() <= T0 + until) rows.often.push(...pulsed.pulse(pulsed.gate.nextDeadlineUs() - T0))
        pulsed.now = d.now - each.waitUs
        step(pulsed, each)
        rows.often.push(...pulsed.rows)
      }
      expect(rows.often).toEqual(rows.once)
    }), { numRuns: 40, endOnFailure: true })
  })

  it('leaves the venue as it is without a gate when it lets everything pass', () => {
    const d = new GateDriver()
    const bare = parlayVenue(profileOf(PARLAY_SETTINGS), new EventRows({ next: 1 }, 1), new PostingRows({ next: 1 }, 1))
    d.at(5).send('deposit', 10, { amountMicros: usd(1) })
    bare.apply(T0 + 5, d.command)
    d.pulse(sec(9))
    bare.pulse(T0 + sec(9))
    expect((d.gate.snapshot() as { venue: Image }).venue).toEqual(bare.snapshot())
  })

  it('a pulse to the end of time ends', () => {
    const d = started()
    d.gate.pulse(NEVER_US)
    expect(d.gate.nextDeadlineUs()).toBe(NEVER_US)
  })

  it('another command changes the hash: a count, a stream, a mask, a switch, a key', () => {
    const hashes = [
      () => {}, (d: GateDriver) => d.send('read', 1, { [Read.route]: 1 }), (d: GateDriver) => d.send('openStream', 1),
      (d: GateDriver) => d.send('setEndpoint', 1, { value: 0, value2: 3 }), (d: GateDriver) => d.send('createKey', 1, { value: 1 }),
      (d: GateDriver) => d.send('setDeliveries', 0, { value: 1, value2: 0 }), (d: GateDriver) => d.send('setDeliveries', 0, { value: 2, value2: 0 }),
      (d: GateDriver) => d.send('createKey', 1, { value: 2 }), (d: GateDriver) => d.send('deposit', 1, { amountMicros: 1 }),
    ].map((change) => {
      const d = started()
      change(d)
      return d.gate.stateHash()
    })
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
