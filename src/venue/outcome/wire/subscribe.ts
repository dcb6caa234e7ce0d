import { NONE } from '../../eventRows.ts'
import { ChannelBit, StreamFlag } from '../protocol/access.ts'
import { OUTCOME_GATE_SETTINGS } from '../protocol/gate.ts'
import { limbsOfDecimal } from '../protocol/outcomeId.ts'
import { BodyFields, type FieldViolation } from './bodyFields.ts'
import { integerOf } from './encoding.ts'
import { type Parsed, parsed } from './requests.ts'

/** Most outcomes of a market-data subscription (OM-161), where the profile says nothing else. */
export const MARKET_OUTCOMES_MAX = OUTCOME_GATE_SETTINGS.marketOutcomesMax.default

const CHANNELS: Readonly<Record<string, number>> = { account: ChannelBit.account, maker: ChannelBit.maker }

/** What an openStream command carries. */
export interface Subscribe {
  /** ChannelBit mask. */
  readonly channels: number
  /** StreamFlag mask. */
  readonly flags: number
  /** −1: begin with a snapshot. */
  readonly cursor: number
}

/** What an openMarketStream command carries. */
export interface MarketSubscribe {
  readonly outcomeIds: readonly string[]
  readonly cursor: number
}

const NO_JSON: FieldViolation = { field: '', code: 'INVALID' }

/** The fields of a first frame, or null when it is no JSON. */
function fieldsOf(text: string): BodyFields | null {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return null
  }
  const fields = new BodyFields(frame)
  fields.required('type', (value) => (value === 'subscribe' ? value : null))
  return fields
}

/** A list of 1 to `max` different texts, each of which `check` lets pass. */
function distinct(fields: BodyFields, name: string, max: number, check: (item: string) => boolean): string[] {
  const seen = new Set<unknown>()
  const list = fields.items(name, 1, max, (item, pointer) => {
    if (typeof item !== 'string' || !check(item) || seen.has(item)) fields.violations.push({ field: pointer, code: 'INVALID' })
    seen.add(item)
    return item as string
  })
  return list ?? []
}

/** An absent cursor asks for a snapshot; null is no cursor (OM-035). */
const cursorIn = (fields: BodyFields): number => fields.optional('cursor', integerOf, NONE) ?? NONE

/**
 * Reads the first frame of `/v1/stream` (OM-165, chosen): `{ type: 'subscribe', channels: ['account', 'maker'],
 * publication_freshness?: true | false, cursor?: '<decimal>' }`. With violations it is none: INVALID_SUBSCRIPTION (OM-160).
 */
export function readSubscribe(text: string): Parsed<Subscribe> {
  const fields = fieldsOf(text)
  if (fields === null) return { violations: [NO_JSON] }
  const channels = distinct(fields, 'channels', 2, (item) => Object.hasOwn(CHANNELS, item)).reduce((mask, name) => mask | (CHANNELS[name] ?? 0), 0)
  const isFresh = fields.optional('publication_freshness', (value) => (typeof value === 'boolean' ? value : null), false)
  return parsed(fields, { channels, flags: isFresh === true ? StreamFlag.freshness : 0, cursor: cursorIn(fields) })
}

/** Reads the first frame of the market-data socket: `{ type: 'subscribe', outcomes: ['<outcome_id>', …], cursor?: '<decimal>' }`. */
export function readMarketSubscribe(text: string, outcomesMax = MARKET_OUTCOMES_MAX): Parsed<MarketSubscribe> {
  const fields = fieldsOf(text)
  if (fields === null) return { violations: [NO_JSON] }
  const outcomeIds = distinct(fields, 'outcomes', outcomesMax, (item) => limbsOfDecimal(item) !== null)
  return parsed(fields, { outcomeIds, cursor: cursorIn(fields) })
}
