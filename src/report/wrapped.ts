/** Columns of texts on a terminal. */
export const WIDTH = 100

/** Parts behind a beginning, in lines of at most `WIDTH` columns; a part that is longer has a line of its own. Later lines begin with so many blanks. */
export function wrapped(begin: string, indent: number, separator: string, parts: readonly string[]): string[] {
  const lines: string[] = []
  let line = begin
  for (const [i, part] of parts.entries()) {
    const text = i + 1 < parts.length ? part + separator : part
    if (line.length > indent && line.length + text.trimEnd().length > WIDTH) {
      lines.push(line.trimEnd())
      line = ' '.repeat(indent)
    }
    line += text
  }
  return [...lines, line.trimEnd()]
}
