import { codeFrameColumns } from '@babel/code-frame'
import { InputError, type InputPosition } from '../unit/inputError.ts'

/** One thing that is wrong with a scenario: where, at which setting, what was expected, and how its line looks. */
export interface Mistake {
  readonly position: InputPosition
  /** Setting, as `makers.1.latency`; '' for the file as a whole. */
  readonly path: string
  readonly message: string
  readonly hint?: string
  readonly frame?: string
}

/** So many mistakes are told of at once. Each costs a look at the whole file, and nobody reads more of them. */
export const MISTAKES_MAX = 50

/** The keys and places that lead to a setting. */
export type Path = readonly PropertyKey[]

export interface MistakeOptions {
  readonly hint?: string
  /** Points at a key of the map at the path, not at its value. */
  readonly key?: string
}

/** Tells of a setting what does not fit. */
export type Fail = (path: Path, message: string, options?: MistakeOptions) => void

/** Everything that is wrong with a scenario, in the order of the file. */
export class ScenarioMistakes extends InputError {
  readonly mistakes: readonly Mistake[]

  /** Precondition: at least one mistake. */
  constructor(mistakes: readonly Mistake[]) {
    const first = mistakes[0]!
    super(messageOf(first), first.hint === undefined ? { position: first.position } : { position: first.position, hint: first.hint })
    this.mistakes = mistakes
  }

  override describe(): string {
    const parts = this.mistakes.map((mistake) => {
      const { file, line, column } = mistake.position
      const place = [file, line, column].filter((part) => part !== undefined).join(':')
      const lines = [`${place}: ${messageOf(mistake)}`]
      if (mistake.hint !== undefined) lines.push(`  hint: ${mistake.hint}`)
      if (mistake.frame !== undefined) lines.push(mistake.frame)
      return lines.join('\n')
    })
    return this.mistakes.length === 1 ? parts[0]! : `${parts.join('\n')}\n${this.mistakes.length} mistakes${this.mistakes.length === MISTAKES_MAX ? ', or more' : ''}`
  }
}

const messageOf = ({ path, message }: Mistake): string => (path === '' ? message : `${path}: ${message}`)

/** A mistake at a line and column of a text, with its code frame. */
export function mistakeAt(
  file: string, text: string, at: { readonly line: number; readonly column: number }, path: string, message: string, hint?: string,
): Mistake {
  const more = hint === undefined ? {} : { hint: beginning(hint) }
  return { position: { file, line: at.line, column: at.column }, path: beginning(path), message: beginning(message), ...more, frame: frameOf(text, at) }
}

/** So much is told of a message that quotes the file, of a path and of a hint. */
const TOLD_MAX = 1000
const beginning = (text: string): string => (text.length > TOLD_MAX ? `${text.slice(0, TOLD_MAX)}…` : text)

/** So much of a line is shown, and so much of it before the place that is meant. */
const SHOWN_MAX = 160
const SHOWN_BEFORE = 60

/** The line of a mistake and the one above it. Of long lines a part is shown. */
function frameOf(text: string, { line, column }: { readonly line: number; readonly column: number }): string {
  const lines = text.split('\n')
  const from = (lines[line - 1] ?? '').length > SHOWN_MAX ? Math.max(0, column - 1 - SHOWN_BEFORE) : 0
  const part = (whole: string, at: number): string => (whole.length > SHOWN_MAX ? `${at > 0 ? '…' : ''}${whole.slice(at, at + SHOWN_MAX)}${at + SHOWN_MAX < whole.length ? '…' : ''}` : whole)
  const shown = lines.map((whole, i) => (i === line - 1 ? part(whole, from) : i === line - 2 ? part(whole, 0) : ''))
  return codeFrameColumns(shown.join('\n'), { start: { line, column: column - from + (from > 0 ? 1 : 0) } }, { linesAbove: 1, linesBelow: 0 })
}
