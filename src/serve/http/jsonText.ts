/** A body that was read, or why it was not: it is no UTF-8 or no JSON, or an object in it names a field twice. */
export type JsonRead = { readonly value: unknown } | { readonly fault: 'malformed' | 'duplicate' }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of a body. A name that stands twice in one object is a fault, since readers differ in which of the two counts. Numbers are
 * doubles, as RFC 8259 (section 6) expects of a peer.
 */
export function readJsonText(bytes: Uint8Array): JsonRead {
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return namesIn(text) > fieldsOf(value) ? { fault: 'duplicate' } : { value }
  } catch {
    return { fault: 'malformed' }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** How many names of fields a text of JSON has: the colons outside of its strings. */
function namesIn(text: string): number {
  let names = 0
  for (let i = 0; i < text.length; i++) {
    const sign = text.charCodeAt(i)
    if (sign === COLON) names++
    else if (sign === QUOTE) {
      for (i++; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
    }
  }
  return names
}

/** How many fields the objects of a value of JSON have: one for each name that an object has, however often. */
function fieldsOf(value: unknown): number {
  let fields = 0
  const open = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one !== 'object' || one === null) continue
    if (!Array.isArray(one)) fields += Object.keys(one).length
    for (const inner of Object.values(one)) if (typeof inner === 'object') open.push(inner)
  }
  return fields
}
