import type { QuietMaker } from '../score/quietMakers.ts'
import type { RunSummary, Summary } from '../score/summary.ts'
import { thousands } from '../unit/numberText.ts'
import { shownWords } from '../unit/visibleText.ts'

/** Reasons of a maker that are shown. */
const REASONS_SHOWN = 5

const times = (count: number): string => (count === 1 ? 'once' : `${thousands(count)} times`)

/** Why a maker is told of, in a line. */
function quietText({ name, why, delivered, passes, commands, refused, most }: QuietMaker): string {
  const mostly = most === null ? '' : `, mostly for ${shownWords(most.reason)} (${thousands(most.count)})`
  if (why === 'mostly refused') return `${name}: ${thousands(refused)} of its ${thousands(commands)} commands were refused${mostly}`
  if (delivered === 0) return `${name} never quoted: no request reached it`
  const reached = delivered === null ? null : `${thousands(delivered)} requests and new versions reached it`
  const did = passes === null ? null : passes === 0 ? 'it neither quoted nor passed' : `it passed ${times(passes)}${mostly}`
  const told = [reached, did].filter((part) => part !== null).join(', and ')
  const refusals = refused === 0 || (passes ?? 0) > 0 ? null : `${thousands(refused)} commands were refused${mostly}`
  const rest = [told, refusals].filter((part) => part !== null && part !== '').join('; ')
  return `${name} never quoted${rest === '' ? '' : `: ${rest}`}`
}

/** The makers of a run that never quoted, or most of whose commands were refused, a line each. */
export function quietLines(summary: RunSummary): string[] {
  if ('services' in summary) return Object.values(summary.services).flatMap((one) => quietLines(one).map((line) => `${one.service}: ${line}`))
  return (summary.quiet ?? []).map(quietText)
}

/** Why makers let requests go by, for those that did so more often than they quoted. Of each the most frequent reasons. */
export function passLines({ passes = [], makers }: Summary): string[] {
  return passes.filter(({ name, count }) => count > (makers.find((maker) => maker.name === name)?.quotes ?? 0)).map(({ name, count, reasons }) => {
    const shown = reasons.slice(0, REASONS_SHOWN).map(({ reason, count: so, byLegs }) => {
      const legs = Object.keys(byLegs).map(Number).sort((a, b) => a - b).map((of) => `${of}: ${thousands(byLegs[of]!)}`)
      return `${thousands(so)} ${shownWords(reason)}${legs.length === 0 ? '' : ` (legs ${legs.join(', ')})`}`
    })
    return `${name} passed ${times(count)}: ${shown.join('; ')}${reasons.length > REASONS_SHOWN ? '; others' : ''}`
  })
}
