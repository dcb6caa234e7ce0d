import { z } from 'zod'
import { USDC } from '../../../unit/micros.ts'
import { exactScaled } from '../decimals.ts'

const USDC_DECIMALS = 6
const ODDS_DECIMALS = 4

/** A number of at most so many decimals. */
const decimal = (places: number) => z.number().refine((value) => exactScaled(value, places) !== null, { error: `at most ${places} decimals are expected`, abort: true })

/** Decimal USDC, of microUSDC from `leastMicros` to `mostMicros`. */
export const usdc = (leastMicros: number, mostMicros: number) => decimal(USDC_DECIMALS).min(leastMicros / USDC).max(mostMicros / USDC)

/** Payout odds from `leastE4` to `mostE4` ten-thousandths. */
export const odds = (leastE4: number, mostE4: number) => decimal(ODDS_DECIMALS).min(leastE4 / 10 ** ODDS_DECIMALS).max(mostE4 / 10 ** ODDS_DECIMALS)

export const microsOf = (value: number): number => exactScaled(value, USDC_DECIMALS)!
export const oddsE4Of = (value: number): number => exactScaled(value, ODDS_DECIMALS)!

export const count = z.int().min(1)
export const validity = (leastMs: number, mostMs: number, defaultMs: number) =>
  z.int().min(leastMs).max(mostMs).optional().describe(`milliseconds from receipt; ${defaultMs} when it is left out`)

export const uuid = z.uuid()
export const id = z.strictObject({ id: uuid })

/** An integer of a query, whose values are texts. */
export const queryInteger = (least: number, most: number, byDefault: number) =>
  z.string().regex(/^\d{1,9}$/, { error: 'an integer is expected', abort: true }).transform(Number).pipe(z.int().min(least).max(most)).default(byDefault)
    .meta({ parameter: { type: 'integer', minimum: least, maximum: most, default: byDefault } })

/** Pages of the lists whose sizes the document does not give (PQ-451). */
export const page = z.object({ limit: queryInteger(1, 100, 50), cursor: z.string().optional() })
