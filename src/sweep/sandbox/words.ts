import type { Role } from '../../scenario/strategies.ts'
import type { CallLimits } from '../../scenario/strategyLimits.ts'
import { InputError } from '../../unit/inputError.ts'
import type { SessionOrder } from '../session.ts'
import type { StrategyAnswer } from '../strategyReader.worker.ts'
import type { Attempt } from '../taskPlayers.ts'

/** What a process in a sandbox is told before anything else. */
export interface PlayerTerms {
  readonly limitMs: number
  readonly limits: CallLimits
  readonly isTrusted: boolean
}

/** What it is asked for. Each is answered once, under its number. */
export type Asked =
  | { readonly number: number; readonly read: { readonly path: string; readonly role: Role | undefined } }
  | { readonly number: number; readonly play: SessionOrder }

export type Answered =
  | { readonly number: number; readonly read: StrategyAnswer }
  | { readonly number: number; readonly play: Attempt }
  /** It could not be done, and that is nobody's mistake but parlor's. */
  | { readonly number: number; readonly bug: string }

/** A result has some hundred numbers for each maker and settlement cluster. What has more letters is no answer. */
export const LETTERS_MAX = 2 ** 25
/** The names of what JSON has not. */
const FLOATS = 'float64'
const NUMBER = 'number64'

/** A line of text for a message. Numbers and arrays of doubles keep every bit. */
export const lineOf = (message: PlayerTerms | Asked | Answered): string => `${JSON.stringify(message, (_, value: unknown) => {
  if (value instanceof Float64Array) return { [FLOATS]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  return typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)) ? { [NUMBER]: Object.is(value, -0) ? '-0' : String(value) } : value
})}\n`

/** A number or an array of doubles of a message, where it stands for one; anything else as it is. */
export function restored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { [FLOATS]: floats, [NUMBER]: number } = value as { readonly [FLOATS]?: unknown; readonly [NUMBER]?: unknown }
  return typeof floats === 'string' ? floatsOf(floats) : typeof number === 'string' ? Number(number) : value
}

function floatsOf(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64')
  return new Float64Array(Uint8Array.from(bytes.subarray(0, bytes.length - bytes.length % 8)).buffer)
}

/** The message of a line from whoever began this process. */
export const toldHere = (line: string): unknown => JSON.parse(line, (_, value: unknown) => restored(value))

/** Cuts what a stream brings into lines. Throws InputError where one has too many letters. */
export class Lines {
  private rest: string[] = []
  private letters = 0

  /** @returns the lines that have ended. */
  take(text: string): string[] {
    const parts = text.split('\n')
    const last = parts.pop()!
    if (this.letters + (parts[0] ?? last).length > LETTERS_MAX) throw new InputError('a line has no end')
    const lines = parts.map((part, i) => (i === 0 ? this.rest.join('') + part : part))
    if (lines.length > 0) [this.rest, this.letters] = [[], 0]
    this.rest.push(last)
    this.letters += last.length
    return lines
  }
}
