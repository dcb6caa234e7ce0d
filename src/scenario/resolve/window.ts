import type { TickSource } from '../../market/tickSource.ts'
import type { Fail } from '../mistakes.ts'
import type { ScenarioFile } from '../schema.ts'
import { instantText } from '../../unit/time.ts'

/** A session's bounds, µs; `untilUs` is the first instant at which nobody arrives. */
export interface Window {
  readonly fromUs: number
  readonly toUs: number
  readonly untilUs: number
}

/** An instant, or a time after the begin of the session. */
export type Start = { readonly atUs: number } | { readonly spanUs: number }

/** The instant of a start, µs; where the window is unknown a time after its begin counts from 0. */
export const instantOf = (start: Start, window: Window | undefined): number => ('atUs' in start ? start.atUs : (window?.fromUs ?? 0) + start.spanUs)

/** The bounds that a scenario gives, else those of the prices. Undefined, with a mistake, for bounds that do not fit the prices or each other. */
export function windowOf({ history, arrivals }: ScenarioFile, source: TickSource, fail: Fail): Window | undefined {
  const wrong = (path: readonly string[], message: string): undefined => { fail(path, message) }
  if (source.count === 0) return wrong(['history', 'store'], 'the store holds no prices')
  const firstUs = source.firstUs(0)
  const lastUs = source.lastUs(source.chunkCount - 1)
  const held = `the prices of the store reach from ${instantText(firstUs)} to ${instantText(lastUs)}`
  const fromUs = history.from ?? firstUs
  const toUs = history.to ?? lastUs + 1
  if (fromUs > lastUs) return wrong(['history', 'from'], `lies after the last price: ${held}`)
  if (toUs <= firstUs) return wrong(['history', 'to'], `lies before the first price: ${held}`)
  if (toUs <= fromUs) return wrong(['history', 'to'], 'is not after `from`')
  const { until } = arrivals
  const untilUs = until === undefined ? toUs : 'atUs' in until ? until.atUs : toUs - until.spanUs
  if (untilUs <= fromUs || untilUs > toUs) return wrong(['arrivals', 'until'], `is not within the session, ${instantText(fromUs)} to ${instantText(toUs)}`)
  return { fromUs, toUs, untilUs }
}
