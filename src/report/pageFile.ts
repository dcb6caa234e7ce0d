import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { writeWholeText } from '../arrow/wholeFile.ts'
import { InputError } from '../unit/inputError.ts'

const BEGIN = '<!doctype html>'

/** Writes a page, whole or not at all, also over another page. Throws InputError for a file that is something else: it may be one of a result. */
export function writePage(path: string, page: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true && !isPage(path)) throw new InputError('there is something here that is no page', { position: { file: path }, hint: 'choose another name' })
  writeWholeText(path, page)
}

function isPage(path: string): boolean {
  const begin = Buffer.alloc(BEGIN.length)
  const file = openSync(path, 'r')
  try {
    const count = readSync(file, begin, 0, begin.length, 0)
    return count === 0 || begin.toString('latin1', 0, count).toLowerCase() === BEGIN
  } finally {
    closeSync(file)
  }
}
