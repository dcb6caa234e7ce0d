import { describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../../src/venue/parlay/protocol/access.ts'
import { GateDriver, oneDelivery, sec, usd } from './gateDriver.ts'
import { AnswerDelivery, Redeliver, RevokeKey, RotateSecret } from '../../../src/venue/parlay/protocol/commands.ts'

const HOUR = sec(3600)
const DAY = 24 * HOUR

/** Delivery 1 with its first attempt under way at time 0. */
function attempted(overrides = {}): GateDriver {
  const d = oneDelivery(overrides)
  d.pulse(0)
  return d
}

/** Attempts as [time, number] while the endpoint answers `status` at once, until nothing is left to happen before `until`. */
function attemptsOf(d: GateDriver, status: number, until: number): [at: number, attempt: number][] {
  const attempts: [number, number][] = []
  for (;;) {
    const next = d.gate.nextDeadlineUs() - 1_750_000_000_000_000
    if (next > until) return attempts
    d.pulse(next)
    for (const row of d.of('deliveryAttempted')) attempts.push([row.at, row['attempt'] as number])
    for (const [, attempt] of attempts.slice(-1)) d.answer(1, attempt, status)
  }
}

describe('an attempt', () => {
  it('starts when the delivery is queued and has ten seconds to be answered', () => {
    const d = oneDelivery()
    expect(d.status(1)).toBe('pending')
    expect(d.view.deliveriesOf(10, 0)).toEqual([
      { number: 1, account: 10, owner: 0, event: 5, status: 0, attempts: 0, response: null, createdAtUs: 1_750_000_000_000_000 },
    ])
    expect(d.pulse(0)).toEqual([
      { event: 'deliveryAttempted', at: 0, account: 10, ownerKind: 0, delivery: 1, webhookEvent: 5, attempt: 1, secretGeneration: 1, timeoutAtUs: sec(10) },
    ])
    expect(d.view.deliveriesOf(10, 0)[0]).toMatchObject({ status: 0, attempts: 1, response: null })
  })

  const ANSWERS: readonly [rule: string, answers: readonly number[], status: string][] = [
    ['PQ-126 PQ-102', [200, 201, 204, 299], 'delivered'],
    ['PQ-127 PQ-102', [500, 502, 503, 599], 'failed'],
    ['PQ-128', [408, 429], 'failed'],
    ['PQ-129', [0], 'failed'],
    ['PQ-130 PQ-102', [400, 401, 404, 407, 409, 410, 428, 430, 499], 'dead_letter'],
    ['PQ-330', [100, 103, 199, 300, 301, 308, 399], 'failed'],
    ['PQ-330 at the ends of the classes', [100, 399, 500, 599], 'failed'],
  ]
  it.each(ANSWERS)('%s answered %j it is %s', (_, answers, status) => {
    for (const answer of answers) {
      const d = attempted().at(sec(1))
      expect(d.answer(1, 1, answer)).toBe('ok')
      expect([answer, d.status(1)]).toEqual([answer, status])
      const number = ['pending', 'delivered', 'failed', 'dead_letter'].indexOf(status)
      expect(d.rows).toEqual([
        { event: 'deliveryChanged', at: sec(1), cause: 4, account: 10, status: number, delivery: 1, webhookEvent: 5, attempts: 1, response: answer,
          ...(status === 'failed' ? { nextAttemptAtUs: sec(31) } : {}) },
        { event: 'reply', at: sec(1), cause: 4, op: 'answerDelivery', code: 'ok' },
      ])
      expect(d.view.deliveriesOf(10, 0)[0]!.response).toBe(answer)
    }
  })

  it('PQ-126 a failed delivery is delivered by a later attempt', () => {
    const d = attempted()
    d.answer(1, 1, 503)
    d.pulse(sec(30))
    expect(d.status(1)).toBe('failed')
    expect(d.answer(1, 2, 204)).toBe('ok')
    expect(d.status(1)).toBe('delivered')
  })

  it('PQ-328 PQ-129 it is answered in time one microsecond before its timeout', () => {
    const d = attempted().at(sec(10) - 1)
    expect(d.answer(1, 1, 200)).toBe('ok')
    expect(d.names()).toEqual(['deliveryChanged', 'reply ok'])
    expect(d.status(1)).toBe('delivered')
    expect(d.pulse(sec(60))).toEqual([])
  })

  it('PQ-328 PQ-129 an answer at the timeout is late', () => {
    const d = attempted().at(sec(10))
    expect(d.answer(1, 1, 200)).toBe('conflict')
    expect(d.rows[0]).toMatchObject({ event: 'deliveryChanged', at: sec(10), status: 2, attempts: 1, nextAttemptAtUs: sec(40) })
    expect(d.view.deliveriesOf(10, 0)[0]).toMatchObject({ status: 2, response: -1 })
  })

  it('stale answers change nothing', () => {
    const d = oneDelivery()
    expect(d.answer(1, 2, 200)).toBe('conflict')
    expect([d.answer(1, 0, 200), d.answer(1, 2, 200), d.answer(2, 1, 200), d.answer(0, 1, 200)])
      .toEqual(['conflict', 'conflict', 'notFound', 'notFound'])
    d.answer(1, 1, 500)
    expect(d.answer(1, 1, 200)).toBe('conflict')
    d.pulse(sec(30))
    expect(d.answer(1, 1, 200)).toBe('conflict')
    expect(d.answer(1, 2, 200)).toBe('ok')
    expect(d.answer(1, 2, 500)).toBe('conflict')
    expect(d.status(1)).toBe('delivered')
  })

  it.each([[1.5, 1, 200], [1, NaN, 200], [1, 1, Infinity], [NaN, 1, 200], [1, 1, -1], [1, 1, -2], [1, 1, 1], [1, 1, 99], [1, 1, 600], [1, 1, 200.5]])('an answer %d, %d, %d is no answer', (delivery, attempt, status) => {
    expect(attempted().answer(delivery, attempt, status)).toBe('invalid')
  })

  it('PQ-129 an answer of −0 is that of 0, in the row, the view and the image', () => {
    const [zero, minusZero] = [0, -0].map((status) => {
      const d = attempted()
      expect(d.answer(1, 1, status)).toBe('ok')
      return d
    }) as [GateDriver, GateDriver]
    expect(minusZero.rows).toStrictEqual(zero.rows)
    expect(minusZero.view.deliveriesOf(10, 0)).toStrictEqual(zero.view.deliveriesOf(10, 0))
    expect(minusZero.gate.stateHash()).toBe(zero.gate.stateHash())
  })

  it('only the world answers, whatever the credential', () => {
    const d = attempted()
    expect([0, 10, -2].map((account) => d.code('answerDelivery', account, { [AnswerDelivery.delivery]: 1, version: 1, [AnswerDelivery.status]: 200 }))).toEqual(Array(3).fill('forbidden'))
    expect(d.status(1)).toBe('pending')
  })
})

describe('retries', () => {
  // Waits by hand: 30 s, 60 s, 2, 4, 8, 16, 32 min, then an hour instead of 64 min and of 128 min.
  const SECONDS = [0, 30, 90, 210, 450, 930, 1890, 3810, 7410, 11010]

  it('PQ-329 PQ-127 come after a wait that doubles up to an hour, ten attempts in all', () => {
    const d = oneDelivery()
    expect(attemptsOf(d, 500, 12 * HOUR)).toEqual(SECONDS.map((at, i) => [sec(at), i + 1]))
    expect(d.status(1)).toBe('dead_letter')
  })

  it('PQ-329 PQ-131 an endpoint that is down for hours times each attempt out, until the budget is used up', () => {
    const d = oneDelivery()
    d.pulse(12 * HOUR)
    // Ten seconds of timeout come before each wait.
    expect(d.of('deliveryAttempted').map((row) => row.at)).toEqual(SECONDS.map((at, i) => sec(at + 10 * i)))
    const changes = d.of('deliveryChanged')
    expect(changes.map((row) => row['status'])).toEqual([...Array(9).fill(2), 3])
    expect(changes.at(-1)).toMatchObject({ at: sec(11010 + 100), attempts: 10 })
    expect(changes.at(-1)).not.toHaveProperty('nextAttemptAtUs')
    expect(d.view.deliveriesOf(10, 0)[0]).toMatchObject({ status: 3, attempts: 10, response: -1 })
  })

  it('PQ-131 the budget of one attempt leaves none', () => {
    const d = attempted({ deliveryAttemptsMax: 1 })
    d.answer(1, 1, 500)
    expect(d.status(1)).toBe('dead_letter')
  })

  it('PQ-329 a wait is never longer than the longest, from the first on', () => {
    const d = oneDelivery({ deliveryBackoffMs: 5_000, deliveryBackoffMaxMs: 4_000, deliveryAttemptsMax: 1_000 })
    const attempts = attemptsOf(d, 500, DAY)
    expect(attempts).toHaveLength(1000)
    expect(attempts.at(-1)).toEqual([sec(999 * 4), 1000])
  })

  it('PQ-323 the same event arrives again when the answer to it was lost', () => {
    const d = attempted()
    d.pulse(sec(40))
    expect(d.of('deliveryAttempted').map((row) => [row['delivery'], row['attempt']])).toEqual([[1, 2]])
  })

  it('PQ-324 a later event can be delivered before an earlier one', () => {
    const d = attempted()
    d.answer(1, 1, 500)
    d.send('deposit', 10, { amountMicros: usd(1) })
    d.pulse(0)
    d.answer(2, 1, 200)
    d.pulse(sec(30))
    d.answer(1, 2, 200)
    expect([d.status(2), d.status(1)]).toEqual(['delivered', 'delivered'])
  })

  it('PQ-326 a rotation between two attempts shows in the next', () => {
    const d = attempted()
    d.answer(1, 1, 500)
    d.at(sec(30) - 1).send('rotateSecret', 10, { [RotateSecret.ownerKind]: 0 })
    expect(d.pulse(sec(30))).toMatchObject([{ event: 'deliveryAttempted', attempt: 2, secretGeneration: 2 }])
  })

  it('INV-27 an ended delivery gets no attempt without a redelivery', () => {
    for (const status of [200, 404]) {
      const d = attempted()
      d.answer(1, 1, status)
      expect(d.pulse(DAY - 1)).toEqual([])
    }
  })
})

describe('redelivery', () => {
  const REQUEUES: readonly [rule: string, status: number, was: string][] = [['PQ-132 PQ-134 INV-27', 200, 'delivered'], ['PQ-133 PQ-134', 404, 'dead_letter']]
  it.each(REQUEUES)('%s after a %i, %s, sends the same delivery again', (_, status, was) => {
    const d = attempted()
    d.answer(1, 1, status)
    expect(d.status(1)).toBe(was)
    expect(d.at(sec(5)).code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('ok')
    expect(d.rows[0]).toEqual({
      event: 'deliveryRequeued', at: sec(5), cause: 5, account: 10, status: 0, delivery: 1, webhookEvent: 5, attempts: 1, response: status,
      nextAttemptAtUs: sec(5),
    })
    expect(d.status(1)).toBe('pending')
    expect(d.pulse(sec(5))).toMatchObject([{ event: 'deliveryAttempted', delivery: 1, webhookEvent: 5, attempt: 2 }])
    d.answer(1, 2, 200)
    expect(d.view.deliveriesOf(10, 0)).toHaveLength(1)
  })

  it('PQ-135 a delivery that is pending, under way or between retries is refused', () => {
    const d = oneDelivery()
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('deliveryPending')
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('deliveryPending')
    d.answer(1, 1, 500)
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('deliveryPending')
    expect(d.rows).toHaveLength(1)
    d.pulse(sec(30))
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('deliveryPending')
    expect(d.at(sec(30)).answer(1, 2, 200)).toBe('ok')
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('ok')
  })

  it.each([[-1, 'ok'], [0, 'ok'], [1, 'notFound'], [2, 'invalid'], [-2, 'invalid'], [0.5, 'invalid'], [NaN, 'invalid']])(
    "PQ-242 of a user's delivery, asked for as owner kind %d, is %s", (value2, code) => {
      const d = attempted()
      d.answer(1, 1, 404)
      expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1, value2 })).toBe(code)
    })

  it.each([[2, 'notFound'], [0, 'notFound'], [1.5, 'invalid'], [NaN, 'invalid']])('of number %d is %s', (value, code) => {
    expect(oneDelivery().code('redeliver', 10, { value })).toBe(code)
  })

  it("of another account's delivery is notFound", () => {
    const d = attempted()
    d.answer(1, 1, 200)
    expect(d.code('redeliver', 11, { [Redeliver.delivery]: 1 })).toBe('notFound')
  })

  it('PQ-329 PQ-132 has a fresh budget and its first waits again, while attempts count on', () => {
    const d = attempted({ deliveryAttemptsMax: 2 })
    d.answer(1, 1, 200)
    d.send('redeliver', 10, { [Redeliver.delivery]: 1 })
    d.pulse(0)
    d.answer(1, 2, 500)
    expect(d.rows[0]).toMatchObject({ status: 2, attempts: 2, nextAttemptAtUs: sec(30) })
    d.pulse(sec(30))
    d.answer(1, 3, 500)
    expect(d.rows[0]).toMatchObject({ status: 3, attempts: 3 })
  })

  it('PQ-286 to a revoked key ends without an attempt', () => {
    const d = new GateDriver()
    const key = d.key(10, ALL_SCOPES)
    d.endpoint(10, 0, 127, key).send('deposit', 10, { amountMicros: usd(1) })
    d.pulse(0)
    d.answer(1, 1, 200)
    d.send('revokeKey', 10, { [RevokeKey.keyNumber]: key })
    d.send('redeliver', 10, { [Redeliver.delivery]: 1 })
    expect(d.pulse(0)).toMatchObject([{ event: 'deliveryChanged', status: 3, attempts: 1, response: -2 }])
  })
})

