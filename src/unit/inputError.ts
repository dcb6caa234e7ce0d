import { withShortLines } from './visibleText.ts'

/** The place of a mistake in the user's input. Line and column count from 1. */
export interface InputPosition {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/**
 * A mistake of the user (exit code 2): what is wrong, where, and what was expected.
 * A strategy that throws is not a mistake of this kind: it fails the run (exit code 1).
 */
export class InputError extends Error {
  override name = 'InputError'
  declare readonly position: InputPosition | undefined
  declare readonly hint: string | undefined

  constructor(message: string, options: { position?: InputPosition; hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.position = options.position
    this.hint = options.hint
  }

  /** `file:line:column: message` and, when there is one, the hint on its own line. Long lines, which quote what a file has, are cut in their middle. */
  describe(): string {
    const p = this.position
    const place = p === undefined ? '' : [p.file.replaceAll('\n', '\\u000a'), p.line, p.column].filter((x) => x !== undefined).join(':') + ': '
    return withShortLines(place + this.message + (this.hint === undefined ? '' : `\n  hint: ${this.hint}`))
  }
}
