import { InvalidField, OUTCOME_CODES } from '../venue/outcome/protocol/codes.ts'
import { OUTCOME_OP_NAMES } from '../venue/outcome/protocol/commands.ts'
import { PARLAY_CODES } from '../venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES } from '../venue/parlay/protocol/commands.ts'
import { DELIVERY_STATUS_NAMES, WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import type { DirectoryCodes } from './directory.ts'
import { beginSeq, bool, closingSeq, closingSeqOrNull, int, micros, nameOf, numbered, odds, oneOf, orNull, service, shapeOf, text, time, word, wordOf } from './tableShape.ts'

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
    op: orNull(wordOf(OP_NAMES, 'opcode of the refused command'), 'the opcode is unknown'),
    account: orNull(word('account that asked'), 'nobody: the command named no account'),
    cohort: orNull(nameOf(codes.groups, 'cohorts', 'its cohort, or its name as a maker'), 'the account takes no part in the session'),
    rejection: wordOf(CODE_NAMES, 'name of the rejection'),
    http_status: word('HTTP status'),
    code: wordOf(ERROR_CODES, 'error.code'),
    reason: orNull(wordOf(ERROR_REASONS, 'error.details.reason'), 'the code has no reason, or it is a row of the outcome service, which gives none'),
    retry: orNull(wordOf(RETRIES, "what a client does after the outcome service's code"), 'the code says nothing about it, or it is a row of the parlay service'),
    field: orNull(wordOf(INVALID_FIELDS, 'field that invalidRequest is about'), 'another rejection, or about no field'),
    leg: orNull(word('its leg, from 0'), 'the field is none of a leg'),
    replayed: orNull(bool('an answer that the outcome gate remembered, given again for its key'), 'a row of the parlay service'),
    request: orNull(numbered('request, or RFQ of either kind'), 'the command is about none that is known'),
    quote: orNull(numbered('selected quote whose maker did not confirm; of the outcome service the quote that the command is about'), 'there is none, or it is unknown'),
    failed_maker: orNull(nameOf(codes.makerNames, 'makers', 'the maker that did not confirm, or whose bid failed'), 'another rejection'),
    required_micros: orNull(micros('collateral that the quote needs, or risk of the live quotes together'), 'the rejection is not about money'),
    available_micros: orNull(micros('collateral that was free, or risk that is allowed'), 'the rejection is not about money'),
    position: orNull(numbered('position of a cash-out'), 'the command is about none that is known'),
    auction: orNull(numbered('auction'), 'the command is about none that is known'),
    bid: orNull(numbered('bid that failed'), 'another rejection'),
    transaction: orNull(numbered('vault transaction whose recovery is pending'), 'another rejection'),
    retry_after_s: orNull(word('Retry-After of a limit, seconds'), 'another rejection'),
  })

/** In the order of `OwnerKind`. */
const OWNER_KINDS = ['user', 'maker'] as const

export const webhookTable = () =>
  shapeOf('webhooks', 'webhook deliveries, one row each; a redelivery ends one row and begins the next', {
    seq: closingSeqOrNull,
    service,
    delivery: numbered('number of the delivery'),
    redeliveries: word('redeliveries asked for before this row'),
    event: wordOf(WEBHOOK_EVENT_NAMES, 'type of the event'),
    account: word('account number of the owner'),
    owner_kind: oneOf(OWNER_KINDS, 'kind of endpoint', { user: 'it hears the events of an account', maker: 'it hears the events of positions that a maker backs' }),
    event_seq: int('total order: the row that it tells'),
    request: orNull(numbered('request that the event is about'), 'the event is about no request'),
    created_seq: beginSeq('the row that queued it, the first time'),
    created_at: time('when it was queued, the first time'),
    attempts: word('attempts, those before a redelivery too'),
    status: oneOf(DELIVERY_STATUS_NAMES, 'last status', {
      pending: 'it waited for an attempt when the session ended', delivered: 'it has arrived', failed: 'an attempt failed, and the next one was due when the session ended',
      dead_letter: 'it was given up',
    }),
    response_code: orNull(word('last answer: HTTP status, 0 network error, −1 timeout, −2 not allowed'), 'there was none'),
    next_attempt_at: orNull(time('its next attempt, or the timeout of the one under way'), 'it has ended'),
    ended_at: orNull(time('when it was delivered or given up'), 'the session ended first'),
  })

const NOT_OF_OP = 'the opcode has no such field, or the sender left it out'

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
    op: orNull(wordOf(OP_NAMES, 'name of the opcode'), 'the opcode is unknown'),
    account: orNull(word('account number'), 'nobody: the operator, or the world'),
    credential: orNull({ ...word('credential number, 0 when the gate is off'), isOfService: true }, NOT_OF_OP),
    source: orNull(word('source address number'), NOT_OF_OP),
    request: orNull(numbered('request, or RFQ'), NOT_OF_OP),
    version: orNull(word('request version, or generation of the RFQ'), NOT_OF_OP),
    content_tag: orNull(int('fingerprint of the content that the sender saw, or of the terms that it signed'), NOT_OF_OP),
    quote: orNull(numbered('quote'), NOT_OF_OP),
    book_seq: orNull(word('book_seq displayed'), NOT_OF_OP),
    odds_e4: orNull(odds('odds quoted, or the floor of a commit'), NOT_OF_OP),
    valid_ms: orNull(word('validity asked for, ms'), NOT_OF_OP),
    bet_micros: orNull(micros('gross bet, or stake'), NOT_OF_OP),
    amount_micros: orNull(micros('amount to deposit or withdraw, price of a bid, or the lowest that a seller takes'), NOT_OF_OP),
    market: orNull(word('market number, or outcome'), NOT_OF_OP),
    value: orNull(word('what the opcode says: a result, a rate, a fault'), NOT_OF_OP),
    fair_e9: orNull(word("maker's fair probability, billionths"), NOT_OF_OP),
    fair_product_e9: orNull(word("maker's own product of the legs' prices, billionths"), NOT_OF_OP),
    legs: orNull(text('legs as market:side, blank between'), 'it has no legs'),
    list: orNull(text('numbers of the list, blank between'), 'its list is empty'),
    more: orNull(text('fields without a column, an unknown op, and what does not fit its column, as name=value by the names of the protocol, blank between'), 'there are none'),
  })
