import type { z } from 'zod'
import { Bug } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { MINUTE_US } from '../../unit/time.ts'
import { type RowCells, rowAs } from '../../venue/eventCells.ts'
import { readCell } from '../../venue/eventRows.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import {
  AcceptReply, ChallengeReply, CredentialReply, OUTCOME_EVENT_NAMES, QuoteReply, ReadReply, ReductionReply, RfqReply, WithdrawalReply,
} from '../../venue/outcome/protocol/events.ts'
import type { OutcomeQuoteView } from '../../venue/outcome/protocol/view.ts'
import {
  apiKeyBody, balanceBody, capitalBody, challengeBody, deploymentBody, identityBody, issuedKeyBody, reductionBody, sessionBody,
} from '../../venue/outcome/wire/accountBodies.ts'
import { integerOrNull, integerText, upperSnake } from '../../venue/outcome/wire/encoding.ts'
import { simulatedLabel } from '../../venue/outcome/wire/typedData.ts'
import { marketBody, priceText } from '../../venue/outcome/wire/marketBody.ts'
import { idOrNull } from '../../venue/outcome/wire/names.ts'
import { cursorText, FIRST_PAGE, listBody, pageOf } from '../../venue/outcome/wire/paging.ts'
import { acceptanceBody, operationBody, positionBody, quoteBody, rfqBody, withdrawalBody } from '../../venue/outcome/wire/tradeBodies.ts'
import type { Call } from './calls.ts'
import { listOfCall, markOfCall } from './commands.ts'
import type { KeyChallengeRequest, KeyRequest } from './keyRequests.ts'
import type { ActivityRecord } from './records/activity.ts'
import type { KeyRecord } from './records/keys.ts'
import type { RfqRecord } from './records/rfqs.ts'
import type { OutcomeRoute } from './routes.ts'
import type { Served } from './served.ts'
import type { ReductionRequest } from './tradeRequests.ts'

/** A call that the service let through, with the reply to its command. */
export interface Admitted {
  readonly route: OutcomeRoute
  readonly account: number
  readonly call: Call
  readonly reply: RowCells<'outcome.reply'>
  /** The instant of the reply, µs. */
  readonly nowUs: number
}

/** What a call is answered with: the resource, nothing, or a refusal that only the content of a read showed. */
export type Outcome = { readonly resource: object | null } | { readonly refused: number }

type Render = (served: Served, admitted: Admitted) => Outcome

const NOTHING: Outcome = { resource: null }
const shown = (resource: object): Outcome => ({ resource })
const NOT_FOUND: Outcome = { refused: OutcomeCode.notFound }
const QUOTE_NOT_FOUND: Outcome = { refused: OutcomeCode.quoteNotFound }
/** Characters of the label of a key that a seat has from the begin on. */
const SEAT_LABEL_LENGTH = 8

const known = <T>(record: T | null, what: string): T => {
  if (record === null) throw new Bug(`an answer names ${what} that nobody knows`)
  return record
}

/** A page of entities by ascending numbers; those for which there is no body are passed over. */
function page(served: Served, { route, account, call, reply }: Admitted, numbers: readonly number[], bodyOf: (number: number) => object | null): Outcome {
  const read = rowAs(ReadReply, reply)
  const { after } = markOfCall(route, account, call, served) ?? FIRST_PAGE
  const { numbers: looked, next } = pageOf(numbers, after, readCell(read, ReadReply.pageLimit))
  const items = looked.map(bodyOf).filter((body) => body !== null)
  const mark = readCell(read, ReadReply.nextCursor)
  return shown(listBody(items, next === null ? null : cursorText(served.identity, listOfCall(route, account, call.params, served), { mark, after: next })))
}

const isMaker = ({ view }: Served, account: number): boolean => view.capital(account) !== null

/** An RFQ as an account reads it. Makers know of every RFQ, but not of the quotes of others. */
function rfqShown(served: Served, rfq: RfqRecord, account: number) {
  const own = (quote: number): number => (rfq.owner === account || served.records.quote(quote)?.maker === account ? quote : NONE)
  return rfqBody(served.names, { ...rfq, acceptedQuote: own(rfq.acceptedQuote), bestQuote: own(rfq.bestQuote) }, served.origins.rfqCreatedAtUs(rfq.number))
}

function readableRfq(served: Served, { account, call }: Admitted): RfqRecord | null {
  const rfq = served.records.rfqs.rfq(served.known.rfq(call.params['rfq_id']!))
  return rfq !== null && (rfq.owner === account || isMaker(served, account)) ? rfq : null
}

