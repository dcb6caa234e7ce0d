import { PostingRows } from '../../src/ledger/postingRows.ts'
import type { Directory } from '../../src/record/directory.ts'
import type { Batch } from '../../src/record/sink.ts'
import type { RowSequence } from '../../src/unit/rowSequence.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { OutcomeEvent, OutcomeField } from '../../src/venue/outcome/protocol/events.ts'
import { OutcomeJournal } from '../../src/venue/outcome/protocol/journal.ts'

export type OutcomeFields = Partial<Record<keyof typeof OutcomeField, number>>

/** A batch of the outcome service's rows, written by hand as docs/conformance/outcome.md has them. */
export class OutcomeHand implements Batch {
  readonly outcome = this
  readonly parlay = null
  readonly events: EventRows
  readonly postings: PostingRows
  readonly journal = new OutcomeJournal(1, 4)

  constructor(sequence: RowSequence = { next: 1 }) {
    this.events = new EventRows(sequence, 1, 4)
    this.postings = new PostingRows(sequence, 1, 4)
  }

  row(atUs: number, event: keyof typeof OutcomeEvent, fields: OutcomeFields, list: readonly number[] = []): this {
    this.events.open(atUs, OutcomeEvent[event], fields.cause ?? -1)
    for (const [name, value] of Object.entries(fields)) this.events.set(OutcomeField[name as keyof typeof OutcomeField], value)
    for (const item of list) this.events.push(item)
    return this
  }

  clear(): void {
    this.events.clear()
    this.postings.clear()
    this.journal.clear()
  }
}

/** Seconds of the story, which begins at a whole multiple of its batches of 300 s. */
export const T0 = 1_750_200_000_000_000
export const at = (seconds: number): number => T0 + Math.round(seconds * 1_000_000)
export const ANN = 0
export const BOB = 1
export const CAT = 2

/** Cat quotes on the outcome service alone. */
export const DIRECTORY: Directory = {
  accounts: [
    { name: 'ann', role: 'bettor', group: 'takers' },
    { name: 'bob', role: 'maker', group: 'bob' },
    { name: 'cat', role: 'maker', group: 'cat', services: ['outcome'] },
  ],
  markets: [0, 1, 2].map((market) => ({ ticker: `M${market}`, cluster: `day ${market}` })),
}

const LEGS = [0, 1, 1, 0]
const NET = 49_900_000
const RFQ = { rfq: 1, account: ANN }
const FIRST = { rfq: 1, quote: 1, account: BOB, other: ANN }
const SECOND = { rfq: 1, quote: 2, account: CAT, other: ANN }

/**
 * Ann stakes 50 USDC at a fee of 20 bps on outcome 0 yes and outcome 1 no. Cat's quote is accepted and declined, Bob's is
 * filled for 120 USDC; Ann sells to Cat for 60 USDC, while the chain stalls once; Cat asks for a price again and Bob does not
 * confirm his; the position wins, and pays 1 % of the profit of 70.1 USDC.
 */
export function tellStory(hand: OutcomeHand): OutcomeHand {
  return tellSales(tellEntry(hand))
}

function tellEntry(hand: OutcomeHand): OutcomeHand {
  return hand
    .row(at(0), 'rfqCreated', { ...RFQ, generation: 1, amountA: 50_000_000, amountB: NET, amountC: 20, amountD: 100, untilUs: at(20) }, LEGS)
    .row(at(1), 'quoteCreated', { ...FIRST, generation: 1, oddsE4: 24_048, amountA: 70_100_000, amountB: 20, amountC: NET, amountD: 120_000_000, untilUs: at(30) })
    .row(at(1), 'bestQuoteChanged', { ...FIRST, generation: 1, oddsE4: 24_048, amountD: 120_000_000, untilUs: at(30) })
    .row(at(2), 'quoteCreated', { ...SECOND, generation: 1, oddsE4: 25_050, amountA: 75_100_000, amountB: 20, amountC: NET, amountD: 125_000_000, untilUs: at(30) })
    .row(at(2), 'bestQuoteChanged', { ...SECOND, generation: 1, oddsE4: 25_050, amountD: 125_000_000, untilUs: at(30) })
    .row(at(3), 'quoteAccepted', {
      ...SECOND, generation: 1, acceptance: 1, oddsE4: 25_050, amountA: 75_100_000, amountB: 50_000_000, amountC: NET, amountD: 125_000_000, untilUs: at(5),
    }, LEGS)
    .row(at(3), 'bestQuoteChanged', { ...FIRST, generation: 1, oddsE4: 24_048, amountD: 120_000_000, untilUs: at(30) })
    .row(at(4), 'quoteFailed', { ...SECOND, generation: 2, acceptance: 1, amountA: 1 })
    .row(at(20), 'rfqClosed', { ...RFQ, generation: 2 })
    .row(at(21), 'quoteAccepted', {
      ...FIRST, generation: 2, acceptance: 2, oddsE4: 24_048, amountA: 70_100_000, amountB: 50_000_000, amountC: NET, amountD: 120_000_000, untilUs: at(23),
    }, LEGS)
    .row(at(21), 'bestQuoteChanged', { rfq: 1, generation: 2, other: ANN })
    .row(at(22), 'quoteFilled', { ...FIRST, generation: 3, acceptance: 2, operation: 1 })
    .row(at(22), 'rfqFilled', { ...RFQ, generation: 3, quote: 1, acceptance: 2 })
    .row(at(22), 'operationStarted', { rfq: 1, generation: 3, quote: 1, operation: 1, account: ANN, other: BOB, acceptance: 2, amountA: 120_100_000, code: 1, untilUs: at(24) })
    .row(at(24), 'operationUpdated', { rfq: 1, generation: 3, quote: 1, operation: 1, account: ANN, other: BOB, acceptance: 2, amountA: 120_100_000, amountB: 2, code: 1 })
    .row(at(24), 'positionOpened', {
      rfq: 1, quote: 1, position: 1, account: ANN, other: BOB, acceptance: 2, oddsE4: 24_048, amountA: NET, amountB: 120_000_000, amountC: 100_000, amountD: 100,
    }, LEGS)
}

