import { Decimal } from 'decimal.js'
import { UNKNOWN_OBJECT } from '../objectAccount.ts'
import { framesWithin } from './polymarketFrames.ts'
import { isItem, type Item, listOf, type RowShape, type ShapeOut, textOf } from './shape.ts'

/** What is said of a market's tokens: one row each. */
interface TokenFacts {
  readonly token: string
  readonly outcome: string
  /** What the token is worth, undefined where nobody says. */
  readonly worth?: string | undefined
}

/** What each token of a market is worth. */
type Worths = readonly string[] | undefined

/** Markets of Gamma (and its events), of the CLOB, and of `new_market` frames. A row is a token. */
export const polymarketMarkets: RowShape = {
  columns: ['ticker', 'token', 'title', 'event', 'event_title', 'category', 'game', 'condition', 'open', 'close', 'closed', 'settled', 'result'],
  signs: [['clobTokenIds', 'conditionId'], ['outcomes', 'conditionId'], ['condition_id', 'tokens', 'token_id'], ['assets_ids', 'outcomes']],
  marks: ['new_market', 'clobTokenIds', 'conditionId', 'condition_id'],
  begin: () => ({ take }),
}

function take(item: Item, out: ShapeOut): void | false {
  const { markets, data, tokens } = item
  if (Array.isArray(markets)) return ofList(markets, (market) => gammaMarket(market, item, out), out)
  if (isPage(data)) return ofList(data, (market) => { if (take(market, out) === false) out.bad(UNKNOWN_OBJECT, 'no market') }, out)
  // Trades name a condition, too.
  if (item['conditionId'] !== undefined && item['asset'] === undefined) return gammaMarket(item, undefined, out)
  if (item['condition_id'] !== undefined && Array.isArray(tokens)) return clobMarket(item, tokens, out)
  const fresh = framesWithin(item).filter((frame) => frame['event_type'] === 'new_market')
  for (const frame of fresh) newMarket(frame, out)
  return fresh.length > 0 && undefined
}

const isPage = (data: unknown): data is unknown[] => Array.isArray(data) && data.some((one) => isItem(one) && (one['condition_id'] !== undefined || one['conditionId'] !== undefined))

function ofList(list: readonly unknown[], of: (item: Item) => void, out: ShapeOut): void {
  for (const item of list) {
    if (isItem(item)) of(item)
    else out.bad('not an object', String(JSON.stringify(item)).slice(0, 60))
  }
}

function gammaMarket(market: Item, around: Item | undefined, out: ShapeOut): void {
  const outcomes = listOf(market['outcomes'])
  const tokens = listOf(market['clobTokenIds'])
  const slug = textOf(market['slug']) || textOf(market['conditionId'])
  if (tokens === undefined || tokens.length === 0) return out.note('market without tokens', `${slug}: it is not traded in the order book`)
  if (outcomes === undefined || outcomes.length !== tokens.length) return out.bad('tokens without outcomes', `${slug}: ${outcomes?.length ?? 'no'} outcomes for ${tokens.length} tokens`)
  const event = around ?? (Array.isArray(market['events']) ? (market['events'] as unknown[]).find(isItem) : undefined)
  const results = gammaResults(market, slug, tokens.length, out)
  rows(slug, tokens.map((token, i) => ({ token: textOf(token), outcome: textOf(outcomes[i]), worth: results?.[i] })), {
    question: market['question'], condition: market['conditionId'], event: textOf(event?.['slug']) || slug, event_title: event?.['title'], category: market['category'] ?? event?.['category'],
    game: market['gameId'], open: market['acceptingOrdersTimestamp'] ?? market['startDate'], close: market['endDate'], closed: market['closed'] === true ? market['closedTime'] : undefined,
    settled: results === undefined ? undefined : market['umaEndDate'],
  }, out)
}

/** States of a resolution that may still change. */
const UNSETTLED = new Set(['proposed', 'disputed', 'requested', 'challenged'])

/**
 * What the tokens of a closed market are worth. Where the source says that it was resolved these are its prices. Where it says nothing, prices of 1 and 0 and
 * the same price each are: others are last prices, which may add up to 1 by chance.
 */
