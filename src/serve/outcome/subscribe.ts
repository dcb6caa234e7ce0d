import { z } from 'zod'
import { NONE } from '../../unit/none.ts'
import { ChannelBit, StreamFlag } from '../../venue/outcome/protocol/access.ts'
import { OUTCOME_GATE_SETTINGS } from '../../venue/outcome/protocol/gate.ts'
import { outcomeId, streamCursor } from './fields.ts'
import { parsed, type Parsed, WHOLE } from './violations.ts'

/** Most outcomes of a market-data subscription (OM-161), where the profile says nothing else. */
export const MARKET_OUTCOMES_MAX = OUTCOME_GATE_SETTINGS.marketOutcomesMax.default

const CHANNELS = ['account', 'maker'] as const

/**
 * A list of 1 to `max` different texts. Its check runs when items are no such texts too, which zod would leave out, and puts what it
 * finds among what is wrong with them, by place.
 */
const distinct = <T extends z.ZodType<string>>(item: T, max: number) => z.array(item).min(1).max(max).superRefine((list, context) => {
  list.forEach((value, place) => {
    if (list.indexOf(value) < place) context.issues.push({ code: 'custom', path: [place], input: value })
  })
  context.issues.sort((a, b) => Number(a.path?.[0]) - Number(b.path?.[0]))
}, { when: ({ value }) => Array.isArray(value) && value.length <= max }).meta({ uniqueItems: true })

const type = z.literal('subscribe')
/** An absent cursor asks for a snapshot; null is no cursor (OM-035). */
const cursor = streamCursor.optional()
const publication_freshness = z.boolean().optional()
/** StreamFlag mask. */
const flagsOf = (isFresh: boolean | undefined): number => (isFresh === true ? StreamFlag.freshness : 0)

/**
 * The first frame of `/v1/stream` (OM-165, chosen): `{ type: 'subscribe', channels: ['account', 'maker'],
 * publication_freshness?: true | false, cursor?: '<decimal>' }`.
 */
export const SubscribeFrame = z.strictObject({ type, channels: distinct(z.enum(CHANNELS), CHANNELS.length), publication_freshness, cursor })
  .transform(({ channels, publication_freshness: isFresh, cursor }) => ({
    /** ChannelBit mask. */
    channels: channels.reduce((mask, name) => mask | ChannelBit[name], 0),
    flags: flagsOf(isFresh),
    /** −1: begin with a snapshot. */
    cursor: cursor ?? NONE,
  }))
export type Subscribe = z.output<typeof SubscribeFrame>

/** The first frame of the market-data socket: `{ type: 'subscribe', outcomes: ['<outcome_id>', …], publication_freshness?, cursor? }` (OM-295, chosen). */
export const marketSubscribeFrame = (outcomesMax = MARKET_OUTCOMES_MAX) => z.strictObject({ type, outcomes: distinct(outcomeId, outcomesMax), publication_freshness, cursor })
  .transform(({ outcomes, publication_freshness: isFresh, cursor }) => ({ outcomeIds: outcomes, flags: flagsOf(isFresh), cursor: cursor ?? NONE }))
export type MarketSubscribe = z.output<ReturnType<typeof marketSubscribeFrame>>

/** Reads the first frame of `/v1/stream`. With violations it is none: INVALID_SUBSCRIPTION (OM-160). */
export const readSubscribe = (text: string): Parsed<Subscribe> => readFrame(SubscribeFrame, text)

/** The same of the market-data socket. */
export const readMarketSubscribe = (text: string, outcomesMax = MARKET_OUTCOMES_MAX): Parsed<MarketSubscribe> => readFrame(marketSubscribeFrame(outcomesMax), text)

function readFrame<T>(schema: z.ZodType<T>, text: string): Parsed<T> {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return { violations: [WHOLE] }
  }
  return parsed(schema, frame)
}
