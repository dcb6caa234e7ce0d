import type { SERVICE_NAMES } from './services.ts'

/** Letters of a reason and of a column of a strategy's own, and different reasons of one maker. */
const NAME_MAX = 80
const REASONS_MAX = 50
/** What reasons are called that a maker gives beyond these. */
export const OTHER_REASONS = 'other reasons'
const NO_REASON = 'no reason'
/** Letters of a line of a log, and lines of one participant. */
const TEXT_MAX = 500
const LINES_MAX = 1_000_000
const LEFT_OUT = 'more lines are left out'

/** Where a strategy says something of itself. */
export interface TellingCall {
  readonly service: (typeof SERVICE_NAMES)[number]
  readonly atUs: number
  /** Name of the maker or the cohort. */
  readonly participant: string
  readonly handler: string
  /** Number of the request that the handler is about, below 0 for none. */
  readonly request: number
  /** Its legs, or those of the auction or position, below 0 for none. */
  readonly legCount: number
}

/** A maker let something go by. */
export interface ToldPass extends TellingCall {
  readonly reason: string
}

/** A line of a strategy's log. With a name it has a column of the strategy's own, otherwise '' and NaN. */
export interface ToldLog extends TellingCall {
  readonly text: string
  readonly name: string
  readonly value: number
}

/**
 * What strategies say of themselves, since it was cleared: why makers passed, and their logs. No service hears it, and no digest has it. It is
 * bounded: reasons and lines are cut, and what is too many of them is counted together or left out.
 */
export class ToldRows {
  readonly passes: ToldPass[] = []
  readonly logs: ToldLog[] = []
  private readonly reasons = new Map<string, Set<string>>()
  private readonly lines = new Map<string, number>()

  pass(call: TellingCall, reason: string): void {
    this.passes.push({ ...call, reason: this.known(call, reason === '' ? NO_REASON : reason.slice(0, NAME_MAX)) })
  }

  log(call: TellingCall, text: string, name: string, value: number): void {
    const who = `${call.service} ${call.participant}`
    const lines = this.lines.get(who) ?? 0
    if (lines > LINES_MAX) return
    this.lines.set(who, lines + 1)
    if (lines === LINES_MAX) this.logs.push({ ...call, text: LEFT_OUT, name: '', value: NaN })
    else this.logs.push({ ...call, text: text.slice(0, TEXT_MAX), name: name.slice(0, NAME_MAX), value })
  }

  clear(): void {
    this.passes.length = this.logs.length = 0
  }

  private known({ service, participant }: TellingCall, reason: string): string {
    const who = `${service} ${participant}`
    let known = this.reasons.get(who)
    if (known === undefined) this.reasons.set(who, known = new Set())
    if (known.has(reason)) return reason
    if (known.size === REASONS_MAX) return OTHER_REASONS
    known.add(reason)
    return reason
  }
}
