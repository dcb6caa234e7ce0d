import { readFileSync, statSync } from 'node:fs'
import { codeFrameColumns } from '@babel/code-frame'
import { visibleText, withShortLines } from '../../unit/visibleText.ts'
import type { FilePlace } from '../failure.ts'

/** Files whose lines are shown. */
const MODULE = /\.[cm]?[jt]s$/
const SHOWN_BYTES_MAX = 2 * 2 ** 20

/** The lines of a file around a place. Empty where the file is not what a trace can be about: a trace can be forged. */
export function frameAt({ file, line, column }: FilePlace): string {
  try {
    const stat = statSync(file)
    if (!MODULE.test(file) || !stat.isFile() || stat.size > SHOWN_BYTES_MAX) return ''
    return withShortLines(visibleText(codeFrameColumns(readFileSync(file, 'utf8'), { start: { line, column } }, { linesAbove: 2, linesBelow: 1 })))
  } catch {
    return ''
  }
}
