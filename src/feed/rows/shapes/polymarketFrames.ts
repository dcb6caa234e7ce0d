import { isTooDeep } from '../jsonNesting.ts'
import { isItem, type Item, type RowShape, type ShapeOut, textOf } from './shape.ts'

/** Where recorders put a frame, or a list of frames, beside the time at which they received it. */
const FRAME_NAMES = ['msg', 'message', 'data', 'payload', 'frame', 'frames', 'event', 'raw']
const RECEIPT_NAMES = ['recv_ns', 'recv_us', 'recv_ms', 'recv_ts', 'recv_time', 'received', 'received_at', 'receive_time', 'local_timestamp', 'local_ts']
const BIDS = new Set(['buy', 'bid'])
const ASKS = new Set(['sell', 'ask'])
/** Frames of the socket that have no levels, trades or markets. */
const OTHER_FRAMES = new Set(['tick_size_change', 'best_bid_ask'])
const SIGNS = [['event_type', 'asset_id'], ['event_type', 'assets_ids'], ['asset_id', 'bids', 'asks']]

interface Frame {
  readonly frame: Item
  /** As it was recorded, undefined where nobody recorded it. */
  readonly received: unknown
}

/** The frames that an object of a recording has: itself, or those within it. */
function framesOf(item: Item, received: unknown = undefined): readonly Frame[] {
  const own = RECEIPT_NAMES.map((name) => item[name]).find((value) => value !== undefined && value !== null) ?? received
  if (item['event_type'] !== undefined || item['bids'] !== undefined) return [{ frame: item, received: own }]
  for (const name of FRAME_NAMES) {
    const inside = inner(item[name])
    const frames = inside.flatMap((one) => framesOf(one, own))
    if (frames.length > 0) return frames
  }
  return []
}

function inner(value: unknown): readonly Item[] {
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    try {
      const written: unknown = JSON.parse(value)
      return isTooDeep(written) ? [] : inner(written)
    } catch {
      return []
    }
  }
  return [value].flat(1).filter(isItem)
}

/** A row is seen when it was received, and at the exchange's time where nobody recorded that. */
const clockOf = ({ frame, received }: Frame) => ({ time: frame['timestamp'] ?? received, received: received ?? frame['timestamp'] })

const eventTypeOf = ({ event_type: type, bids }: Item): string => (type === undefined && bids !== undefined ? 'book' : textOf(type).toLowerCase())

/** Whole books (`book` frames, and answers of the REST interface) and changes of a level (`price_change`), in order of arrival. */
export const polymarketBooks: RowShape = {
  columns: ['kind', 'token', 'condition', 'time', 'received', 'bids', 'asks'],
  signs: SIGNS,
  begin: () => ({
    take(item, out) {
      const frames = framesOf(item).filter(({ frame }) => !OTHER_SHAPES.has(eventTypeOf(frame)))
      for (const one of frames) takeFrame(one, out)
      return frames.length > 0 && undefined
    },
  }),
}

function takeFrame(one: Frame, out: ShapeOut): void {
  const { frame } = one
  const kind = eventTypeOf(frame)
  const about = { kind, condition: frame['market'], ...clockOf(one) }
  if (kind === 'book') return out.row({ ...about, token: frame['asset_id'], bids: frame['bids'] ?? frame['buys'], asks: frame['asks'] ?? frame['sells'] })
  if (kind === 'price_change') return takeChanges(frame, about, out)
  if (OTHER_FRAMES.has(kind)) return out.note('frame without levels', kind)
  out.bad('unknown event type', `event_type ${kind}`)
}

/** Frames that other shapes read. */
const OTHER_SHAPES = new Set(['last_trade_price', 'new_market', 'market_resolved'])

function takeChanges(frame: Item, about: Item, out: ShapeOut): void {
  // Until September 2025 a frame was of one token, and its changes were called so.
  const changes = frame['price_changes'] ?? frame['changes']
  if (!Array.isArray(changes)) return out.bad('no list of changes', 'a price_change without price_changes')
  for (const change of changes as unknown[]) {
    const { side, price, size, asset_id: token = frame['asset_id'] } = isItem(change) ? change : {} as Item
    const word = textOf(side).toLowerCase()
    if (!BIDS.has(word) && !ASKS.has(word)) out.bad('unknown side', `side '${textOf(side)}'`)
    else out.row({ ...about, token, [BIDS.has(word) ? 'bids' : 'asks']: [[price, size]] })
  }
}

/** `last_trade_price` frames. */
export const polymarketTrades: RowShape = {
  columns: ['token', 'condition', 'time', 'received', 'price'],
  signs: SIGNS,
  marks: ['last_trade_price'],
  begin: () => ({
    take(item, out) {
      const trades = framesOf(item).filter(({ frame }) => eventTypeOf(frame) === 'last_trade_price')
      for (const one of trades) out.row({ token: one.frame['asset_id'], condition: one.frame['market'], price: one.frame['price'], ...clockOf(one) })
      return trades.length > 0 && undefined
    },
  }),
}

/** `market_resolved` frames: a row for each token. */
export const polymarketResolutions: RowShape = {
  columns: ['token', 'result', 'settled'],
  signs: [['event_type', 'assets_ids']],
  marks: ['market_resolved'],
  begin: () => ({
    take(item, out) {
      const resolutions = framesOf(item).filter(({ frame }) => eventTypeOf(frame) === 'market_resolved')
      for (const { frame } of resolutions) {
        const tokens = Array.isArray(frame['assets_ids']) ? (frame['assets_ids'] as unknown[]).map(textOf) : []
        const winner = textOf(frame['winning_asset_id'])
        if (!tokens.includes(winner)) out.bad('no winner', `winning_asset_id '${winner}' is none of its tokens`)
        else for (const token of tokens) out.row({ token, result: token === winner ? 'yes' : 'no', settled: frame['timestamp'] })
      }
      return resolutions.length > 0 && undefined
    },
  }),
}

/** Frames that an object of a recording has, without their receipt. */
export const framesWithin = (item: Item): readonly Item[] => framesOf(item).map(({ frame }) => frame)

const TOKEN_NAMES = ['token_id', 'asset_id', 'token', 'asset', 'market']

/** Answers of prices-history: `{history: [{t, p}]}`. Where the object does not say of which token, the name of the file does. */
export const polymarketHistory: RowShape = {
  columns: ['token', 'time', 'price'],
  signs: [['history', 't', 'p']],
  begin: (stem) => ({
    take(item, out) {
      const { history } = item
      if (!Array.isArray(history)) return false
      const token = TOKEN_NAMES.map((name) => textOf(item[name])).find((text) => text !== '') ?? stem
      for (const point of history as unknown[]) {
        if (isItem(point)) out.row({ token, time: point['t'], price: point['p'] })
        else out.bad('not an object', String(JSON.stringify(point)).slice(0, 60))
      }
      return undefined
    },
  }),
}
