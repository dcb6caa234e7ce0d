import { isDeepStrictEqual } from 'node:util'
import type { Json, Seen } from './client.ts'

/** What was seen is not what the document says. */
export class Refuted extends Error {}

const shown = (value: unknown): string => {
  const text = typeof value === 'function' ? value.name : value instanceof RegExp ? String(value) : JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/** Is the value what the document says? */
export function is(value: unknown, expected: unknown, what = 'it'): void {
  if (!isDeepStrictEqual(value, expected)) throw new Refuted(`${what} is ${shown(value)}, expected ${shown(expected)}`)
}

/** Does it hold? */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Refuted(`not seen: ${what}`)
}

/**
 * Has the value this shape? An object has at least these fields, a list exactly these entries. A text matches a RegExp; `String`, `Number`,
 * `Boolean` and `Object` stand for any text, number, yes or no, and object; a function says for itself.
 */
export function like(value: Json, shape: unknown, where = 'body'): void {
  if ([String, Number, Boolean].includes(shape as never)) {
    const { name } = shape as { name: string }
    if (typeof value !== name.toLowerCase()) throw new Refuted(`${where} is ${shown(value)}, expected a ${name.toLowerCase()}`)
  } else if (shape === Object) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refuted(`${where} is ${shown(value)}, expected an object`)
  } else if (typeof shape === 'function') {
    if ((shape as (value: Json) => boolean)(value) !== true) throw new Refuted(`${where} is ${shown(value)}, expected ${shape.name || 'another'}`)
  } else if (shape instanceof RegExp) {
    if (typeof value !== 'string' || !shape.test(value)) throw new Refuted(`${where} is ${shown(value)}, expected ${shape}`)
  } else if (Array.isArray(shape)) {
    if (!Array.isArray(value) || value.length !== shape.length) throw new Refuted(`${where} is ${shown(value)}, expected ${shape.length} entries`)
    for (const [i, part] of shape.entries()) like(value[i], part, `${where}[${i}]`)
  } else if (typeof shape === 'object' && shape !== null) {
    if (typeof value !== 'object' || value === null) throw new Refuted(`${where} is ${shown(value)}, expected an object`)
    for (const [name, part] of Object.entries(shape)) like(value[name], part, `${where}.${name}`)
  } else if (value !== shape) throw new Refuted(`${where} is ${shown(value)}, expected ${shown(shape)}`)
}

/** Has the answer this status and, where it is given, a body of this shape? Returns the body. */
export function sees({ method, path, status, text, body }: Seen, expected: number, shape?: unknown): Json {
  if (status !== expected) throw new Refuted(`${method} ${path} answers ${status} ${shown(text)}, expected ${expected}`)
  if (shape !== undefined) like(body, shape, `the body of ${method} ${path}`)
  return body
}

/** All fields of a body with their names, at whatever depth. */
export function fieldsOf(value: Json): (readonly [name: string, value: Json])[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[name, inner] as const, ...fieldsOf(inner)])
}
