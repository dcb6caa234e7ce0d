import type { Command } from 'commander'
import type { redraw as redrawAction } from '../actions/redraw.ts'
import { columnsText } from '../unit/columnsText.ts'
import { fixed, grouped, plural, thousands } from '../unit/numberText.ts'
import { common, type CommonOptions, print, printJson, wholeNumber } from './common.ts'
import { progressBar } from './progressBar.ts'
import type { Interruption } from './signals.ts'

interface RedrawOptions extends CommonOptions {
  readonly outcomes?: string
  readonly seed?: string
  readonly quiet?: boolean
}

type Redraw = Awaited<ReturnType<typeof redrawAction>>
type Service = Redraw['services'][number]
type Maker = Service['makers'][number]

export function addRedraw(program: Command, interruption: () => Interruption): void {
  const command = program.command('redraw').argument('<run>', 'folder of a run')
    .summary("draw a run's outcomes anew, with its fills as they were")
    .description("Keep the fills of a run and draw the outcomes of its markets anew, at their closing prices and with the scenario's correlation. Shown are the distribution of each maker's profit in a night, its expected shortfall, the chance that its capital does not carry its fills, its worst joint outcome, and the difference of each two makers over the same outcomes (docs/redraw.md). The run is only read. The same run and seed give the same figures.")
    .option('--outcomes <n>', 'how many times the outcomes are drawn (20000)')
    .option('--seed <seed>', "draw the outcomes from this seed instead of the run's own")
    .option('--quiet', 'print no progress')
  common(command, 'parlor redraw runs/mlb-night', 'parlor redraw runs/mlb-night --outcomes 100000 --seed 2')
    .action(async (dir: string, options: RedrawOptions) => { await redraw(dir, options, interruption()) })
}

async function redraw(dir: string, { outcomes, seed, quiet, json }: RedrawOptions, { signal }: Interruption): Promise<void> {
  const actions = await import('../actions/redraw.ts')
  const bar = await progressBar('redraws', quiet === true || json === true)
  const result = await actions.redraw(dir, {
    signal, onProgress: ({ share, redraws }) => { bar.step({ share, done: redraws }) },
    ...(outcomes === undefined ? {} : { outcomes: wholeNumber(outcomes, '--outcomes') }), ...(seed === undefined ? {} : { seed }),
  }).finally(() => { bar.stop() })
  if (json === true) return printJson(result)
  print(redrawText(dir, result))
}

/** The figures as plain text of about 100 columns. */
function redrawText(dir: string, { outcomes, seed, correlation, services }: Redraw): string {
  const head = `${dir}: ${thousands(outcomes)} redraws of its outcomes, seed ${seed}, correlation ${correlation}. USDC.`
  return [head, ...services.flatMap((service) => [...(services.length > 1 ? ['', service.service] : []), ...serviceLines(service)]), '', ...NOTES].join('\n')
}

const NOTES = [
  '±: standard error of the draw. percentile: of the recorded profit among the redraws. ES: mean of the worst 5% and 1%.',
  'ruin %: redraws in which some fill was not carried by the capital. worst joint: no outcome is worse (>=: a bound).',
]

function serviceLines({ makers, pairs, cohorts }: Service): string[] {
  const tables = [
    [['profit', 'recorded', 'percentile', 'adjusted', 'mean', '±', 'sd', '2.5%', '97.5%', 'loss %'], ...makers.map(({ name, recordedMicros, percentile, luckAdjustedMicros, mean, sd, range, lossShare }) => [
      name, money(recordedMicros), share(percentile), money(luckAdjustedMicros), money(mean.value), money(mean.error), money(sd), money(range[0]), money(range[1]), share(lossShare.value),
    ])],
    [['quantiles %', ...(makers[0]?.quantiles ?? []).map((quantile) => String(Math.round(100 * quantile.share)))], ...makers.map(({ name, quantiles }) => [name, ...quantiles.map(({ micros }) => money(micros))])],
    [['risk', 'ES 95%', '±', 'ES 99%', '±', 'worst drawn', 'worst joint', 'ruin %', 'fills not carried'], ...makers.map(riskRow)],
    [['difference', 'less', 'mean', '±', '2.5%', '97.5%', 'ahead %'], ...pairs.map(({ first, second, mean, range, firstBeats }) => [
      first, second, money(mean.value), money(mean.error), money(range[0]), money(range[1]), share(firstBeats.value),
    ])],
    [['bettors', 'recorded', 'adjusted', 'mean', '±', 'sd', '2.5%', '97.5%', 'loss %'], ...cohorts.map(({ name, recordedMicros, luckAdjustedMicros, mean, sd, range, lossShare }) => [
      name, money(recordedMicros), money(luckAdjustedMicros), money(mean.value), money(mean.error), money(sd), money(range[0]), money(range[1]), share(lossShare.value),
    ])],
  ].filter((rows) => rows.length > 1)
  return [...tables.flatMap((rows) => ['', columnsText(rows, rows[0]!.flatMap((title, i) => (i === 0 || title === 'less' ? [] : [i])))]), ...standingLines(makers), ...apartLines([...makers, ...cohorts])]
}

function riskRow({ name, shortfall, worst, worstJoint, ruin }: Maker): string[] {
  return [
    name, ...shortfall.flatMap(({ value, error }) => [money(value), money(error)]), money(worst.micros), `${worstJoint.isExact ? '' : '>='}${money(worstJoint.micros)}`,
    share(ruin.share.value), `${fixed(ruin.uncarriedMean, 3)} of ${thousands(ruin.fills)}`,
  ]
}

/** What stays as recorded, a line for each maker that has such positions. */
function standingLines(makers: readonly Maker[]): string[] {
  const lines = makers.flatMap(({ name, positions }) => {
    const kinds = [
      [positions.void, 'void'], [positions.boughtBack, 'bought back'], [positions.sold, 'sold'], [positions.withoutClose, 'without a closing price'], [positions.open, 'still open (not counted)'],
    ] as const
    const said = kinds.filter(([count]) => count > 0).map(([count, what]) => `${thousands(count)} ${what}`)
    return said.length === 0 ? [] : [`${name}: ${plural(positions.redrawn, 'position')} redrawn; as recorded: ${said.join(', ')}`]
  })
  return lines.length === 0 ? [] : ['', ...lines]
}

/** Standard errors beyond which a drawn mean is another one. */
const APART_ERRORS = 4

/** A sentence where a mean is not `adjusted`, beyond the error of the draw and a cent. */
function apartLines(nights: readonly Service['cohorts'][number][]): string[] {
  const apart = nights.filter(({ mean, luckAdjustedMicros }) => Math.abs(mean.value - luckAdjustedMicros) > Math.max(APART_ERRORS * mean.error, CENT_MICROS))
  return apart.length === 0 ? [] : ['', `${apart.map(({ name }) => name).join(', ')}: mean is more than ${APART_ERRORS} ± from adjusted. ${APART_WHY}`]
}

const CENT_MICROS = 10_000
const APART_WHY = 'The draw gives markets of a partition their shares of the sum of its closes; adjusted takes each close as it is.'

const money = (micros: number): string => grouped(micros / 1e6, 2)
const share = (value: number): string => fixed(100 * value, 1)