const repliedRfq: Render = (served, { account, reply }) =>
  shown(rfqShown(served, known(served.records.rfqs.rfq(readCell(rowAs(RfqReply, reply), RfqReply.rfq)), 'an RFQ'), account))

const repliedAcceptance: Render = ({ records, names }, { reply }) =>
  shown(acceptanceBody(names, known(records.acceptances.acceptance(readCell(rowAs(AcceptReply, reply), AcceptReply.acceptance)), 'an acceptance')))

function marketShown({ records, prices, names, catalogue }: Served, outcome: number, nowUs: number): object | null {
  const listing = records.markets.at(outcome, nowUs)
  if (listing === null) return null
  const { title, ticker } = catalogue.markets[outcome]!
  return marketBody(names, { outcome, title: title === '' ? ticker : title, ...listing, price: prices.at(outcome, nowUs) })
}

const activityBody = ({ identity }: Served, { seq, kind, atUs, rfq, quote, position, operation, amountMicros }: ActivityRecord) => ({
  activity_id: integerText(seq), kind: upperSnake(OUTCOME_EVENT_NAMES[kind]!), occurred_at: identity.instant(atUs),
  rfq_id: idOrNull(rfq, (number) => identity.rfq(number)), quote_id: idOrNull(quote, (number) => identity.quote(number)),
  position_id: idOrNull(position, (number) => identity.position(number)), operation_id: idOrNull(operation, (number) => identity.operation(number)),
  amount: integerOrNull(amountMicros),
})

const factsOf = ({ view }: Served, { account, createdAtUs, revokedAtUs, label }: KeyRecord) =>
  ({ label: label === '' ? simulatedLabel(NONE, SEAT_LABEL_LENGTH) : label, role: known(view.balance(account).role, 'a role'), createdAtUs, revokedAtUs })

const isParty = (quote: OutcomeQuoteView, owner: number, account: number): boolean => quote.maker === account || owner === account

