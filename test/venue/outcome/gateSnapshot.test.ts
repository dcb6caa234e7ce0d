import fc from 'fast-check'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { EventRows } from '../../../src/venue/eventRows.ts'
import { GateFault, needsKey } from '../../../src/venue/outcome/protocol/access.ts'
import { ApplyStream, Drain, OpenMarketStream, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { GateDriver, type GateRow, MAKER, OTHER, sec, T0, TAKER } from './gateDriver.ts'
import { type ScriptRow, VenueDouble } from './gateVenue.ts'
import { SetFault } from '../../../src/venue/contract.ts'

/** Small limits and short times, so that a walk meets all of them. */
const PROFILE: Partial<OutcomeGateProfile> = {
  limitWindowMs: 20_000, rfqLimit: 2, acceptLimit: 4, quoteLimit: 2, routeTotalLimit: 5, idempotencyRetentionMs: 15_000, acceptRetentionMs: 40_000,
  sessionAgeMs: 20_000, sessionIdleMs: 12_000, challengeMs: 10_000, liveKeysMax: 2, streamsMax: 3, backlogMax: 4, replayWindowMs: 12_000,
  heartbeatMs: 9_000, freshHeartbeatMs: 4_000, cursorLifeMs: 5_000,
}

const weird = fc.constantFrom(-2, -1, -0, 0.5, NaN, Infinity, 2 ** 31, 2 ** 53)
const or = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 12, arbitrary: usual }, weird)
const OPS = Object.values(OutcomeOp)
const COMMON = [
  OutcomeOp.createRfq, OutcomeOp.acceptQuote, OutcomeOp.acceptQuote, OutcomeOp.acceptQuote, OutcomeOp.confirmQuote, OutcomeOp.declineQuote,
  OutcomeOp.submitQuote, OutcomeOp.signIn, OutcomeOp.signOut, OutcomeOp.openStream, OutcomeOp.openStream, OutcomeOp.openMarketStream,
  OutcomeOp.closeStream, OutcomeOp.applyStream, OutcomeOp.read, OutcomeOp.setFault, OutcomeOp.drain, OutcomeOp.resnapshot, OutcomeOp.revokeKey,
]
const HAPPENING: readonly ScriptRow[] = [
  ['rfqCreated', TAKER], ['quoteCreated', MAKER, TAKER], ['quoteCreated', MAKER, OTHER], ['operationUpdated', TAKER, MAKER], ['quoteDead', MAKER],
]

const command = fc.record({
  op: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...COMMON) }, fc.constantFrom(...OPS), fc.integer({ min: -5, max: 99 })),
  waitUs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: sec(3) }), fc.constantFrom(sec(1), sec(2))),
  happening: fc.array(fc.constantFrom(...HAPPENING), { maxLength: 3 }),
  dueInUs: fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, fc.constantFrom(0, 1, sec(1), sec(2))),
  account: or(fc.constantFrom(TAKER, TAKER, OTHER, MAKER, MAKER)),
  credential: or(fc.constantFrom(0, 0, 0, 0, 1, 2, 3)),
  origin: or(fc.constantFrom(0, 0, 0, 1)),
  key: or(fc.integer({ min: 1, max: 4 })),
  quote: or(fc.integer({ min: 0, max: 3 })),
  value: or(fc.oneof(fc.integer({ min: 0, max: 16 }), fc.constantFrom(1, 1, 2, 3, ...Object.values(GateFault)))),
  value2: or(fc.constantFrom(-1, 0, 0, 1, 2, 3, 3)),
  cursor: or(fc.oneof({ weight: 2, arbitrary: fc.constant(-1) }, fc.integer({ min: 0, max: 80 }))),
  version: fc.oneof({ weight: 20, arbitrary: fc.constant(1) }, weird),
  items: fc.array(fc.constantFrom(1, 2, 1_000), { maxLength: 2 }),
})
type Step = typeof command extends fc.Arbitrary<infer T> ? T : never

/** Flags that a market stream may have: it has no pace. */
const unpaced = (flags: number): number => (flags === 2 || flags === 3 ? flags - 2 : flags)

/** One step of a walk: commands with a key have little content, so that keys come back with the same; faults end as they begin. */
function step(d: GateDriver, { waitUs, op, account, happening, dueInUs, ...fields }: Step): void {
  const { key, value, value2, ...others } = fields
  const isConfirm = op === OutcomeOp.confirmQuote || op === OutcomeOp.declineQuote
  const isFault = op === OutcomeOp.setFault && value >= 20
  d.venue.next = happening
  d.at(d.now + waitUs).send(op, op === OutcomeOp.applyStream && account !== OTHER ? -1 : account, {
    ...others, value, [OpenMarketStream.flags]: isFault && value2 === 1 ? 0 : op === OutcomeOp.openMarketStream ? unpaced(value2) : value2, key: isConfirm && key !== 4 ? -1 : key,
    ...(needsKey(op) ? { value: -1, value2: -1, cursor: -1, items: [] } : {}),
  })
  d.venue.next = []
  if (dueInUs >= 0 && d.venue.dueUs === NEVER_US) d.plan(d.now + dueInUs, ...happening)
}

