import { thousands } from './numberText.ts'

/** C0 and C1 control characters but the line feed and the tab, DEL, and the marks that turn the direction of writing. */
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * A text as a terminal may have it. Names come from scenarios, stores, tables and strategies of strangers: what would move the cursor, colour
 * the screen, set its title or turn the writing around is written as `\\u001b`.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(INVISIBLE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A line of a remark shows no more of a name, a path or a line of a file than this. */
const LETTERS_MAX = 2_000

/** Words of a stranger, as a part of a line: visible, and no more than 2,000 letters of them, or `most`, an even number. */
export const shownWords = (text: string, most = LETTERS_MAX): string => shortLine(visibleText(text.replaceAll('\n', ' ')), most)

/** A text whose lines of more than 2,000 letters are cut in their middle. */
export const withShortLines = (text: string): string => text.split('\n').map((line) => shortLine(line, LETTERS_MAX)).join('\n')

/** What stands where a line was cut. */
const CUT = /^ … [\d,]+ letters … $/

/** A line that was cut before stays as it is, so that its count stays that of the whole. */
function shortLine(line: string, most: number): string {
  const half = most / 2
  if (line.length <= most || CUT.test(line.slice(half, -half))) return line
  return `${line.slice(0, half)} … ${thousands(line.length - most)} letters … ${line.slice(-half)}`
}
