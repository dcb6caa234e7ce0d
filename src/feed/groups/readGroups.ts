import { readFileSync } from 'node:fs'
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { InputError } from '../../unit/inputError.ts'
import { compiledRules } from './compiledRules.ts'
import { type GroupRules, groupsSchema } from './groupRules.ts'

const HINT = 'docs/groups.md describes the file'

/** Reads a file of rules. Throws InputError, with line and column, for one that is not YAML, or whose rules are wrong. */
export function readGroups(path: string): GroupRules {
  const lines = new LineCounter()
  const document = parseDocument(textOf(path), { lineCounter: lines, prettyErrors: false })
  const at = (offset: number, message: string): InputError => {
    const { line, col } = lines.linePos(offset)
    return new InputError(message, { position: { file: path, line, column: col }, hint: HINT })
  }
  const [error] = document.errors
  if (error !== undefined) throw at(error.pos[0], error.message.split('\n', 1)[0]!)
  const parsed = groupsSchema.safeParse(valueOf(document, (message) => at(0, message)))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const message = issue!.message.replace(/^Invalid input: (.*), received undefined$/, 'is missing: $1')
    throw at(offsetOf(document.contents, issue!.path), [issue!.path.join('.'), message].filter((part) => part !== '').join(': '))
  }
  compiledRules(parsed.data, (place, message) => { throw at(offsetOf(document.contents, place), `${place.join('.')}: ${message}`) })
  return parsed.data
}

/** Aliases of aliases stand for more values than anybody has memory for, and one without its anchor for none. */
function valueOf(document: Document, fault: (message: string) => InputError): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw fault((cause as Error).message)
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new InputError('cannot read the file', { position: { file: path }, hint: HINT, cause })
  }
}

/** Where a value stands in the file, or the nearest that holds it. */
function offsetOf(root: unknown, path: readonly PropertyKey[]): number {
  let node = root
  let offset = isNode(root) ? root.range?.[0] ?? 0 : 0
  for (const part of path) {
    if (isMap(node)) node = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))?.value
    else if (isSeq(node)) node = node.items[Number(part)]
    else return offset
    if (!isNode(node)) return offset
    offset = node.range?.[0] ?? offset
  }
  return offset
}
