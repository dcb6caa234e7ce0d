import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventQueue } from '../../src/kernel/eventQueue.ts'
import { TimingWheel } from '../../src/kernel/timingWheel.ts'
import { Bug } from '../../src/unit/assert.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { drawsOf, oneOf } from '../draws.ts'
import { HeapQueue } from './heapQueue.ts'

const queues: [string, (capacity?: number) => EventQueue][] = [
  ['TimingWheel', (capacity) => new TimingWheel(capacity)],
  ['HeapQueue', (capacity) => new HeapQueue(capacity)],
]

/** 2025-06-19T00:00:00Z. */
const EPOCH_US = 1_750_291_200_000_000

function drain(queue: EventQueue): [number, number][] {
  const popped: [number, number][] = []
  while (queue.size > 0) {
    const payload = queue.pop()
    popped.push([queue.poppedUs, payload])
  }
  return popped
}

/** The obvious queue: a list kept in order, a later push behind its equals. */
class SortedList {
  readonly rows: [number, number][] = []

  push(atUs: number, payload: number): void {
    let i = this.rows.length
    while (i > 0 && this.rows[i - 1]![0] > atUs) i--
    this.rows.splice(i, 0, [atUs, payload])
  }

  get nextUs(): number {
    return this.rows.length === 0 ? NEVER_US : this.rows[0]![0]
  }
}

/** Delays of every size: ties, milliseconds, past 2³⁰ µs, past 2³¹ µs, past 2³² µs, past 2⁴⁰ µs. */
const delayUs = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 400_000 }),
  fc.integer({ min: -2, max: 2 }).map((us) => 2 ** 30 + us),
  fc.integer({ min: 2 ** 31 - 4, max: 2 ** 31 - 1 }).map((us) => us + 2),
  fc.integer({ min: -2, max: 2 }).map((us) => 2 ** 32 + us),
  fc.integer({ min: -2, max: 2 }).map((us) => 2 ** 40 + us),
  fc.nat({ max: 255 }).map((digit) => digit * 2 ** 20),
)

