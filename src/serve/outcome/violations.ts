import type { z } from 'zod'
import type { FieldViolation } from '../../venue/outcome/wire/errors.ts'

/** An input that could be read, or why not: INVALID_REQUEST with these violations. */
export type Parsed<T> = { readonly ok: T } | { readonly violations: readonly FieldViolation[] }

/** The input as a whole cannot be read. */
export const WHOLE: FieldViolation = { field: '', code: 'INVALID' }

type Path = readonly PropertyKey[]

const escaped = (name: PropertyKey): string => String(name).replaceAll('~', '~0').replaceAll('/', '~1')

/** The JSON pointer (RFC 6901) of a path. */
const pointerOf = (path: Path): string => path.map((name) => `/${escaped(name)}`).join('')

/** Is there nothing at the path, not even null? An absent field and one that is null are different inputs (OM-035). */
function isAbsent(input: unknown, path: Path): boolean {
  let value = input
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return true
    value = (value as Readonly<Record<PropertyKey, unknown>>)[name]
  }
  return false
}

/** What is wrong with the fields of an input (OM-174), in the order of the schema: the fields that it does not know come last in their object. */
function violationsOf(issues: readonly z.core.$ZodIssue[], input: unknown): FieldViolation[] {
  const violations: FieldViolation[] = []
  for (const issue of issues) {
    const path: Path = issue.path
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) violations.push({ field: pointerOf([...path, key]), code: 'UNEXPECTED' })
      continue
    }
    const field = pointerOf(path)
    // A value may miss several checks of its schema at once, and is invalid once.
    if (violations.at(-1)?.field !== field) violations.push({ field, code: isAbsent(input, path) ? 'REQUIRED' : 'INVALID' })
  }
  return violations
}

/** What `schema` reads in a JSON value, or what is wrong with its fields. */
export function parsed<T>(schema: z.ZodType<T>, input: unknown): Parsed<T> {
  const result = schema.safeParse(input)
  return result.success ? { ok: result.data } : { violations: violationsOf(result.error.issues, input) }
}
