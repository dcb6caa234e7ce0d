import { z } from 'zod'
import { DAY_US } from '../unit/time.ts'
import { quantity, read, strict } from './settings.ts'
import { readInstant, readQuantity, shown } from './units.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/
const USDC_MAX_MICROS = 1e15
export const YEAR_US = 366 * DAY_US

export const text = z.string({ error: (issue) => `expected a text, got ${shown(issue.input)}` })
export const named = text.regex(NAME, { error: (issue) => `expected a name of letters, digits, blanks and . _ -, got ${shown(issue.input)}` })
export const flag = z.boolean({ error: (issue) => `expected true or false, got ${shown(issue.input)}` })
export const list = <T extends z.ZodType>(item: T, least: number, of: string) =>
  z.array(item, { error: (issue) => `expected a list of ${of}, got ${shown(issue.input)}` }).min(least, { error: `expected at least one of the ${of}` })

export const span = (maxUs = YEAR_US) => quantity('duration', 0, maxUs)
export const money = (minMicros: number) => quantity('money', minMicros, USDC_MAX_MICROS)
export const instant = read(text, readInstant)

/** A delay: `120ms`, or a fixed part and the width of a uniform one. */
export const delay = z.union([z.string(), z.number(), z.looseObject({})], { error: (issue) => `expected a duration such as 120ms, or {base, jitter}, got ${shown(issue.input)}` })
  .transform((input, context) => {
    const parts = delayParts.safeParse(typeof input === 'object' ? input : { base: input }, { reportInput: true })
    if (parts.success) return { baseUs: parts.data.base, jitterUs: parts.data.jitter }
    for (const issue of parts.error.issues) {
      context.issues.push({ ...issue, path: typeof input === 'object' ? issue.path : [] } as z.core.$ZodRawIssue)
    }
    return z.NEVER
  })
const delayParts = strict({ base: span(DAY_US), jitter: span(DAY_US).prefault(0) })

/** An instant, or a duration from one that the scenario's window gives. */
export const instantOrSpan = (from: string) => {
  const fault = (input: unknown): string => `expected an instant or a duration ${from}, got ${shown(input)}`
  return z.union([z.string(), z.number()], { error: (issue) => fault(issue.input) })
    .transform((input, context): { atUs: number } | { spanUs: number } => {
      const at = readInstant(input)
      if ('value' in at) return { atUs: at.value }
      const quantity = readQuantity('duration', input)
      if ('value' in quantity) return { spanUs: quantity.value }
      context.addIssue({ code: 'custom', message: fault(input) })
      return z.NEVER
    })
}

export const share = quantity('share', 0, 1)

export const from = instantOrSpan('after the begin').describe('an instant, or a duration after the begin of the session')
export const length = quantity('duration', 1, YEAR_US)
