import { columnsText } from '../unit/columnsText.ts'
import { fixed, plural, signed, thousands, usd } from '../unit/numberText.ts'
import { amongText, CLASS_TEXTS, type ComparedClass, type ComparedMaker, type ComparedService, type Comparison } from './comparison.ts'

/** The difference of two runs as plain text. */
export function diffText({ services, notes, redraws }: Comparison): string {
  const parts = services.map((service) => serviceText(service, services.length > 1, redraws))
  return [...parts, ...notes].join('\n\n')
}

function serviceText({ service, requests: { both, onlyA, onlyB }, makers }: ComparedService, isOneOfSeveral: boolean, redraws: Comparison['redraws']): string {
  const head = `${isOneOfSeveral ? `${service}: ` : ''}${plural(both, 'request')} in both runs, ${thousands(onlyA)} in A alone, ${thousands(onlyB)} in B alone`
  const table = columnsText([
    ['maker', 'filled A', 'B', 'declined A', 'B', 'profit A', 'B', 'B less A', '95%', 'luck-adjusted B less A', '95%'],
    ...makers.map(makerRow),
  ], [1, 2, 3, 4, 5, 6, 7, 9])
  const changed = makers.filter(({ classes }) => classes.some(isChanged))
  return [head, '', table, ...nightsText(makers, redraws), ...changed.flatMap(makerText), '', ...makers.map(({ sentence }) => sentence)].join('\n')
}

function makerRow({ name, fills, declined, profit, difference, luckAdjusted, luckAdjustedDifference }: ComparedMaker): string[] {
  return [
    name, thousands(fills.a), thousands(fills.b), thousands(declined.a), thousands(declined.b), usd(profit.aMicros), usd(profit.bMicros), signed(usd(profit.differenceMicros)),
    intervalText(difference), signed(usd(luckAdjusted.differenceMicros)), intervalText(luckAdjustedDifference),
  ]
}

const intervalText = ({ low, high }: ComparedMaker['difference']): string => (low === null || high === null ? '-' : `${signed(usd(low))} to ${signed(usd(high))}`)

/** The difference over nights with other outcomes. What counts as recorded is shown where something does. */
function nightsText(makers: readonly ComparedMaker[], { outcomes, seed }: Comparison['redraws']): string[] {
  const drawn = makers.flatMap(({ name, redrawn }) => (redrawn === null ? [] : [{ name, ...redrawn }]))
  if (drawn.length === 0) return []
  const stands = drawn.some(({ asRecorded: { a, b } }) => a > 0 || b > 0)
  const table = columnsText([
    ['B less A', 'mean', '±', '2.5%', '97.5%', 'B better %', 'worse %', ...(stands ? ['as recorded A', 'B'] : [])],
    ...drawn.map(({ name, mean, range: [low, high], better, worse, asRecorded: { a, b } }) => [
      name, signed(usd(mean.value)), usd(mean.error), signed(usd(low)), signed(usd(high)), share(better.value), share(worse.value), ...(stands ? [thousands(a), thousands(b)] : []),
    ]),
  ], [1, 2, 3, 4, 5, 6, 7, 8])
  return ['', `With these fills and other outcomes, the same in both runs (${thousands(outcomes)} nights, seed ${seed}):`, table]
}

const share = (value: number): string => fixed(100 * value, 1)

const isChanged = ({ kind, profit, luckAdjusted }: ComparedClass): boolean => kind !== 'same' || profit.differenceMicros !== 0 || luckAdjusted.differenceMicros !== 0

function makerText({ name, classes, profit, luckAdjusted }: ComparedMaker): string[] {
  const rows = classes.flatMap((one) => [
    [CLASS_TEXTS[one.kind], thousands(one.requests), usd(one.profit.aMicros), usd(one.profit.bMicros), signed(usd(one.profit.differenceMicros)), signed(usd(one.luckAdjusted.differenceMicros))],
    ...(one.among ?? []).map(({ maker, requests, differenceMicros }) => [`  ${amongText(one.kind, maker)}`, thousands(requests), '', '', signed(usd(differenceMicros)), '']),
  ])
  return ['', columnsText([
    [name, 'requests', 'profit A', 'B', 'B less A', 'luck-adjusted'], ...rows,
    ['together', '', usd(profit.aMicros), usd(profit.bMicros), signed(usd(profit.differenceMicros)), signed(usd(luckAdjusted.differenceMicros))],
  ], [1, 2, 3, 4, 5])]
}
