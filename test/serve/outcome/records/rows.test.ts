import { expect, it } from 'vitest'
import { AcceptanceRecords } from '../../../../src/serve/outcome/records/acceptances.ts'
import { KeyRecords } from '../../../../src/serve/outcome/records/keys.ts'
import { OperationRecords } from '../../../../src/serve/outcome/records/operations.ts'
import { RfqRecords } from '../../../../src/serve/outcome/records/rfqs.ts'
import { NONE } from '../../../../src/unit/none.ts'
import { Service } from '../../../../src/unit/services.ts'
import { rowAs } from '../../../../src/venue/eventCells.ts'
import { EventRows } from '../../../../src/venue/eventRows.ts'
import {
  BidAccepted, CashOutRfqCreated, KeyChanged, OperationRow, OutcomeEvent, QuoteAccepted, RfqCreated, RfqRow,
} from '../../../../src/venue/outcome/protocol/events.ts'

const CLIENT = 3
const OTHER = 4
const rows = () => new EventRows({ next: 1 }, Service.outcome)

it('OM-082 an acceptance of a sale has no stake and no part of a core wallet, whatever its command named', () => {
  const events = rows()
  const records = new AcceptanceRecords(new Set([CLIENT]))
  const sale = events.open(100, OutcomeEvent.quoteAccepted, 1)
  events.write(sale, QuoteAccepted.acceptance, 1)
  events.write(sale, QuoteAccepted.quote, 11)
  events.write(sale, QuoteAccepted.position, 7)
  events.write(rowAs(BidAccepted, sale), BidAccepted.priceMicros, 30)
  const entry = events.open(100, OutcomeEvent.quoteAccepted, 2)
  events.write(entry, QuoteAccepted.acceptance, 2)
  events.write(entry, QuoteAccepted.quote, 12)
  events.write(entry, QuoteAccepted.betMicros, 25)
  for (const row of [sale, entry]) records.take(events, row, () => ({ key: 9, coreMicros: 5 }))
  expect([1, 2].map((number) => records.acceptance(number))).toMatchObject([{ stakeMicros: NONE, coreMicros: 0 }, { stakeMicros: 25, coreMicros: 5 }])
})

it('OM-085 acceptances and RFQs are listed of the accounts that are kept', () => {
  const events = rows()
  const acceptances = new AcceptanceRecords(new Set([CLIENT]))
  const rfqs = new RfqRecords(new Set([CLIENT]))
  ;[CLIENT, OTHER, CLIENT].forEach((account, i) => {
    const accepted = events.open(100, OutcomeEvent.quoteAccepted, i)
    events.write(accepted, QuoteAccepted.acceptance, i + 1)
    events.write(accepted, QuoteAccepted.maker, account)
    acceptances.take(events, accepted, () => ({ key: 9, coreMicros: 0 }))
    const created = events.open(100, OutcomeEvent.rfqCreated, i)
    events.write(created, RfqRow.rfq, i + 1)
    events.write(created, RfqRow.owner, account)
    rfqs.take(events, created)
  })
  expect([acceptances.of(CLIENT), acceptances.of(OTHER), rfqs.of(CLIENT), rfqs.of(OTHER)]).toEqual([[1, 3], [], [1, 3], []])
})

it('OM-093 an RFQ of a cash-out names the maker that backs its position, and another has none', () => {
  const events = rows()
  const rfqs = new RfqRecords(new Set())
  const entry = events.open(100, OutcomeEvent.rfqCreated, 1)
  events.write(entry, RfqRow.rfq, 1)
  events.write(rowAs(RfqCreated, entry), RfqCreated.betMicros, 25)
  const sale = events.open(100, OutcomeEvent.rfqCreated, 2)
  events.write(sale, RfqRow.rfq, 2)
  events.write(sale, RfqRow.position, 7)
  events.write(rowAs(CashOutRfqCreated, sale), CashOutRfqCreated.backer, 5)
  // A cell that a form of the row has no name for is never told.
  events.write(rowAs(CashOutRfqCreated, entry), CashOutRfqCreated.backer, 6)
  for (const row of [entry, sale]) rfqs.take(events, row)
  expect([1, 2].map((number) => rfqs.rfq(number)!.backer)).toEqual([NONE, 5])
})

it('a key is revoked when its row says so, and a key of another account is not kept', () => {
  const events = rows()
  const keys = new KeyRecords(new Set([CLIENT]))
  const change = (atUs: number, kind: typeof OutcomeEvent.keyIssued | typeof OutcomeEvent.keyRevoked, account: number, credential: number): void => {
    const row = events.open(atUs, kind, 0)
    events.write(row, KeyChanged.account, account)
    events.write(row, KeyChanged.credential, credential)
    keys.take(events, row)
  }
  change(100, OutcomeEvent.keyIssued, CLIENT, 1)
  change(110, OutcomeEvent.keyIssued, OTHER, 2)
  expect([keys.key(1), keys.key(2)]).toMatchObject([{ createdAtUs: 100, revokedAtUs: NONE }, null])
  change(200, OutcomeEvent.keyRevoked, CLIENT, 1)
  change(210, OutcomeEvent.keyRevoked, OTHER, 2)
  expect([keys.of(CLIENT), keys.of(OTHER)]).toMatchObject([[{ createdAtUs: 100, revokedAtUs: 200 }], []])
})

it('OM-089 operations are kept of the accounts that are, as taker or as maker', () => {
  const events = rows()
  const operations = new OperationRecords(new Set([CLIENT]))
  ;[[CLIENT, OTHER], [OTHER, CLIENT], [OTHER, OTHER]].forEach(([account, maker], i) => {
    const row = events.open(100, OutcomeEvent.operationStarted, i)
    events.write(row, OperationRow.operation, i + 1)
    events.write(row, OperationRow.account, account!)
    events.write(row, OperationRow.maker, maker!)
    operations.take(events, row)
  })
  expect([1, 2, 3].map((number) => operations.operation(number)?.account ?? null)).toEqual([CLIENT, OTHER, null])
})