/** Resources of successes by name of the route. */
const RENDERS: Readonly<Record<string, Render>> = {
  listMarkets: (served, admitted) => page(served, admitted, served.records.markets.numbers, (outcome) => marketShown(served, outcome, admitted.nowUs)),
  getMarket: (served, { call, nowUs }) => {
    const market = marketShown(served, served.known.outcome(call.params['outcome_id']!), nowUs)
    return market === null ? NOT_FOUND : shown(market)
  },
  getMarketHistory: (served, admitted) => {
    const outcome = served.known.outcome(admitted.call.params['outcome_id']!)
    if (served.records.markets.at(outcome, admitted.nowUs) === null) return NOT_FOUND
    // A point is numbered by its minute.
    const points = new Map(served.prices.history(outcome, admitted.nowUs).map((point) => [point.atUs / MINUTE_US, point]))
    return page(served, admitted, [...points.keys()], (minute) => {
      const { bidE4, askE4, atUs } = points.get(minute)!
      return { at: served.identity.instant(atUs), bid: priceText(bidE4), ask: priceText(askE4) }
    })
  },
  getDeployment: ({ identity, records: { rates } }) => shown(deploymentBody(identity, rates)),

  getBalances: ({ identity, view }, { account }) => shown(balanceBody(identity, account, view.balance(account))),
  getIdentity: ({ names, view }, { account }) => shown(identityBody(names, account, view.balance(account))),
  getOperation: ({ records, known: names, names: wire }, { account, call }) => {
    const operation = records.operations.operation(names.operation(call.params['operation_id']!))
    return operation === null || (operation.account !== account && operation.maker !== account) ? NOT_FOUND : shown(operationBody(wire, operation))
  },
  listPositions: (served, admitted) =>
    page(served, admitted, served.view.positionsOf(admitted.account), (number) => positionBody(served.names, known(served.view.position(number), 'a position'))),
  getPosition: ({ view, known: names, names: wire }, { account, call }) => {
    const position = view.position(names.position(call.params['position_id']!))
    return position === null || (position.holder !== account && position.backer !== account) ? NOT_FOUND : shown(positionBody(wire, position))
  },
  listActivity: (served, admitted) => {
    const entries = new Map(served.records.activity.of(admitted.account).map((entry) => [entry.seq, entry]))
    return page(served, admitted, [...entries.keys()], (seq) => activityBody(served, entries.get(seq)!))
  },
  getCapital: ({ identity, view, known: names }, { account, call }) => {
    if (names.account(call.params['maker_id']!) !== account) return NOT_FOUND
    return shown(capitalBody(identity, account, known(view.capital(account), 'the capital of a maker')))
  },
  listAcceptances: (served, admitted) => {
    const { known: names, names: wire, records: { acceptances } } = served
    if (names.account(admitted.call.params['maker_id']!) !== admitted.account) return NOT_FOUND
    return page(served, admitted, acceptances.of(admitted.account), (number) => acceptanceBody(wire, known(acceptances.acceptance(number), 'an acceptance')))
  },

  createRfq: repliedRfq, cancelRfq: repliedRfq, openCashout: repliedRfq,
  listRfqs: (served, admitted) =>
    page(served, admitted, served.records.rfqs.of(admitted.account), (number) => rfqShown(served, known(served.records.rfqs.rfq(number), 'an RFQ'), admitted.account)),
  getRfq: (served, admitted) => {
    const rfq = readableRfq(served, admitted)
    return rfq === null ? NOT_FOUND : shown(rfqShown(served, rfq, admitted.account))
  },
  submitQuote: ({ records, names }, { reply }) => shown(quoteBody(names, known(records.quote(readCell(rowAs(QuoteReply, reply), QuoteReply.quote)), 'a quote'))),
  listQuotes: (served, admitted) => {
    const { records, view, names } = served
    const rfq = readableRfq(served, admitted)
    if (rfq === null) return NOT_FOUND
    const listed = view.listedQuotes(rfq.number).toSorted((a, b) => a - b)
    return page(served, admitted, listed, (number) => {
      const quote = known(records.quote(number), 'a quote')
      return isParty(quote, rfq.owner, admitted.account) ? quoteBody(names, quote) : null
    })
  },
  cancelQuote: () => NOTHING,
  acceptQuote: repliedAcceptance, confirmQuote: repliedAcceptance,
  getAcceptance: ({ records, known: names, names: wire }, { account, call }) => {
    const quote = records.quote(names.quote(call.params['quote_id']!))
    if (quote === null || !isParty(quote, known(records.rfqs.rfq(quote.rfq), 'an RFQ').owner, account)) return QUOTE_NOT_FOUND
    const acceptance = records.acceptanceOfQuote(quote.number)
    return acceptance === null ? NOT_FOUND : shown(acceptanceBody(wire, acceptance))
  },
  withdraw: ({ records, names }, { reply }) =>
    shown(withdrawalBody(names, known(records.operations.operation(readCell(rowAs(WithdrawalReply, reply), WithdrawalReply.operation)), 'an operation'))),
  reduceCollateral: ({ identity }, { account, call, reply }) => {
    const reduction = rowAs(ReductionReply, reply)
    const { amountMicros } = call.body as z.output<typeof ReductionRequest>
    return shown(reductionBody(identity, readCell(reduction, ReductionReply.reduction), account, amountMicros, readCell(reduction, ReductionReply.releaseAtUs)))
  },

  signIn: ({ identity, gate }, { reply }) =>
    shown(sessionBody(identity, known(gate.credential(readCell(rowAs(CredentialReply, reply), CredentialReply.credential)), 'a session'))),
  signOut: () => NOTHING,
  challengeKey: ({ identity, records }, { call, reply }) => {
    const made = rowAs(ChallengeReply, reply)
    const challenge = readCell(made, ChallengeReply.challenge)
    records.keys.challenged(challenge, (call.body as z.output<typeof KeyChallengeRequest>).label)
    return shown(challengeBody(identity, challenge, readCell(made, ChallengeReply.expiresAtUs)))
  },
  issueKey: (served, { call, reply }) => {
    const { identity, gate, records } = served
    const number = readCell(rowAs(CredentialReply, reply), CredentialReply.credential)
    records.keys.name(number, (call.body as z.output<typeof KeyRequest>).label)
    return shown(issuedKeyBody(identity, known(gate.credential(number), 'a key'), factsOf(served, known(records.keys.key(number), 'a key'))))
  },
  listKeys: (served, admitted) => {
    const { identity, gate, records } = served
    const keys = new Map(records.keys.of(admitted.account).map((key) => [key.number, key]))
    return page(served, admitted, [...keys.keys()], (number) => {
      const key = gate.credential(number)
      return key === null ? null : apiKeyBody(identity, key, factsOf(served, keys.get(number)!))
    })
  },
  revokeKey: () => NOTHING,
}

/** What a call to a route is answered with, once the service has let it through. */
export const outcomeOf = (served: Served, admitted: Admitted): Outcome => RENDERS[admitted.route.name]!(served, admitted)
