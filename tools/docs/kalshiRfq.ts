// Prints the life cycles recorded in ../shared/data/kalshi-rfq: instants of the exchange, in seconds from the quote's creation.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../shared/data/kalshi-rfq/', import.meta.url))
const SCENARIOS = ['accept_yes', 'accept_no', 'lapse', 'delete_after_accept', 'off_grid']

interface Step {
  readonly at: string
  readonly step: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Seconds from `from` to `to`, both ISO 8601 with up to six decimals, without rounding them to milliseconds. */
const secondsBetween = (from: string, to: string): number => secondsOf(to) - secondsOf(from)

function secondsOf(iso: string): number {
  const [, time, fraction = ''] = /^(.*?\d\d:\d\d:\d\d)(\.\d+)?/.exec(iso)!
  return Date.parse(`${time}Z`) / 1000 + Number(`0${fraction}`)
}

function stepsOf(scenario: string): Step[] {
  return readFileSync(`${FOLDER}scenario_${scenario}.jsonl`, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Step)
}

const shown = (from: unknown, to: unknown): string =>
  typeof from === 'string' && typeof to === 'string' ? secondsBetween(from, to).toFixed(3) : '–'

const row = (...cells: string[]): string => cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(12))).join('').trimEnd()

console.log(row('scenario', 'accepted', 'confirmed', 'executed', 'last status', 'refused'))
for (const scenario of SCENARIOS) {
  const steps = stepsOf(scenario)
  const quote = steps.find(({ step }) => step === 'quote_terminal')?.data ?? {}
  const { created_ts: created, accepted_ts: accepted, confirmed_ts: confirmed, executed_ts: executed, status } = quote
  const refusal = steps.find(({ data }) => data['error'] === true)
  console.log(row(
    scenario, shown(created, accepted), shown(created, confirmed), shown(created, executed), String(status ?? '–'),
    refusal === undefined ? '–' : `${refusal.data['status']}`,
  ))
}

console.log('')
console.log(row('what', 'seconds'))
for (const scenario of ['accept_yes', 'accept_no']) {
  const { data } = stepsOf(scenario).find(({ step }) => step === 'quote_terminal')!
  console.log(row(`${scenario}: confirmed to executed`.padEnd(48), shown(data['confirmed_ts'], data['executed_ts'])))
}
const lapse = stepsOf('lapse')
const terminal = lapse.find(({ step }) => step === 'quote_terminal')!.data
const late = lapse.find(({ step }) => step === 'late_confirm_error')!
console.log(row('lapse: accepted to the refused confirmation'.padEnd(48), shown(terminal['accepted_ts'], late.at)))
const lastPoll = lapse.findLast(({ step }) => step === 'quote_status_poll')!
console.log(row('lapse: accepted to the last poll, still accepted'.padEnd(48), shown(terminal['accepted_ts'], lastPoll.at)))
