import type { Command } from 'commander'
import type { diff } from '../actions/diff.ts'
import { plural, signed, thousands, usd } from '../unit/numberText.ts'
import { columnsText, common, type CommonOptions, print, printJson, remark } from './common.ts'

type RunsDiff = Awaited<ReturnType<typeof diff>>
type ServiceDiff = RunsDiff['services'][number]
type MakerDiff = ServiceDiff['makers'][number]
type ClassDiff = MakerDiff['classes'][number]

export function addDiff(program: Command): void {
  const command = program.command('diff').argument('<a>', 'folder of a run').argument('<b>', 'folder of another run')
    .summary('join two runs request by request, and say where their difference in profit comes from')
    .description('Join two runs request by request: for each maker what it filled in both, at the same odds or others, what in one alone and who had it, what it declined, and how much of the difference in profit, B less A, comes of each. The parts add up, to the micro-unit.')
  common(command, 'parlor diff runs/quickstart runs/quickstart-2').action(async (a: string, b: string, options: CommonOptions) => {
    const actions = await import('../actions/diff.ts')
    const result = await actions.diff(a, b, { onNote: remark })
    if (options.json === true) printJson(result)
    else print(diffText(result))
  })
}

/** The difference of two runs as plain text. */
export function diffText({ services, notes }: RunsDiff): string {
  const parts = services.map((service) => serviceText(service, services.length > 1))
  return [...parts, ...notes].join('\n\n')
}

function serviceText({ service, requests: { both, onlyA, onlyB }, makers }: ServiceDiff, isOneOfSeveral: boolean): string {
  const head = `${isOneOfSeveral ? `${service}: ` : ''}${plural(both, 'request')} in both runs, ${thousands(onlyA)} in A alone, ${thousands(onlyB)} in B alone`
  const table = columnsText([
    ['maker', 'filled A', 'B', 'declined A', 'B', 'profit A', 'B', 'B less A', 'luck-adjusted B less A', '95 %'],
    ...makers.map(makerRow),
  ], [1, 2, 3, 4, 5, 6, 7, 8])
  const changed = makers.filter(({ classes }) => classes.some(isChanged))
  return [head, '', table, ...changed.flatMap(makerText), '', ...makers.map(({ sentence }) => sentence)].join('\n')
}

function makerRow({ name, fills, declined, profit, luckAdjusted, luckAdjustedDifference: { low, high } }: MakerDiff): string[] {
  return [
    name, thousands(fills.a), thousands(fills.b), thousands(declined.a), thousands(declined.b), usd(profit.aMicros), usd(profit.bMicros), signed(usd(profit.differenceMicros)),
    signed(usd(luckAdjusted.differenceMicros)), low === null || high === null ? '-' : `${usd(low)} to ${usd(high)}`,
  ]
}

const isChanged = ({ kind, profit, luckAdjusted }: ClassDiff): boolean => kind !== 'same' || profit.differenceMicros !== 0 || luckAdjusted.differenceMicros !== 0

const CLASS_TEXTS: Readonly<Record<ClassDiff['kind'], string>> = {
  same: 'filled in both, same odds', repriced: 'filled in both, other odds', won: 'filled in B alone', lost: 'filled in A alone',
  confirmed: 'not confirmed in A', declined: 'not confirmed in B', onlyA: 'asked in A alone', onlyB: 'asked in B alone', held: 'taken over from another',
}

function makerText({ name, classes, profit, luckAdjusted }: MakerDiff): string[] {
  const rows = classes.flatMap((one) => [
    [CLASS_TEXTS[one.kind], thousands(one.requests), usd(one.profit.aMicros), usd(one.profit.bMicros), signed(usd(one.profit.differenceMicros)), signed(usd(one.luckAdjusted.differenceMicros))],
    ...(one.among ?? []).map(({ maker, requests, differenceMicros }) => [`  ${amongText(one.kind, maker)}`, thousands(requests), '', '', signed(usd(differenceMicros)), '']),
  ])
  return ['', columnsText([
    [name, 'requests', 'profit A', 'B', 'B less A', 'luck-adjusted'], ...rows,
    ['together', '', usd(profit.aMicros), usd(profit.bMicros), signed(usd(profit.differenceMicros)), signed(usd(luckAdjusted.differenceMicros))],
  ], [1, 2, 3, 4, 5])]
}

function amongText(kind: ClassDiff['kind'], maker: string | null): string {
  const run = kind === 'won' ? 'A' : 'B'
  return maker === null ? `nobody's in ${run}` : `${maker}'s in ${run}`
}
