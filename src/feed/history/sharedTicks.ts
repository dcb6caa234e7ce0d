import { totalmem } from 'node:os'
import type { Ticks } from '../../market/ticks.ts'
import type { OpenStore, StorePart } from '../store/openStore.ts'
import { columnsFrom, type TickColumns } from '../tickBuffer.ts'
import { batchesOf, type ReadBatch } from './storeSource.ts'

/**
 * Decoded ticks of a store in memory that all threads of a process read. It is plain data that crosses to a thread as a handle. Whoever
 * needs a batch first decodes it for all. The system gives memory to those batches alone that somebody has needed.
 */
export interface SharedTicks {
  /** That of the store, so that nobody reads it for another one. */
  readonly dataHash: string
  /** A word for each batch, in the order of the store's parts: a `BatchState`. */
  readonly states: SharedArrayBuffer
  /** All columns, one after the other. */
  readonly columns: SharedArrayBuffer
}

const BatchState = { empty: 0, decoding: 1, decoded: 2 } as const

const TICK_BYTES = 32
const WORD_BYTES = 4
/** A thread waits so long for another one that decodes a batch, which may have been ended meanwhile. Then it takes the decoding over. */
const WAIT_MS = 2000
/** So many batches beyond the one that it waits for a thread looks for one to decode: some 64 MB. */
const LATER_MAX = 8

/** Memory for the ticks of a store; null where they would take more than half of the machine's. */
export function sharedTicksOf(store: Pick<OpenStore, 'head' | 'parts' | 'batchesOf'>): SharedTicks | null {
  const { head, parts } = store
  const batches = parts.reduce((sum, part) => sum + batchesOf(store, part).length, 0)
  const bytes = parts.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_BYTES
  if (bytes > totalmem() / 2) return null
  try {
    return { dataHash: head.dataHash, states: new SharedArrayBuffer(batches * WORD_BYTES), columns: new SharedArrayBuffer(bytes) }
  } catch (error) {
    // The system promises no more memory. Each thread then has ticks of its own.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Reads batches of a store where another thread may have decoded them. @param waitMs how long another thread that decodes a batch is waited for. */
export function readingShared(store: OpenStore, shared: SharedTicks, waitMs = WAIT_MS): ReadBatch {
  const states = new Int32Array(shared.states)
  const columns = columnsOver(shared.columns)
  const firsts = new Map<string, { readonly batch: number; readonly ticks: readonly number[] }>()
  /** By place among all batches: in order of time, but for parts that overlap. */
  const all: { readonly part: StorePart; readonly index: number }[] = []
  let [batch, tick] = [0, 0]
  for (const part of store.parts) {
    const ticks = [tick]
    for (const [index, { ticks: count }] of batchesOf(store, part).entries()) {
      ticks.push(tick += count)
      all.push({ part, index })
    }
    firsts.set(part.name, { batch, ticks })
    batch += ticks.length - 1
  }
  const columnsOf = (part: StorePart, index: number): TickColumns => {
    const { ticks } = firsts.get(part.name)!
    return columnsFrom(columns, ticks[index]!, ticks[index + 1]!)
  }
  return (part, index) => {
    ensureDecoded(states, firsts.get(part.name)!.batch + index, waitMs, (place) => {
      const one = all[place]!
      store.readBatch(one.part, one.index, columnsOf(one.part, one.index))
    })
    const mine = columnsOf(part, index)
    return { count: mine.atUs.length, ...mine }
  }
}

/**
 * Decodes a batch unless another thread has done so. Where another one does so now, this one decodes a later batch first: threads that play the same
 * history at one pace would else wait for each other at each batch, and only one of them decode. Two threads may decode one batch, where one of them
 * was slow: the files have the same hash, and each writes a word once, as it stays. So whoever reads meanwhile reads the same.
 */
function ensureDecoded(states: Int32Array, batch: number, waitMs: number, decode: (batch: number) => void): void {
  for (;;) {
    const state = Atomics.compareExchange(states, batch, BatchState.empty, BatchState.decoding)
    if (state === BatchState.decoded) return
    if (state === BatchState.empty) break
    decodeLater(states, batch, decode)
    if (Atomics.wait(states, batch, BatchState.decoding, waitMs) === 'timed-out') break
  }
  decodeInto(states, batch, decode)
}

/** Decodes the first of the next batches that nobody has. */
function decodeLater(states: Int32Array, batch: number, decode: (batch: number) => void): void {
  for (let later = batch + 1; later <= batch + LATER_MAX && later < states.length; later++) {
    if (Atomics.compareExchange(states, later, BatchState.empty, BatchState.decoding) !== BatchState.empty) continue
    try {
      decodeInto(states, later, decode)
    } catch {
      // Whoever needs the batch meets the error: this thread may never.
    }
    return
  }
}

function decodeInto(states: Int32Array, batch: number, decode: (batch: number) => void): void {
  try {
    decode(batch)
    Atomics.store(states, batch, BatchState.decoded)
  } catch (error) {
    // What another thread has decoded meanwhile stays.
    Atomics.compareExchange(states, batch, BatchState.decoding, BatchState.empty)
    throw error
  } finally {
    Atomics.notify(states, batch)
  }
}

function columnsOver(buffer: SharedArrayBuffer): TickColumns {
  const count = buffer.byteLength / TICK_BYTES
  const words = (place: number): Int32Array<SharedArrayBuffer> => new Int32Array(buffer, count * (8 + WORD_BYTES * place), count)
  return { atUs: new Float64Array(buffer, 0, count), market: words(0), bidE6: words(1), askE6: words(2), bidSize: words(3), askSize: words(4), lastE6: words(5) } satisfies Omit<Ticks, 'count'>
}
