import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ScopeBit } from '../../../src/venue/parlay/protocol/access.ts'
import { PARLAY_CODES } from '../../../src/venue/parlay/protocol/codes.ts'
import { CreateKey, ParlayOp, Read, SetEndpoint } from '../../../src/venue/parlay/protocol/commands.ts'
import { PARLAY_EVENT_NAMES, ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { PARLAY_GATE_SETTINGS } from '../../../src/venue/parlay/protocol/gate.ts'
import { DELIVERY_STATUS_NAMES } from '../../../src/venue/parlay/protocol/webhooks.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { isOfKind, rowsOfKind } from '../../model/parlay/namedRows.ts'
import { commandOf, type GateCommand } from '../../model/parlayGate/command.ts'
import { missing, newCoverage, table } from '../../model/parlayGate/coverage.ts'
import { duel, duelOf, type Script } from '../../model/parlayGate/duel.ts'
import { gateProfile, intent } from '../../model/parlayGate/intents.ts'

/** Shrinking stops then, so that a failure is told before the test runs out of time. A duel that is cut off by it has failed too. */
const LONGEST_MS = 600_000
/** Enough runs from a fixed seed to reach everything that `missing` asks for; further ones start where chance says. */
const SEED = 20_250_619
const RUNS = 195
const RANDOM_RUNS = 30
const LEAST_ACCEPTED = 0.2
const LEAST_COMMANDS = 30_000

const run = fc.tuple(gateProfile, fc.array(intent, { minLength: 1, maxLength: 260, size: 'max' }))

describe('the gate against the reference model', () => {
  const coverage = newCoverage()

  beforeAll(() => {
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, coverage)), {
      numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true,
    })
    console.log(`seed ${SEED}\n${table(coverage)}`)
  })

  it('agrees on every row, reply and read on the way through every transition, class of answer, limit and code', () => {
    expect(missing(coverage, LEAST_ACCEPTED)).toEqual([])
    expect(coverage.commands).toBeGreaterThanOrEqual(LEAST_COMMANDS)
  })

  it('agrees wherever chance leads', () => {
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, newCoverage())), {
      numRuns: RANDOM_RUNS, interruptAfterTimeLimit: LONGEST_MS, markInterruptAsFailure: true,
    })
  })

  it.runIf(process.env['PARLOR_SOAK'])('agrees over as many fixed runs as PARLOR_SOAK says', () => {
    const soaked = newCoverage()
    fc.assert(fc.property(run, ([settings, intents]) => duel(settings, intents, soaked)), {
      numRuns: Number(process.env['PARLOR_SOAK']), seed: SEED + 1,
    })
    console.log(`seed ${SEED + 1}\n${table(soaked)}`)
  }, 3_600_000)
})

