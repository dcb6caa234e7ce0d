import { InvalidField, OUTCOME_CODES } from '../venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../venue/outcome/protocol/commands.ts'
import { PARLAY_CODES } from '../venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import { DELIVERY_STATUS_NAMES, WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import type { DirectoryCodes } from './directory.ts'
import { bool, closingSeq, closingSeqOrNull, int, micros, oneOf, orNull, service, shapeOf, text, time, word } from './tableShape.ts'

const distinct = (names: readonly string[]): string[] => [...new Set(names)].filter((name) => name !== '')

/** Opcodes of both services by name. A name that both have is one word of the dictionary. */
export const OP_NAMES = distinct([...Object.values(PARLAY_OP_NAMES), ...Object.values(OUTCOME_OP_NAMES)])

const parlayCodes = Object.values(PARLAY_CODES)
const outcomeCodes = Object.values(OUTCOME_CODES)
/** Reply codes of both services by name. */
const CODE_NAMES = distinct([...parlayCodes, ...outcomeCodes].map(({ name }) => name))
const ERROR_CODES = distinct([...parlayCodes, ...outcomeCodes].map(({ code }) => code))
const ERROR_REASONS = distinct(parlayCodes.map(({ reason }) => reason))
const RETRIES = distinct(outcomeCodes.map(({ retry }) => retry ?? ''))
/** In the order of `InvalidField`, from 1. */
const INVALID_FIELDS = Object.keys(InvalidField)

export const rejectionTable = (codes: DirectoryCodes) =>
  shapeOf('rejections', 'replies with an error, one row each', {
    seq: closingSeq,
    service,
    at: time('reply'),
    command: int('number of the refused command'),
    op: orNull(oneOf(OP_NAMES, 'what was asked; null for an unknown opcode')),
    account: orNull(word('account that asked')),
    cohort: orNull(oneOf(codes.groups, 'its cohort, or its name as a maker')),
    rejection: oneOf(CODE_NAMES, 'name of the rejection'),
    http_status: word('HTTP status'),
    code: oneOf(ERROR_CODES, 'error.code'),
    reason: orNull(oneOf(ERROR_REASONS, 'error.details.reason; null of the outcome service, which gives none')),
    retry: orNull(oneOf(RETRIES, "what a client does after the outcome service's code; null of the parlay service")),
    field: orNull(oneOf(INVALID_FIELDS, 'field that invalidRequest is about')),
    leg: orNull(word('its leg, from 0, when it is one of a leg')),
    replayed: orNull(bool('an answer that the outcome gate remembered, given again for its key; null of the parlay service')),
    request: orNull(int('request, or RFQ of either kind, when it is a known one')),
    quote: orNull(int('selected quote whose maker did not confirm; of the outcome service the quote, when it is a known one')),
    failed_maker: orNull(oneOf(codes.makerNames, 'the maker that did not confirm, or whose bid failed')),
    required_micros: orNull(micros('collateral that the quote needs, or risk of the live quotes together')),
    available_micros: orNull(micros('collateral that was free, or risk that is allowed')),
    position: orNull(int('position of a cash-out, when it is a known one')),
    auction: orNull(int('auction, when it is a known one')),
    bid: orNull(int('bid that failed')),
    transaction: orNull(int('vault transaction whose recovery is pending')),
    retry_after_s: orNull(word('Retry-After of a limit, seconds')),
  })

/** In the order of `OwnerKind`. */
const OWNER_KINDS = ['user', 'maker'] as const

export const webhookTable = () =>
  shapeOf('webhooks', 'webhook deliveries, one row each; a redelivery ends one row and begins the next', {
    seq: closingSeqOrNull,
    service,
    delivery: int('number of the delivery'),
    redeliveries: word('redeliveries asked for before this row'),
    event: oneOf(WEBHOOK_EVENT_NAMES, 'type of the event'),
    account: word('account number of the owner'),
    owner_kind: oneOf(OWNER_KINDS, 'kind of endpoint'),
    event_seq: int('total order: the row that it tells'),
    request: orNull(int('request that the event is about')),
    created_at: time('when it was queued, the first time'),
    attempts: word('attempts, those before a redelivery too'),
    status: oneOf(DELIVERY_STATUS_NAMES, 'last status; pending or failed: it had not ended when the session did'),
    response_code: orNull(word('last answer: HTTP status, 0 network error, −1 timeout, −2 not allowed; null before one')),
    next_attempt_at: orNull(time('of a pending or failed one: its next attempt, or the timeout of the one under way')),
    ended_at: orNull(time('when it was delivered or given up')),
  })

/**
 * All fields of a command. Fields that few opcodes have stand in `more`, because a session has several commands per request and
 * columns of their own would be empty bytes.
 */
export const journalTable = () =>
  shapeOf('journal', 'every command in the order applied; with the profile they replay the session', {
    seq: int('total order: the first row that the command caused; of a repeat that waits for its answer, the first that a later one did'),
    service,
    command: int('number of the command'),
    at: time('application'),
    op: orNull(oneOf(OP_NAMES, 'name of the opcode; null for an unknown one')),
    account: orNull(word('account number')),
    credential: orNull(word('credential number, 0 when the gate is off')),
    source: orNull(word('source address number')),
    request: orNull(int('request, or RFQ')),
    version: orNull(word('request version, or generation of the RFQ')),
    content_tag: orNull(int('fingerprint of the content that the sender saw, or of the terms that it signed')),
    quote: orNull(int('quote')),
    book_seq: orNull(word('book_seq displayed')),
    odds_e4: orNull({ type: 'oddsE4', about: 'odds quoted, or the floor of a commit' }),
    valid_ms: orNull(word('validity asked for, ms')),
    bet_micros: orNull(micros('gross bet, or stake')),
    amount_micros: orNull(micros('amount to deposit or withdraw, price of a bid, or the lowest that a seller takes')),
    market: orNull(word('market number, or outcome')),
    value: orNull(word('value of the opcode: a result, a rate, a fault')),
    fair_e9: orNull(word("maker's fair probability, billionths")),
    legs: orNull(text('legs as market:side, blank between')),
    list: orNull(text('numbers of the list, blank between')),
    more: orNull(text('fields without a column, an unknown op, and what does not fit its column, as name=value by the names of the protocol, blank between')),
  })