function gammaResults(market: Item, slug: string, count: number, out: ShapeOut): Worths {
  if (market['closed'] !== true) return undefined
  const values = (listOf(market['outcomePrices']) ?? []).map(textOf)
  const none = () => out.note('closed without a result', `${slug}: its prices are ${values.join(', ') || 'not there'}`)
  if (values.length !== count || !values.every((value) => /^\d+(\.\d+)?$/.test(value))) return void none()
  const state = textOf(market['umaResolutionStatus']).toLowerCase()
  if (UNSETTLED.has(state)) return void out.note('result not final', `${slug}: umaResolutionStatus ${state}`)
  const worths = values.map((value) => new Decimal(value))
  const total = worths.reduce((sum, one) => sum.plus(one), new Decimal(0))
  const isWon = worths.every((worth) => worth.eq(0) || worth.eq(1))
  const isShared = worths.every((worth) => worth.eq(worths[0]!)) && (count === 2 || state === 'resolved')
  const isScalar = market['marketType'] === 'scalar' && state === 'resolved'
  return total.eq(1) && (isWon || isShared || isScalar) ? worths.map(String) : void none()
}

function clobMarket(market: Item, list: readonly unknown[], out: ShapeOut): void {
  const slug = textOf(market['market_slug']) || textOf(market['condition_id'])
  const tokens = list.filter(isItem).filter((token) => textOf(token['token_id']) !== '')
  if (tokens.length === 0) return out.note('market without tokens', `${slug}: it is not traded in the order book`)
  if (tokens.length < list.length) out.bad('tokens without outcomes', `${slug}: ${list.length - tokens.length} of ${list.length} tokens have no token_id`)
  const results = tokens.length < list.length ? undefined : clobResults(market, slug, tokens, out)
  rows(slug, tokens.map((token, i) => ({ token: textOf(token['token_id']), outcome: textOf(token['outcome']), worth: results?.[i] })), {
    question: market['question'], condition: market['condition_id'], event: slug, open: market['accepting_order_timestamp'],
  }, out)
}

function clobResults(market: Item, slug: string, tokens: readonly Item[], out: ShapeOut): Worths {
  const winners = tokens.filter((token) => token['winner'] === true).length
  if (market['closed'] !== true) {
    if (winners > 0) out.note('winner of an open market', `${slug}: it is not taken`)
    return undefined
  }
  if (market['is_50_50_outcome'] === true) {
    // Of another number of tokens nobody says what each is paid.
    if (tokens.length !== 2) return void out.note('closed without a result', `${slug}: half and half, of ${tokens.length} tokens`)
    if (winners === 0 || winners === 2) return ['0.5', '0.5']
    return void out.note('closed without a result', `${slug}: half and half, and a winner`)
  }
  if (winners !== 1) return void out.note('closed without a result', `${slug}: ${winners} winners`)
  return tokens.map((token) => (token['winner'] === true ? '1' : '0'))
}

function newMarket(frame: Item, out: ShapeOut): void {
  const tokens = listOf(frame['assets_ids']) ?? listOf(frame['clob_token_ids'])
  const outcomes = listOf(frame['outcomes'])
  const slug = textOf(frame['slug']) || textOf(frame['market'])
  if (tokens === undefined || outcomes === undefined || tokens.length !== outcomes.length) return out.bad('tokens without outcomes', slug)
  const event = isItem(frame['event_message']) ? frame['event_message'] : undefined
  rows(slug, tokens.map((token, i) => ({ token: textOf(token), outcome: textOf(outcomes[i]) })), {
    question: frame['question'], condition: frame['market'], event: textOf(event?.['slug']) || slug, event_title: event?.['title'], open: frame['timestamp'],
  }, out)
}

function rows(slug: string, tokens: readonly TokenFacts[], facts: Item, out: ShapeOut): void {
  const { question, ...rest } = facts
  if (new Set(tokens.map(({ outcome }) => outcome)).size < tokens.length || tokens.some(({ token, outcome }) => token === '' || outcome === '')) {
    return out.bad('tokens without outcomes', `${slug}: outcomes or tokens are empty, or the same`)
  }
  for (const { token, outcome, worth } of tokens) out.row({ ...rest, ticker: `${slug}:${outcome}`, token, title: `${textOf(question) || slug}: ${outcome}`, result: worth ?? 'open' })
}