const started = (): GateDriver => {
  const d = new GateDriver(PROFILE)
  d.session(TAKER)
  d.issue(TAKER, 31)
  d.issue(MAKER, 95)
  d.stream(TAKER, { value2: 2, credential: 1, origin: 0 })
  d.stream(MAKER, { value: 3, value2: 3 })
  return d
}

/** Another gate that goes on where `d` stands; one whose columns an earlier use has widened must have the same hash. */
function forked(d: GateDriver): GateDriver {
  const wide = new GateDriver({ ...PROFILE, rfqLimit: 1e9, routeTotalLimit: 1e9 })
  for (let i = 0; i < 200; i++) wide.happen(['rfqCreated', OTHER]).send('createRfq', OTHER)
  for (let i = 0; i < 3; i++) wide.stream(OTHER)
  const other = new GateDriver(PROFILE)
  for (const to of [wide, other]) to.gate.restore(deserialize(serialize(d.gate.snapshot())) as Image)
  expect(wide.gate.stateHash()).toBe(d.gate.stateHash())
  other.now = d.now
  other.seq = d.seq
  other.lastKey = d.lastKey
  other.sequence.next = d.sequence.next
  return other
}

const viewsOf = (d: GateDriver): unknown => [
  [1, 2, 3, 4, 5].map((number) => [d.view.credential(number), d.view.stream(number)]), [TAKER, OTHER, MAKER].map((who) => [d.view.liveKeysOf(who), d.view.streamsOf(who)]),
  d.view.lastLimit(), d.view.rememberedCount(),
]

/** Image of the gate alone: what a venue knows of the time depends on its pulses. */
const gateOf = (d: GateDriver): Image => (d.gate.snapshot() as { gate: Image }).gate

