import type { z } from 'zod'
import type { Issue } from '../../venue/parlay/wire/errors.ts'

const placeOf = (path: readonly PropertyKey[]): (string | number)[] => path.map((part) => (typeof part === 'number' ? part : String(part)))

/** `details.issues` of a request whose shape is wrong (PQ-355, PQ-466): one for each field, with its place in the body, the query or the path. */
export const issuesOf = (error: z.ZodError): Issue[] => error.issues.flatMap((issue) =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: [...placeOf(issue.path), key], message: 'there is no such field' }))
    : [{ path: placeOf(issue.path), message: issue.message }])

/** Issues of a body that could not be read at all. */
export const MALFORMED: readonly Issue[] = [{ path: [], message: 'a JSON body is expected' }]
export const DUPLICATE: readonly Issue[] = [{ path: [], message: 'each field once is expected' }]
