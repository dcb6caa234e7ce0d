import type { RedrawnDifference } from '../redraw/redrawnDifferences.ts'
import { fixed, plural, signed, usd } from '../unit/numberText.ts'
import type { DiffClass } from './classes.ts'
import type { Interval } from '../stats/interval.ts'

/** How a part of the difference came about. */
const BY: Readonly<Record<DiffClass, (requests: string) => string>> = {
  same: (requests) => `by what else became of ${requests} that it filled at the same odds`,
  repriced: (requests) => `by other odds of ${requests} that it filled in both`,
  won: (requests) => `by ${requests} that it filled in B alone`,
  lost: (requests) => `by ${requests} that it filled in A alone`,
  confirmed: (requests) => `by ${requests} that it did not confirm in A`,
  declined: (requests) => `by ${requests} that it did not confirm in B`,
  onlyA: (requests) => `by ${requests} that A alone has`,
  onlyB: (requests) => `by ${requests} that B alone has`,
  held: (requests) => `by positions of ${requests} that it had taken over`,
}

/** What the sentence is made of. */
export interface DifferenceParts {
  readonly name: string
  readonly profit: { readonly differenceMicros: number }
  readonly luckAdjusted: { readonly differenceMicros: number }
  readonly luckAdjustedDifference: Interval
  readonly redrawn: RedrawnDifference | null
  readonly classes: readonly { readonly kind: DiffClass; readonly requests: number; readonly profit: { readonly differenceMicros: number } }[]
}

/** The difference of a maker's profit in words, the largest part first. */
export function sentenceOf({ name, profit: { differenceMicros }, luckAdjusted, luckAdjustedDifference: { low, high, label }, redrawn, classes }: DifferenceParts): string {
  const parts = classes.filter((one) => one.profit.differenceMicros !== 0)
    .toSorted((x, y) => Math.abs(y.profit.differenceMicros) - Math.abs(x.profit.differenceMicros))
    .map((one) => `${signed(usd(one.profit.differenceMicros))} ${BY[one.kind](plural(one.requests, 'request'))}`)
  const earned = differenceMicros === 0 ? 'as much in B as in A' : `${usd(Math.abs(differenceMicros))} USDC ${differenceMicros > 0 ? 'more' : 'less'} in B than in A`
  const interval = low === null || high === null ? `, ${label}` : ` [${usd(low)}, ${usd(high)}]`
  const adjusted = luckAdjusted.differenceMicros === 0 && differenceMicros === 0 ? '' : `; luck-adjusted ${signed(usd(luckAdjusted.differenceMicros))}${interval}`
  return `${name} earned ${earned}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}${adjusted}${nightsText(redrawn)}.`
}

/** What other outcomes would have made of the difference. Empty where they would have changed nothing. */
function nightsText(redrawn: RedrawnDifference | null): string {
  if (redrawn === null || (redrawn.range[0] === 0 && redrawn.range[1] === 0 && redrawn.mean.value === 0)) return ''
  const { range: [low, high], better } = redrawn
  if (low === high) return `; with other outcomes ${signed(usd(low))} in 95 of 100 nights`
  return `; with other outcomes ${signed(usd(low))} to ${signed(usd(high))} in 95 of 100 nights, and more in B than in A in ${fixed(100 * better.value, 0)} of 100`
}
