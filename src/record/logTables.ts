import { PARLAY_CODES } from '../venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import type { CastCodes } from './cast.ts'
import { closingSeq, int, micros, oneOf, orNull, service, shapeOf, text, time, word } from './tableShape.ts'

/** Opcodes in the order of their table codes. */
export const OPS = Object.keys(PARLAY_OP_NAMES).map(Number)
/** Reply codes in the order of their table codes. */
export const CODES = Object.keys(PARLAY_CODES).map(Number)

const distinct = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '')
export const ERROR_CODES = distinct(CODES.map((code) => PARLAY_CODES[code]!.code))
export const ERROR_REASONS = distinct(CODES.map((code) => PARLAY_CODES[code]!.reason))

const OP_NAMES = OPS.map((op) => PARLAY_OP_NAMES[op]!)

export const rejectionTable = (codes: CastCodes) =>
  shapeOf('rejections', 'replies with an error, one row each', {
    seq: closingSeq,
    service,
    at: time('reply'),
    command: int('number of the refused command'),
    op: orNull(oneOf(OP_NAMES, 'what was asked; null for an unknown opcode')),
    account: orNull(word('account that asked')),
    group: orNull(oneOf(codes.groups, 'its cohort, or its name as a maker')),
    name: oneOf(CODES.map((code) => PARLAY_CODES[code]!.name), 'name of the rejection'),
    status: word('HTTP status'),
    code: oneOf(ERROR_CODES, 'error.code'),
    reason: orNull(oneOf(ERROR_REASONS, 'error.details.reason')),
    request: orNull(int('request, when it is a known one')),
    quote: orNull(int('selected quote whose maker did not confirm')),
    failed_maker: orNull(oneOf(codes.makerNames, 'the maker that did not confirm')),
    required_micros: orNull(micros('collateral that the quote needs')),
    available_micros: orNull(micros('collateral that was free')),
  })

export const journalTable = () => {
  const field = (about: string) => orNull(int(about))
  return shapeOf('journal', 'every command in the order applied; with the profile they replay the session', {
    seq: int('total order: the first row that the command caused'),
    service,
    command: int('number of the command'),
    at: time('application'),
    op: orNull(oneOf(OP_NAMES, 'name of the opcode; null for an unknown one')),
    opcode: field('opcode'),
    account: field('account'),
    credential: field('credential number, 0 when the gate is off'),
    source: field('source address number'),
    request: field('request'),
    version: field('request version'),
    content_tag: field('fingerprint of the content that the sender saw'),
    quote: field('quote'),
    book_seq: field('book_seq displayed'),
    odds: orNull({ type: 'oddsE4', about: 'odds quoted, or the floor of a commit' }),
    valid_ms: field('validity asked for, ms'),
    bet_micros: orNull(micros('gross bet')),
    amount_micros: orNull(micros('amount to deposit or withdraw')),
    market: field('market number'),
    close_us: field('close of the market, µs since the epoch'),
    value: field('value of the opcode'),
    value2: field('second value of the opcode'),
    memo_e9: field("maker's fair probability, billionths"),
    legs: orNull(text('legs as market:side, blank between')),
    list: orNull(text('numbers of the list, blank between')),
    not_integers: orNull(text('fields that held no safe integer, as name=value, blank between; their cells are null')),
  })
}
