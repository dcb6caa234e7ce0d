import { Worker } from 'node:worker_threads'
import { Interrupted } from '../unit/interrupted.ts'
import { WORKER_THREAD } from '../scenario/workerThread.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'
import { FIGURE_LEVEL } from './estimates.ts'
import { type ItemFigure, passes, type ValidationItem } from './figure.ts'
import { VALIDATION_ITEMS } from './items.ts'
import type { SampleSize, ValidatedItem, ValidationFigure, ValidationResult } from './result.ts'

export const VALIDATION_SEED = 'validation'
const ITEM_IDS = VALIDATION_ITEMS.map(({ id }) => id).join(', ')

export interface ValidateOptions {
  /** Ids of items, at least one; absent: all. */
  readonly items?: readonly string[] | undefined
  /** Ids of items that are measured with their deliberately wrong parameter, whether `items` names them or not. */
  readonly wrong?: readonly string[] | undefined
  readonly samples: SampleSize
  readonly seed?: string | undefined
  /** How many threads measure, each with one item at a time. Their number changes no byte. */
  readonly workers: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ValidationProgress) => void) | undefined
}

export interface ValidationProgress {
  /** Share of the requests of all items, 0…1. */
  readonly share: number
  readonly requests: number
}

/** What a worker is told to measure. */
export interface ItemTask {
  readonly id: string
  readonly seed: string
  readonly size: SampleSize
  readonly wrong: boolean
}

/** What a worker says: how many more requests were made, then the figures. */
export type ItemNews = { readonly requests: number } | { readonly figures: readonly ItemFigure[] }

/**
 * Measures known results in sessions of the real services. Throws InputError for an unknown item or for none at all, Interrupted on an
 * abort, and whatever a session throws, for example when fills at the commit and at the ledger do not agree.
 */
export async function validate(options: ValidateOptions): Promise<ValidationResult> {
  const { samples, seed = VALIDATION_SEED, workers, onProgress } = options
  // An item that fails ends the others, like an abort from outside.
  const stop = new AbortController()
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
  const wrong = (options.wrong ?? []).map((id) => itemOf(id).id)
  const chosen = options.items?.map((id) => itemOf(id).id)
  if (chosen?.length === 0) throw new InputError('no item to measure', { hint: `expected some of ${ITEM_IDS}` })
  const items = VALIDATION_ITEMS.filter(({ id }) => chosen === undefined || chosen.includes(id) || wrong.includes(id))
  const total = items.reduce((sum, { requests }) => sum + requests(samples), 0)
  let made = 0
  const onRequests = (more: number): void => {
    made += more
    onProgress?.({ share: Math.min(1, made / total), requests: made })
  }
  const measured = new Map<string, readonly ItemFigure[]>()
  const left = items.map(({ id }): ItemTask => ({ id, seed, size: samples, wrong: wrong.includes(id) }))
  const measureNext = async (): Promise<void> => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      const figures = workers === 1
        ? await itemOf(task.id).measure({ ...task, signal, onRequests }) : await measureInWorker(task, signal, onRequests)
      measured.set(task.id, figures)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(workers, items.length) }, measureNext))
  } finally {
    stop.abort()
  }
  const figures = items.flatMap((item) => measured.get(item.id)!.map((figure) => judged(item, figure)))
  assert(new Set(figures.map(({ id }) => id)).size === figures.length, 'figures have ids of their own')
  const verdicts = items.map((item) => verdictOf(item, wrong.includes(item.id), figures))
  return { version: 1, samples, seed, level: FIGURE_LEVEL, wrong, pass: verdicts.length > 0 && verdicts.every(({ pass }) => pass), items: verdicts, figures }
}

/** The item with an id. The case of letters does not matter. */
export function itemOf(id: string): ValidationItem {
  const item = VALIDATION_ITEMS.find((other) => other.id === id.trim().toUpperCase())
  if (item === undefined) throw new InputError(`no item ${id}`, { hint: `expected one of ${ITEM_IDS}` })
  return item
}

function judged({ id: item, source }: ValidationItem, figure: ItemFigure): ValidationFigure {
  const { id, title, claim, known, measured, low, high, widthMax, samples, committed, unit, settings, remark } = figure
  const pass = passes(figure)
  return { id, item, title, source, claim, known, measured, low, high, widthMax, pass, samples, committed, unit, settings, remark }
}

/** Nothing measured is nothing proven. */
function verdictOf({ id, title }: ValidationItem, wrong: boolean, figures: readonly ValidationFigure[]): ValidatedItem {
  const own = figures.filter(({ item }) => item === id)
  return { id, title, wrong, pass: own.length > 0 && own.every(({ pass }) => pass), figures: own.length }
}

const WORKER = new URL('./item.worker.ts', import.meta.url)

function measureInWorker(task: ItemTask, signal: AbortSignal, onRequests: (more: number) => void): Promise<readonly ItemFigure[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { ...WORKER_THREAD, workerData: task })
    const abort = (): void => {
      void worker.terminate()
      reject(new Interrupted('interrupted'))
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    worker.on('message', (news: ItemNews) => {
      if ('figures' in news) {
        signal.removeEventListener('abort', abort)
        return resolve(news.figures)
      }
      try {
        onRequests(news.requests)
      } catch (error) {
        signal.removeEventListener('abort', abort)
        void worker.terminate()
        reject(error as Error)
      }
    })
    worker.on('error', reject)
    worker.on('exit', (code) => { reject(new Error(`the worker of item ${task.id} ended with ${code} before it was done`)) })
  })
}