describe.each(queues)('%s', (_name, make) => {
  it('pops by time, and in order of arrival among equal times', () => {
    const queue = make()
    queue.push(EPOCH_US + 5, 1)
    queue.push(EPOCH_US + 3, 2)
    queue.push(EPOCH_US + 5, 3)
    queue.push(EPOCH_US + 3, 4)
    queue.push(EPOCH_US + 4, 5)
    expect(drain(queue)).toEqual([
      [EPOCH_US + 3, 2], [EPOCH_US + 3, 4], [EPOCH_US + 4, 5], [EPOCH_US + 5, 1], [EPOCH_US + 5, 3],
    ])
  })

  it('keeps ties in order when one of them was pushed from afar', () => {
    const queue = make()
    queue.push(1_000_000, 1)
    queue.push(999_990, 2)
    queue.push(1_000_000, 3)
    expect(queue.pop()).toBe(2)
    queue.push(1_000_000, 4)
    expect(drain(queue)).toEqual([[1_000_000, 1], [1_000_000, 3], [1_000_000, 4]])
  })

  it('is empty at first: no instant, and a pop is a bug', () => {
    const queue = make()
    expect([queue.size, queue.nextUs(), queue.poppedUs]).toEqual([0, NEVER_US, 0])
    expect(() => queue.pop()).toThrow(Bug)
  })

  it('takes an event at the time popped last, behind the ones that wait there', () => {
    const queue = make()
    queue.push(EPOCH_US, 1)
    queue.push(EPOCH_US, 2)
    expect(queue.pop()).toBe(1)
    queue.push(EPOCH_US, 3)
    expect(drain(queue)).toEqual([[EPOCH_US, 2], [EPOCH_US, 3]])
  })

  it('refuses the past, the never, the fraction and the not-a-number', () => {
    const queue = make()
    queue.push(EPOCH_US, 1)
    queue.pop()
    expect(() => queue.push(EPOCH_US - 1, 2)).toThrow(Bug)
    expect(() => queue.push(NEVER_US, 2)).toThrow(Bug)
    expect(() => queue.push(EPOCH_US + 0.5, 2)).toThrow(Bug)
    expect(() => queue.push(NaN, 2)).toThrow(Bug)
    expect(() => queue.push(Infinity, 2)).toThrow(Bug)
    expect(queue.size).toBe(0)
    queue.push(NEVER_US - 1, 3)
    expect(drain(queue)).toEqual([[NEVER_US - 1, 3]])
  })

  it.each([2 ** 10, 2 ** 16, 2 ** 20, 2 ** 30, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 50, 2 ** 52])('orders times around %d µs', (edge) => {
    const queue = make()
    const times = [edge + 1, edge, edge - 1, edge + 256, edge - 256, edge]
    times.forEach((atUs, payload) => queue.push(atUs, payload))
    expect(drain(queue)).toEqual([[edge - 256, 4], [edge - 1, 2], [edge, 1], [edge, 5], [edge + 1, 0], [edge + 256, 3]])
  })

  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 + 1, 2 ** 40 + 1])('holds a delay of %d µs against a short one', (delay) => {
    const queue = make()
    queue.push(EPOCH_US, 0)
    queue.pop()
    queue.push(EPOCH_US + delay, 1)
    queue.push(EPOCH_US + 20_000, 2)
    expect(drain(queue)).toEqual([[EPOCH_US + 20_000, 2], [EPOCH_US + delay, 1]])
  })

  it('takes an earlier event after a look at the next one', () => {
    const queue = make()
    queue.push(EPOCH_US, 0)
    queue.pop()
    queue.push(EPOCH_US + 3_600_000_000, 1)
    queue.push(EPOCH_US + 3_600_000_000, 2)
    queue.push(EPOCH_US + 3_600_000_001, 3)
    expect(queue.nextUs()).toBe(EPOCH_US + 3_600_000_000)
    queue.push(EPOCH_US + 1, 4)
    expect(queue.nextUs()).toBe(EPOCH_US + 1)
    queue.push(EPOCH_US, 5)
    expect(queue.nextUs()).toBe(EPOCH_US)
    expect(drain(queue).map(([, payload]) => payload)).toEqual([5, 4, 1, 2, 3])
  })

  it('grows beyond its first capacity and carries every int32', () => {
    const queue = make(1)
    const payloads = [2 ** 31 - 1, -(2 ** 31), -1, 0, 1]
    for (let i = 0; i < 5000; i++) queue.push(EPOCH_US + (i % 7) * 1_000_000, payloads[i % 5]!)
    expect(queue.size).toBe(5000)
    const expected: [number, number][] = []
    for (let second = 0; second < 7; second++) {
      for (let i = second; i < 5000; i += 7) expected.push([EPOCH_US + second * 1_000_000, payloads[i % 5]!])
    }
    expect(drain(queue)).toEqual(expected)
  })

  it('agrees with a sorted list under any interleaving', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: delayUs.map((us) => ({ kind: 'push' as const, us })) },
      { weight: 2, arbitrary: fc.constant({ kind: 'pop' as const, us: 0 }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'copy' as const, us: 0 }) },
    )
    fc.assert(
      fc.property(fc.constantFrom(0, EPOCH_US), fc.array(step, { maxLength: 200 }), (originUs, steps) => {
        let queue = make(1)
        const model = new SortedList()
        let nowUs: number = originUs
        let payload = 0
        for (const { kind, us } of steps) {
          if (kind === 'push') {
            queue.push(nowUs + us, payload)
            model.push(nowUs + us, payload++)
          } else if (kind === 'copy') {
            const copy = make()
            copy.restore(queue.snapshot())
            queue = copy
          } else if (model.rows.length > 0) {
            const [atUs, first] = model.rows.shift()!
            expect(queue.pop()).toBe(first)
            expect(queue.poppedUs).toBe(atUs)
            nowUs = atUs
          }
          expect(queue.size).toBe(model.rows.length)
          expect(queue.nextUs()).toBe(model.nextUs)
        }
        expect(drain(queue)).toEqual(model.rows)
      }),
    )
  })

  it('goes on from a snapshot as if nothing had happened, more than once', () => {
    const queue = make()
    for (let i = 0; i < 100; i++) queue.push(EPOCH_US + (i % 10) * 60_000_000, i)
    for (let i = 0; i < 35; i++) queue.pop()
    const image = queue.snapshot()
    const rest = drain(queue)
    expect(rest).toHaveLength(65)
    expect(rest[0]).toEqual([EPOCH_US + 180_000_000, 53])
    queue.restore(image)
    expect(queue.poppedUs).toBe(EPOCH_US + 180_000_000)
    expect(() => queue.push(EPOCH_US + 179_999_999, 1)).toThrow(Bug)
    expect(drain(queue)).toEqual(rest)
    const other = make()
    other.push(7, 7)
    other.restore(structuredClone(image))
    expect(drain(other)).toEqual(rest)
  })
})

describe('the queues among each other', () => {
  it('give one order and one image on 100,000 random holds', () => {
    const wheel = new TimingWheel(16)
    const heap = new HeapQueue(16)
    const draw = drawsOf(20_250_619)
    const spans = [4, 1000, 50_000, 15_000_000, 1_800_000_000, 4_294_967_296]
    const delay = (): number => draw(oneOf(draw, spans))
    for (let i = 0; i < 2000; i++) {
      const atUs = EPOCH_US + delay()
      wheel.push(atUs, i)
      heap.push(atUs, i)
    }
    let differences = 0
    for (let i = 0; i < 100_000; i++) {
      if (wheel.nextUs() !== heap.nextUs()) differences++
      const payload = wheel.pop()
      if (heap.pop() !== payload || heap.poppedUs !== wheel.poppedUs) differences++
      const atUs = wheel.poppedUs + delay()
      wheel.push(atUs, payload)
      heap.push(atUs, payload)
    }
    expect(differences).toBe(0)
    expect(wheel.snapshot()).toEqual(heap.snapshot())
    const other = new HeapQueue()
    other.restore(wheel.snapshot())
    expect(drain(other)).toEqual(drain(wheel))
  })
})
