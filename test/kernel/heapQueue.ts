import { assert } from '../../src/unit/assert.ts'
import type { Image } from '../../src/unit/snapshot.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { type EventQueue, type EventQueueImage, eventQueueImage, refusePush } from '../../src/kernel/eventQueue.ts'

/**
 * A 4-ary heap on typed arrays, ordered by (time, sequence of push). Simple, and even in cost whatever the spread of
 * the times: the model that the timing wheel is held against.
 */
export class HeapQueue implements EventQueue {
  size = 0
  poppedUs = 0
  private declare times: Float64Array
  private declare sequences: Float64Array
  private declare payloads: Int32Array
  private nextSequence = 0

  constructor(capacity = 1024) {
    assert(capacity >= 1, 'a queue holds at least one event')
    this.times = new Float64Array(capacity)
    this.sequences = new Float64Array(capacity)
    this.payloads = new Int32Array(capacity)
  }

  nextUs(): number {
    return this.size === 0 ? NEVER_US : this.times[0]!
  }

  push(atUs: number, payload: number): void {
    if (!(atUs >= this.poppedUs && atUs < NEVER_US && Number.isInteger(atUs))) refusePush(atUs, this.poppedUs)
    if (this.size === this.times.length) this.grow()
    const { times, sequences, payloads } = this
    let i = this.size++
    while (i > 0) {
      const parent = (i - 1) >> 2
      if (times[parent]! <= atUs) break
      times[i] = times[parent]!
      sequences[i] = sequences[parent]!
      payloads[i] = payloads[parent]!
      i = parent
    }
    times[i] = atUs
    sequences[i] = this.nextSequence++
    payloads[i] = payload
  }

  pop(): number {
    assert(this.size > 0, 'pop from an empty queue')
    const { times, sequences, payloads } = this
    const payload = payloads[0]!
    this.poppedUs = times[0]!
    const size = --this.size
    const time = times[size]!
    const sequence = sequences[size]!
    const last = payloads[size]!
    let i = 0
    for (;;) {
      const first = 4 * i + 1
      if (first >= size) break
      let least = first
      const end = Math.min(first + 4, size)
      for (let c = first + 1; c < end; c++) {
        if (times[c]! < times[least]! || (times[c] === times[least] && sequences[c]! < sequences[least]!)) least = c
      }
      if (time < times[least]! || (time === times[least] && sequence < sequences[least]!)) break
      times[i] = times[least]!
      sequences[i] = sequences[least]!
      payloads[i] = payloads[least]!
      i = least
    }
    times[i] = time
    sequences[i] = sequence
    payloads[i] = last
    return payload
  }

  private grow(): void {
    const { times, sequences, payloads } = this
    this.times = new Float64Array(times.length * 2)
    this.sequences = new Float64Array(times.length * 2)
    this.payloads = new Int32Array(times.length * 2)
    this.times.set(times)
    this.sequences.set(sequences)
    this.payloads.set(payloads)
  }

  snapshot(): Image {
    const { size, times, sequences, payloads } = this
    return eventQueueImage(this.poppedUs, times.slice(0, size), payloads.slice(0, size), sequences.slice(0, size))
  }

  restore(image: Image): void {
    const from = image as EventQueueImage
    this.size = 0
    this.nextSequence = 0
    this.poppedUs = from.poppedUs
    for (let i = 0; i < from.timesUs.length; i++) this.push(from.timesUs[i]!, from.payloads[i]!)
  }
}