describe('the list', () => {
  it('PQ-103 shows the newest delivery first, by account and owner kind', () => {
    const d = new GateDriver().endpoint(10, 0, 127).endpoint(11, 0, 127)
    for (const account of [10, 11, 10, 10]) d.send('deposit', account, { amountMicros: usd(1) })
    expect(d.view.deliveriesOf(10, 0).map(({ number }) => number)).toEqual([4, 3, 1])
    expect(d.view.deliveriesOf(11, 0).map(({ number }) => number)).toEqual([2])
    expect(d.view.deliveriesOf(10, 1)).toEqual([])
  })

  it('an ended delivery is known for a day after its end', () => {
    const d = attempted().at(sec(5))
    d.answer(1, 1, 404)
    d.pulse(sec(5) + DAY - 1)
    expect(d.view.deliveriesOf(10, 0)).toHaveLength(1)
    d.pulse(sec(5) + DAY)
    expect(d.view.deliveriesOf(10, 0)).toEqual([])
    expect(d.code('redeliver', 10, { [Redeliver.delivery]: 1 })).toBe('notFound')
    expect(d.answer(1, 1, 200)).toBe('notFound')
  })

  it('a redelivery puts the end off', () => {
    const d = attempted()
    d.answer(1, 1, 200)
    d.at(DAY - 1).send('redeliver', 10, { [Redeliver.delivery]: 1 })
    d.pulse(DAY)
    d.answer(1, 2, 200)
    expect(d.status(1)).toBe('delivered')
    d.pulse(2 * DAY - 1)
    expect(d.status(1)).toBe('delivered')
    d.pulse(2 * DAY)
    expect(d.status(1)).toBeUndefined()
  })

  it('a delivery that ended again is known a day from then, not from its first end', () => {
    const d = attempted()
    d.answer(1, 1, 200)
    d.at(HOUR).send('redeliver', 10, { [Redeliver.delivery]: 1 })
    d.pulse(HOUR)
    d.answer(1, 2, 200)
    d.pulse(DAY + HOUR - 1)
    expect(d.status(1)).toBe('delivered')
    d.pulse(DAY + HOUR)
    expect(d.status(1)).toBeUndefined()
  })

  it('a new delivery shows nothing of the one whose memory it takes', () => {
    const d = attempted({ deliveryRetentionMs: 0 })
    d.answer(1, 1, 404)
    d.at(sec(1)).send('deposit', 10, { amountMicros: usd(1) })
    expect(d.view.deliveriesOf(10, 0)).toEqual([
      { number: 2, account: 10, owner: 0, event: 5, status: 0, attempts: 0, response: null, createdAtUs: 1_750_000_001_000_000 },
    ])
  })

  it('PQ-102 counts numbers on when it reuses the memory of ended deliveries', () => {
    const d = new GateDriver({ deliveryRetentionMs: 1_000, depositLimit: 1e9, authenticatedLimit: 1e9 }).endpoint(10, 0, 127)
    const bytes = (): number => JSON.stringify(d.gate.snapshot()).length
    let early = 0
    for (let i = 1; i <= 5_000; i++) {
      d.at(sec(i)).send('deposit', 10, { amountMicros: usd(1) })
      d.pulse(sec(i))
      expect(d.answer(i, 1, i % 2 === 0 ? 200 : 404)).toBe('ok')
      if (i === 100) early = bytes()
    }
    expect(d.view.deliveriesOf(10, 0)).toEqual([
      { number: 5000, account: 10, owner: 0, event: 5, status: 1, attempts: 1, response: 200, createdAtUs: 1_750_005_000_000_000 },
    ])
    expect(bytes()).toBeLessThan(early * 1.5)
  })

  it('a delivery kept for no time is gone at the next pulse', () => {
    const d = attempted({ deliveryRetentionMs: 0 })
    d.answer(1, 1, 200)
    d.pulse(0)
    expect(d.view.deliveriesOf(10, 0)).toEqual([])
  })
})
