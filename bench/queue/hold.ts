// The hold model on one of our queues or on tinyqueue: `node tools/bundle/run.mjs bench/queue/hold.ts wheel|heap|tinyqueue SIZE HOLDS WARM_HOLDS`.
// Prints million holds per CPU-second and a checksum of the order in which events came out.
import TinyQueue from 'tinyqueue'
import type { EventQueue } from '../../src/kernel/eventQueue.ts'
import { TimingWheel } from '../../src/kernel/timingWheel.ts'
import { HeapQueue } from '../../test/kernel/heapQueue.ts'
import { cpuSeconds } from '../cpuSeconds.ts'
import { DELAYS, holdModel } from './holdModel.ts'

interface Event {
  readonly atUs: number
  readonly sequence: number
  readonly payload: number
}

const [kind, sizeText, holdsText, warmText] = process.argv.slice(2)
const { initialUs, delaysUs } = holdModel(Number(sizeText))

/** Plays so many holds and returns the checksum. */
function holdOn(queue: EventQueue): (holds: number) => number {
  initialUs.forEach((atUs, payload) => queue.push(atUs, payload))
  return (holds) => {
    let checksum = 0
    for (let i = 0; i < holds; i++) {
      const atUs = queue.nextUs()
      const payload = queue.pop()
      queue.push(atUs + delaysUs[i & (DELAYS - 1)]!, payload)
      checksum = (Math.imul(checksum, 31) + payload) | 0
    }
    return checksum
  }
}

/** tinyqueue as its users write it: an object for each event, and a sequence number so that equal times come out in order. */
function holdOnTinyqueue(): (holds: number) => number {
  const queue = new TinyQueue<Event>([], (a, b) => a.atUs - b.atUs || a.sequence - b.sequence)
  let sequence = 0
  initialUs.forEach((atUs, payload) => queue.push({ atUs, sequence: sequence++, payload }))
  return (holds) => {
    let checksum = 0
    for (let i = 0; i < holds; i++) {
      const { atUs, payload } = queue.pop()!
      queue.push({ atUs: atUs + delaysUs[i & (DELAYS - 1)]!, sequence: sequence++, payload })
      checksum = (Math.imul(checksum, 31) + payload) | 0
    }
    return checksum
  }
}

const hold = kind === 'tinyqueue' ? holdOnTinyqueue() : holdOn(kind === 'wheel' ? new TimingWheel() : new HeapQueue())
hold(Number(warmText))
const before = process.cpuUsage()
const checksum = hold(Number(holdsText))
console.log(JSON.stringify({ millionHolds: Number(holdsText) / cpuSeconds(before) / 1e6, checksum: checksum >>> 0 }))