/** The prelude leaves accounts 0 and 1 with an endpoint of every event on their JWT, and nothing to deliver. */
describe('corners where the order decides', () => {
  const SECOND = 1_000_000
  const START_US = 1_750_000_010_000_000
  const deposit = (account: number): GateCommand => commandOf(ParlayOp.deposit, account, { amountMicros: 1_000_000 })
  const answer = (value: number, version: number, value2: number): GateCommand =>
    commandOf(ParlayOp.answerDelivery, -1, { value, version, value2 })
  const redeliver = (account: number, value: number): GateCommand => commandOf(ParlayOp.redeliver, account, { value })

  /** Rows of each step as `name number`, the status of a delivery and the code of a reply in place of the number. */
  const play = (overrides: Partial<Record<keyof typeof PARLAY_GATE_SETTINGS, number>>, script: Script): string[][] => {
    const steps = duelOf(profileOf(PARLAY_GATE_SETTINGS, overrides), script, newCoverage())
    return steps.map((rows) => rows.map((row) => {
      const name = PARLAY_EVENT_NAMES[row.kind]!
      if (isOfKind(row, ParlayEvent.reply)) return `${name} ${PARLAY_CODES[row.code]!.name}`
      if (isOfKind(row, ParlayEvent.keyExpired)) return `${name} ${row.credential}`
      if (isOfKind(row, ParlayEvent.deliveryChanged)) return `${name} ${row.delivery} ${DELIVERY_STATUS_NAMES[row.status as 0]} ${row.response}`
      const [told] = rowsOfKind([row], ParlayEvent.deliveryQueued, ParlayEvent.deliveryAttempted, ParlayEvent.deliveryRequeued)
      return told === undefined ? name : `${name} ${told.delivery}`
    }))
  }

  it('PQ-106 PQ-286 expires a key before the attempt of the same instant, which it no longer allows', () => {
    // Failed at 0.5 s, the next attempt 0.5 s later, when the key ends.
    const key = commandOf(ParlayOp.createKey, 0, { [CreateKey.scopes]: ScopeBit.accountWrite | ScopeBit.balancesRead, closeUs: START_US + SECOND })
    const endpoint = commandOf(ParlayOp.setEndpoint, 0, { [SetEndpoint.ownerKind]: 0, [SetEndpoint.events]: 127, credential: 1 })
    const steps = play({ deliveryBackoffMs: 500 }, [
      [0, key], [0, endpoint], [0, deposit(0)], [SECOND / 2, null], [SECOND / 2, answer(1, 1, 500)], [SECOND - 1, null], [SECOND, null],
    ])
    expect(steps.slice(3)).toEqual([
      ['deliveryAttempted 1'], ['deliveryChanged 1 failed 500', 'reply ok'], [], ['keyExpired 1', 'deliveryChanged 1 dead_letter -2'],
    ])
  })

  it('PQ-328 takes an answer one microsecond before the timeout, not at it', () => {
    const at = (afterUs: number) =>
      play({ deliveryTimeoutMs: 1_000 }, [[0, deposit(0)], [0, null], [afterUs, answer(1, 1, 204)]])[2]
    expect(at(SECOND - 1)).toEqual(['deliveryChanged 1 delivered 204', 'reply ok'])
    expect(at(SECOND)).toEqual(['deliveryChanged 1 failed -1', 'reply conflict'])
  })

  it('PQ-329 waits 1, 2, 3 and 3 s, and gives up at the fifth failure', () => {
    const backoff = { deliveryTimeoutMs: 1, deliveryAttemptsMax: 5, deliveryBackoffMs: 1_000, deliveryBackoffMaxMs: 3_000 }
    const rows = duelOf(profileOf(PARLAY_GATE_SETTINGS, backoff), [[0, deposit(0)], [60 * SECOND, null]], newCoverage())[1]!
    const attempts = rows.filter((row) => row.kind === ParlayEvent.deliveryAttempted).map((row) => row.atUs - START_US)
    expect(attempts).toEqual([0, 1_001_000, 3_002_000, 6_003_000, 9_004_000])
    expect(rows.at(-1)).toMatchObject({ atUs: START_US + 9_005_000, delivery: 1, attempts: 5, response: -1, nextAttemptAtUs: -1 })
  })

  it('PQ-134 PQ-135 counts the attempts on after a redelivery, so that an answer to a former one is stale', () => {
    const steps = play({ deliveryAttemptsMax: 1, deliveryTimeoutMs: 1_000 }, [
      [0, deposit(0)], [0, null], [0, redeliver(0, 1)], [SECOND, null], [SECOND, redeliver(0, 1)], [SECOND, redeliver(0, 1)],
      [SECOND, answer(1, 1, 200)], [SECOND, answer(1, 2, 200)],
    ])
    expect(steps.slice(2)).toEqual([
      ['reply deliveryPending'], ['deliveryChanged 1 dead_letter -1'], ['deliveryRequeued 1', 'reply ok'],
      ['deliveryAttempted 1', 'reply deliveryPending'], ['reply conflict'], ['deliveryChanged 1 delivered 200', 'reply ok'],
    ])
  })

  it('keeps a requeued delivery past the eviction of its first end', () => {
    const steps = play({ deliveryRetentionMs: 2_000 }, [
      [0, deposit(0)], [0, answer(1, 1, 200)], [2 * SECOND - 1, redeliver(0, 1)], [3 * SECOND, answer(1, 2, 410)],
      [5 * SECOND - 1, redeliver(1, 1)], [5 * SECOND - 1, redeliver(0, 1)], [5 * SECOND, answer(1, 3, 200)], [7 * SECOND, redeliver(0, 1)],
    ])
    expect(steps.map((rows) => rows.at(-1))).toEqual([
      'deliveryQueued 1', 'reply ok', 'reply ok', 'reply ok', 'reply notFound', 'reply ok', 'reply ok', 'reply notFound',
    ])
  })

  it('PQ-440 PQ-442 counts a deposit over its cap in the bucket, and begins the next window with the next call', () => {
    const rows = duelOf(profileOf(PARLAY_GATE_SETTINGS, { limitWindowMs: 1_000, authenticatedLimit: 6, depositLimit: 2 }), [
      [0, deposit(0)], [1, deposit(0)], [400_001, deposit(0)], [SECOND - 1, commandOf(ParlayOp.read, 0, { [Read.route]: 9 })],
      [SECOND - 1, deposit(0)], [SECOND - 1, deposit(0)], [SECOND - 1, deposit(0)], [SECOND, deposit(0)],
    ], newCoverage()).map((step) => rowsOfKind(step, ParlayEvent.reply)[0]!)
    expect(rows.map((row) => PARLAY_CODES[row.code]!.name)).toEqual([
      'ok', 'ok', 'rateLimited', 'ok', 'rateLimited', 'rateLimited', 'rateLimited', 'ok',
    ])
    // 0.599999 s are left of the cap's window, a microsecond of the bucket's.
    expect(rows[2]).toMatchObject({ limit: 2, retryAfterS: 1, resetAtUs: START_US + SECOND })
    expect(rows[6]).toMatchObject({ limit: 6, retryAfterS: 1, resetAtUs: START_US + SECOND })
  })
})
