import { NONE } from '../../../src/unit/none.ts'
import { contentTag, type ParlayCommand } from '../../../src/venue/parlay/protocol/commands.ts'
import type { Leg } from './state.ts'

/** A command as a plain object: the fields of ParlayCommand, legs and list as arrays. */
export interface ModelCommand {
  readonly seq: number
  readonly op: number
  readonly account: number
  readonly request: number
  readonly version: number
  readonly contentTag: number
  readonly quote: number
  readonly bookSeq: number
  readonly oddsE4: number
  readonly validMs: number
  readonly betMicros: number
  readonly amountMicros: number
  readonly position: number
  readonly auction: number
  readonly market: number
  readonly closeUs: number
  readonly value: number
  readonly value2: number
  readonly legs: readonly Leg[]
  readonly list: readonly number[]
  /** The list's length, or a count that no list has. */
  readonly listCount: number
}

const BLANK: Omit<ModelCommand, 'op' | 'account'> = {
  seq: 0, request: NONE, version: NONE, contentTag: NONE, quote: NONE, bookSeq: NONE, oddsE4: NONE, validMs: NONE, betMicros: NONE,
  amountMicros: NONE, position: NONE, auction: NONE, market: NONE, closeUs: NONE, value: NONE, value2: NONE, legs: [], list: [], listCount: 0,
}

export const commandOf = (op: number, account: number, fields: Partial<ModelCommand> = {}): ModelCommand =>
  ({ ...BLANK, op, account, listCount: fields.list?.length ?? 0, ...fields })

/** Fills the venue's reused command with a plain one. */
export function fill(command: ParlayCommand, from: ModelCommand): ParlayCommand {
  command.reset(from.op, from.account)
  command.seq = from.seq
  command.request = from.request
  command.version = from.version
  command.contentTag = from.contentTag
  command.quote = from.quote
  command.bookSeq = from.bookSeq
  command.oddsE4 = from.oddsE4
  command.validMs = from.validMs
  command.betMicros = from.betMicros
  command.amountMicros = from.amountMicros
  command.position = from.position
  command.auction = from.auction
  command.market = from.market
  command.closeUs = from.closeUs
  command.value = from.value
  command.value2 = from.value2
  for (const leg of from.legs) command.leg(leg.market, leg.side)
  for (const value of from.list) command.item(value)
  command.listCount = from.listCount
  return command
}

/** Content tag of legs and a bet, as the protocol defines it. */
export const tagOf = (legs: readonly Leg[], betMicros: number): number =>
  contentTag(legs.length, legs.map((leg) => leg.market), legs.map((leg) => leg.side), betMicros)
