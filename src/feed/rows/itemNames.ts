import { FileTally } from '../importTally.ts'
import type { InputFile } from './inputFiles.ts'
import { textBytes } from './textBytes.ts'

/** Stands in a path for each member of an object or list, and has no name. */
const EACH = '*'

const QUOTE = 0x22
const DOT = 0x2e

/** How the last name of a path ends where it stands. */
function textsOf(column: string, hasTexts: boolean): string[] {
  const name = column.split('.').findLast((part) => part !== EACH)
  if (name === undefined) return []
  return hasTexts ? [`${name}"`, `${name}\\"`] : [`${name}"`]
}

/** Which columns are named in files of JSON. Bytes are searched and nothing is parsed: a text of that form is taken for a name, too. */
export class ItemNames {
  private readonly found = new Set<string>()
  private declare readonly sought: ReadonlyMap<string, readonly Buffer[]>

  /** @param hasTexts whether a name may stand in a text within a text, too. */
  constructor(columns: readonly string[], hasTexts: boolean) {
    this.sought = new Map(columns.map((column) => [column, textsOf(column, hasTexts).map((text) => Buffer.from(text))]))
    // A member of an object may be called anything.
    for (const [column, texts] of this.sought) if (texts.length === 0) this.found.add(column)
  }

  has(column: string): boolean {
    return this.found.has(column)
  }

  /** Looks for the names in some bytes. */
  lookAt(bytes: Buffer): void {
    for (const [column, texts] of this.sought) if (texts.some((text) => isNamed(bytes, text))) this.found.add(column)
  }

  /** Looks for the names in all of a file, as far as is needed. */
  async lookInto(file: InputFile): Promise<void> {
    const left = new Map([...this.sought].filter(([column]) => !this.found.has(column)))
    const longest = Math.max(0, ...[...left.values()].flat().map(({ length }) => length)) + 1
    let before: Buffer = Buffer.alloc(0)
    if (left.size === 0) return
    for await (const chunk of textBytes(file, new FileTally(file.name))) {
      // A name may lie where two stretches meet.
      const seam = Buffer.concat([before, chunk.subarray(0, longest)])
      for (const [column, texts] of left) {
        if (!texts.some((text) => isNamed(chunk, text) || isNamed(seam, text))) continue
        this.found.add(column)
        left.delete(column)
      }
      if (left.size === 0) return
      before = Buffer.from(chunk.length < longest ? seam : chunk.subarray(chunk.length - longest))
    }
  }
}

/** Whether a name stands in a text, alone or behind a dot. It is searched without what stands before it, which stands before most names. */
function isNamed(bytes: Buffer, text: Buffer): boolean {
  for (let at = bytes.indexOf(text, 1); at >= 0; at = bytes.indexOf(text, at + 1)) if (bytes[at - 1] === QUOTE || bytes[at - 1] === DOT) return true
  return false
}