const SALE = { rfq: 2, position: 1 }
const AGAIN = { rfq: 3, position: 1 }
const PRICED = { ...SALE, quote: 3, account: CAT, other: ANN }
const SOLD = { ...SALE, generation: 2, quote: 3, operation: 2, account: ANN, other: CAT, acceptance: 3, amountA: 60_000_000, code: 2 }

function tellSales(hand: OutcomeHand): OutcomeHand {
  return hand
    .row(at(30), 'rfqCreated', { ...SALE, generation: 1, account: ANN, other: BOB, amountA: 120_000_000, amountB: NET, amountD: 100, untilUs: at(60) }, LEGS)
    .row(at(31), 'quoteCreated', { ...PRICED, generation: 1, amountA: 60_000_000, amountD: 60_000_000, untilUs: at(65) })
    .row(at(31), 'bestQuoteChanged', { ...PRICED, generation: 1, amountD: 60_000_000, untilUs: at(65) })
    .row(at(32), 'quoteCreated', { ...SALE, generation: 1, quote: 4, account: BOB, other: ANN, amountA: 55_000_000, amountD: 55_000_000, untilUs: at(66) })
    .row(at(33), 'quoteAccepted', { ...PRICED, generation: 1, acceptance: 3, amountA: 60_000_000, amountD: 60_000_000, untilUs: at(35) }, LEGS)
    .row(at(33), 'bestQuoteChanged', { ...SALE, generation: 1, quote: 4, account: BOB, other: ANN, amountD: 55_000_000, untilUs: at(66) })
    .row(at(34), 'quoteFilled', { ...PRICED, generation: 2, acceptance: 3, operation: 2 })
    .row(at(34), 'quoteDead', { ...SALE, generation: 2, quote: 4, account: BOB, other: ANN })
    .row(at(34), 'bestQuoteChanged', { ...SALE, generation: 2, other: ANN })
    .row(at(34), 'rfqFilled', { ...SALE, generation: 2, account: ANN, quote: 3, acceptance: 3 })
    .row(at(34), 'operationStarted', { ...SOLD, untilUs: at(36) })
    .row(at(36), 'operationUpdated', { ...SOLD, amountB: 1, untilUs: at(38) })
    .row(at(38), 'operationUpdated', { ...SOLD, amountB: 2 })
    .row(at(38), 'positionTransferred', { ...SALE, generation: 2, quote: 3, account: ANN, other: CAT, acceptance: 3, amountA: 60_000_000, amountB: 60_000_000, amountC: 0 })
    .row(at(40), 'rfqCreated', { ...AGAIN, generation: 1, account: CAT, other: BOB, amountA: 120_000_000, amountB: NET, amountD: 100, untilUs: at(70) }, LEGS)
    .row(at(41), 'quoteCreated', { ...AGAIN, generation: 1, quote: 5, account: BOB, other: CAT, amountA: 70_000_000, amountD: 70_000_000, untilUs: at(75) })
    .row(at(42), 'quoteAccepted', { ...AGAIN, generation: 1, quote: 5, account: BOB, other: CAT, acceptance: 4, amountA: 70_000_000, amountD: 70_000_000, untilUs: at(44) }, LEGS)
    .row(at(44) + 1, 'quoteFailed', { ...AGAIN, generation: 2, quote: 5, account: BOB, other: CAT, acceptance: 4, amountA: 0 })
    .row(at(70), 'rfqClosed', { ...AGAIN, generation: 2, account: CAT })
    .row(at(80), 'outcomeResolved', { amountA: 0, amountB: 1 })
    .row(at(90), 'outcomeResolved', { amountA: 1, amountB: 0 })
    .row(at(300), 'positionSettled', { rfq: 1, position: 1, account: CAT, other: BOB, code: 1, amountA: 119_299_000, amountB: 0, amountC: 701_000, amountD: 0 })
    .row(at(300), 'positionClaimed', { rfq: 1, position: 1, account: CAT, other: BOB, amountA: 119_299_000, amountC: 701_000 })
}
