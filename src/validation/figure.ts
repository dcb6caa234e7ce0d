import type { Estimate } from './estimates.ts'
import { type Fill, isConfirmed, isPaidOut } from './fillLog.ts'
import type { Stage } from './playSession.ts'
import type { SampleSize, ValidationFigure } from './result.ts'

/** The conditions under which an item is measured. */
export interface Task extends Stage {
  readonly seed: string
  readonly size: SampleSize
  /** Whether it is measured with the item's deliberately wrong parameter, which must make it fail. */
  readonly wrong: boolean
}

/** A known result, and how sessions of the real services are measured against it. */
export interface ValidationItem {
  /** Its number in docs/validation.md. */
  readonly id: string
  readonly title: string
  readonly source: string
  /** What the wrong variant gets wrong. */
  readonly wrong: string
  /** About how many requests its sessions make, for the progress. */
  readonly requests: (size: SampleSize) => number
  readonly measure: (task: Task) => Promise<readonly ItemFigure[]>
}

/** A figure as its item measures it: the rest stands with the item. */
export type ItemFigure = Omit<ValidationFigure, 'item' | 'source' | 'pass'>

interface Judged {
  readonly claim?: ValidationFigure['claim']
  readonly known: number
  readonly widthMax: number
}

/** An estimate beside the known value. `fills` are those that it rests on, and no others of their session: they are counted at both ends. */
export function figureOf(
  about: Pick<ValidationFigure, 'id' | 'title' | 'unit' | 'settings'> & { readonly remark?: string }, { claim = 'equals', known, widthMax }: Judged,
  { measured, low, high }: Estimate, fills: readonly Fill[],
): ItemFigure {
  const { id, title, unit, settings, remark = '' } = about
  const samples = fills.filter(isPaidOut).length
  const committed = fills.filter(isConfirmed).length
  return { id, title, claim, known, measured, low, high, widthMax, samples, committed, unit, settings, remark }
}

/** Whether the claim holds, the interval is narrow enough, and both counts of fills are equal. */
export function passes({ claim, known, low, high, widthMax, samples, committed }: ItemFigure): boolean {
  const holds = claim === 'equals' ? low <= known && known <= high : high < known
  return holds && high - low < widthMax && samples > 0 && samples === committed
}
