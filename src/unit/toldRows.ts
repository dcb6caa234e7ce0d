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

/** A text of its own: what is cut from a longer text, or joined of several, keeps them alive. */
const ownText = (text: string, lettersMax: number): string => Buffer.from(text.slice(0, lettersMax), 'utf16le').toString('utf16le')

/**
 * What strategies say of themselves, since it was cleared: why makers passed, and their logs. No service hears it, and no digest has it.
 * Reasons and lines are cut. A maker has so many different reasons, after which they are counted together, and a participant so many lines, after
 * which they are left out. Passes are as many as whoever calls `pass` lets through: a desk lets one through for each call of a handler.
 */
export class ToldRows {
  readonly passes: ToldPass[] = []
  readonly logs: ToldLog[] = []
  private readonly reasons = new Map<string, Map<string, string>>()
  private readonly lines = new Map<string, number>()

  pass(call: TellingCall, reason: string): void {
    this.passes.push({ ...call, reason: this.known(call, reason === '' ? NO_REASON : ownText(reason, NAME_MAX)) })
  }

  log(call: TellingCall, text: string, name: string, value: number): void {
    const who = `${call.service} ${call.participant}`
    const lines = this.lines.get(who) ?? 0
    if (lines > LINES_MAX) return
    this.lines.set(who, lines + 1)
    if (lines === LINES_MAX) this.logs.push({ ...call, text: LEFT_OUT, name: '', value: NaN })
    else this.logs.push({ ...call, text: ownText(text, TEXT_MAX), name: ownText(name, NAME_MAX), value })
  }

  clear(): void {
    this.passes.length = this.logs.length = 0
  }

  private known({ service, participant }: TellingCall, reason: string): string {
    const who = `${service} ${participant}`
    let known = this.reasons.get(who)
    if (known === undefined) this.reasons.set(who, known = new Map())
    const same = known.get(reason)
    if (same !== undefined) return same
    if (known.size === REASONS_MAX) return OTHER_REASONS
    known.set(reason, reason)
    return reason
  }
}
