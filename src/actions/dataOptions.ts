import { readInstant, readQuantity } from '../scenario/units.ts'
import type { OpenStore } from '../feed/store/openStore.ts'
import type { Stretch } from '../look/storeRuns.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, calling, throwIfAbortedMeanwhile } from './options.ts'

/** How far the reading of a store is. */
export interface ReadingProgress {
  /** Share of the prices, 0…1. */
  readonly share: number
  readonly ticks: number
}

/** What every action takes that reads a store through. */
export interface ReadingOptions extends Pick<ActionOptions, 'signal'> {
  readonly onProgress?: (progress: ReadingProgress) => void
}

/** A part of the time of a store. */
export interface StretchOptions {
  /** First instant, as `2025-06-19` or `2025-06-19T19:00:00Z`. */
  readonly from?: string
  /** First instant that is no longer part of it. */
  readonly to?: string
}

/** Prices that are read between two looks at what the caller wants. */
const LOOK_TICKS = 500_000

/** Tells how far a reading is, and lets the caller's timers and listeners have their turn now and then. */
export function lookingUp(all: number, { signal, onProgress }: ReadingOptions): (ticks: number) => void | Promise<void> {
  const tell = calling(onProgress)
  let next = 0
  throwIfAborted(signal)
  return (ticks) => {
    if (ticks < next) return undefined
    next = ticks + LOOK_TICKS
    tell({ share: all === 0 ? 1 : ticks / all, ticks })
    return throwIfAbortedMeanwhile(signal)
  }
}

/** Reads a stretch. Throws InputError for what is no instant, and for an end that is not after the begin. */
export function stretchOf({ from, to }: StretchOptions): Stretch {
  const read = (name: string, text: string | undefined, otherwise: number): number => {
    if (text === undefined) return otherwise
    const at = readInstant(text)
    if ('fault' in at) throw new InputError(`${name}: ${at.fault}`)
    return at.value
  }
  const stretch = { fromUs: read('from', from, -Infinity), toUs: read('to', to, Infinity) }
  if (stretch.toUs <= stretch.fromUs) throw new InputError(`to: ${to!} is not after ${from!}`)
  return stretch
}

/** Reads a span of time, µs. Throws InputError. */
export function spanOf(name: string, text: string | number): number {
  const span = readQuantity('duration', text)
  if ('fault' in span) throw new InputError(`${name}: ${span.fault}`)
  return span.value
}

/** Marks markets by ticker, null for all of them. Throws InputError for a ticker that the store does not have. */
export function chosenOf({ path, catalogue: { markets } }: OpenStore, tickers: readonly string[] | undefined): Uint8Array | null {
  if (tickers === undefined || tickers.length === 0) return null
  const numberOf = new Map(markets.map(({ ticker, number }) => [ticker, number]))
  const chosen = new Uint8Array(markets.length)
  for (const ticker of tickers) {
    const number = numberOf.get(ticker)
    if (number === undefined) {
      const near = nearestName(ticker, numberOf.keys())
      throw new InputError(`no market ${ticker}${near === undefined ? '' : `; did you mean ${near}?`}`, { position: { file: path } })
    }
    chosen[number] = 1
  }
  return chosen
}
