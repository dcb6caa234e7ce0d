/** A body that was read, or why it was not: it is no UTF-8 or no JSON, or an object in it names a field twice. */
export type JsonRead = { readonly value: unknown } | { readonly fault: 'malformed' | 'duplicate' }

/**
 * The JSON value of a body. A name that stands twice in one object is a fault, since readers differ in which of the two counts. Numbers are
 * doubles, as RFC 8259 (section 6) expects of a peer.
 */
export function readJsonText(bytes: Uint8Array): JsonRead {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return hasDuplicate(text) ? { fault: 'duplicate' } : { value }
  } catch {
    return { fault: 'malformed' }
  }
}

/** Strings, and the signs that open or close objects and lists: all that matters in a text that is JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

/** Whether an object of a JSON text has a name twice. Precondition: the text is JSON. */
function hasDuplicate(text: string): boolean {
  /** The names so far in each object that is open, and null for each list. */
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const names = open.at(-1)!
      const name = JSON.parse(last) as string
      if (names.has(name)) return true
      names.add(name)
    }
    last = token
  }
  return false
}