describe('a gate', () => {
  it('INV-30 goes on alike after a restore, in the middle of sessions, repeats, windows and backlogs', () => {
    fc.assert(fc.property(fc.array(command, { minLength: 20, maxLength: 120 }), fc.nat(), (steps, at) => {
      const d = started()
      const cut = at % steps.length
      for (const each of steps.slice(0, cut)) step(d, each)
      const fork = forked(d)
      expect(fork.gate.stateHash()).toBe(d.gate.stateHash())
      expect(fork.gate.nextDeadlineUs()).toBe(d.gate.nextDeadlineUs())
      expect(viewsOf(fork)).toEqual(viewsOf(d))
      for (const each of steps.slice(cut)) {
        step(d, each)
        step(fork, each)
        expect(fork.rows).toEqual(d.rows)
      }
      expect(fork.gate.stateHash()).toBe(d.gate.stateHash())
      expect(viewsOf(fork)).toEqual(viewsOf(d))
    }), { numRuns: 60, endOnFailure: true })
  })

  it('INV-24 answers every command once, has one effect for a key while it is remembered, and never throws', () => {
    fc.assert(fc.property(fc.array(command, { minLength: 50, maxLength: 150 }), (steps) => {
      const d = started()
      const first = d.seq + 1
      const replies = new Map<number, number>()
      for (const each of steps) {
        const { effects } = d.venue
        step(d, each)
        for (const row of d.of('reply')) replies.set(row['cause'] as number, (replies.get(row['cause'] as number) ?? 0) + 1)
        const own = d.of('reply').find((row) => row['cause'] === d.seq)
        if (own?.list !== undefined) expect(d.venue.effects).toBe(effects)
      }
      d.plan(d.now + 1)
      d.pulse(d.now + 1)
      for (const row of d.of('reply')) replies.set(row['cause'] as number, (replies.get(row['cause'] as number) ?? 0) + 1)
      for (let seq = first; seq <= d.seq; seq++) expect([seq, replies.get(seq)]).toEqual([seq, 1])
      expect(d.venue.pending).toEqual([])
    }), { numRuns: 60, endOnFailure: true })
  })

  it('plays deadlines alike in many pulses and in one', () => {
    fc.assert(fc.property(fc.array(command, { minLength: 20, maxLength: 80 }), (steps) => {
      const [d, pulsed] = [started(), started()]
      const rows = { once: [] as GateRow[], often: [] as GateRow[] }
      for (const each of steps) {
        const before = d.now
        step(d, each)
        rows.once.push(...d.rows)
        // An operator's command comes before the deadlines of its own instant.
        const until = before + each.waitUs - (each.op < 20 ? 1 : 0)
        while (pulsed.gate.nextDeadlineUs() <= T0 + until) rows.often.push(...pulsed.pulse(pulsed.gate.nextDeadlineUs() - T0))
        pulsed.now = before
        step(pulsed, each)
        rows.often.push(...pulsed.rows)
      }
      expect(rows.often).toEqual(rows.once)
      expect(gateOf(pulsed)).toEqual(gateOf(d))
    }), { numRuns: 40, endOnFailure: true })
  })

  it('leaves the venue as it is without a gate when it lets everything pass', () => {
    const d = new GateDriver()
    const bare = new VenueDouble(new EventRows({ next: 1 }, 2))
    d.at(5).send('createRfq', TAKER)
    bare.apply(T0 + 5, d.command)
    d.pulse(sec(9))
    bare.pulse(T0 + sec(9))
    expect((d.gate.snapshot() as { venue: Image }).venue).toEqual(bare.snapshot())
  })

  it('a pulse to the end of time ends once no stream is open', () => {
    const d = new GateDriver()
    d.session(TAKER)
    d.issue(TAKER, 1, 90)
    d.send('createRfq', TAKER)
    d.gate.pulse(NEVER_US)
    expect(d.gate.nextDeadlineUs()).toBe(NEVER_US)
  })

  it('another command changes the hash', () => {
    const request = { validMs: 5, value: 1, value2: 1 }
    const changes: ((d: GateDriver) => unknown)[] = [
      () => {}, (d) => d.send('read', TAKER, { value: 6 }), (d) => d.send('signIn', TAKER, { origin: 0 }), (d) => d.send('signIn', TAKER, { origin: 1 }),
      (d) => d.send('challengeKey', TAKER, request), (d) => d.send('challengeKey', TAKER, { ...request, validMs: 6 }), (d) => d.issue(TAKER, 1),
      (d) => d.issue(TAKER, 2), (d) => d.stream(TAKER), (d) => d.stream(TAKER, { [OpenMarketStream.flags]: 1 }), (d) => d.send('openMarketStream', TAKER, { items: [1] }),
      (d) => d.happen(['rfqCreated', TAKER]), (d) => d.happen(['quoteCreated', MAKER, TAKER]), (d) => d.send('drain', -1, { [Drain.isDraining]: 1 }),
      (d) => d.send('setFault', -1, { [SetFault.fault]: 20, [SetFault.isOn]: 1 }), (d) => d.send('setFault', -1, { [SetFault.fault]: 21, [SetFault.isOn]: 1 }), (d) => d.send('listOutcome', -1),
      (d) => d.send('createRfq', TAKER), (d) => d.send('createRfq', TAKER, { stakeMicros: 1 }), (d) => d.send('acceptQuote', TAKER, { quote: 1, key: 1 }),
      (d) => [1, 2].map(() => d.send('acceptQuote', TAKER, { quote: 1, key: 1 })), (d) => d.send('applyStream', -1, { [ApplyStream.stream]: 1, cursor: 1 }),
    ]
    const hashes = changes.map((change) => {
      const d = started()
      d.happen(['quoteCreated', MAKER, TAKER])
      change(d)
      return d.gate.stateHash()
    })
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('the walk meets what the gate can answer', () => {
    const met = new Set<unknown>()
    for (const steps of fc.sample(fc.array(command, { minLength: 150, maxLength: 150 }), { numRuns: 80, seed: 7 })) {
      const d = started()
      for (const each of steps) {
        step(d, each)
        for (const row of d.rows) met.add(row.list === undefined ? `${row.event} ${row.code ?? row['reason'] ?? row['start'] ?? ''}`.trim() : 'replayed')
      }
    }
    const wanted = [
      'replayed', 'reply rateLimited', 'reply idempotencyKeyReused', 'reply unauthenticated', 'reply originRequired', 'reply forbidden', 'reply cursorReset',
      'reply connectionLimit', 'reply subscriptionDenied', 'reply cursorExpired', 'reply invalidCursor', 'streamClosed slowConsumer',
      'streamClosed authorizationRevoked', 'streamClosed resnapshotRequired', 'streamClosed connectionDrain', 'streamHeartbeat', 'streamOpened 0',
      'streamOpened 1', 'sessionEnded 0', 'sessionEnded 1', 'sessionEnded 2', 'keyRevoked', 'faultChanged', 'reply timedOut', 'reply declined',
    ]
    expect(wanted.filter((each) => !met.has(each))).toEqual([])
  })
})
