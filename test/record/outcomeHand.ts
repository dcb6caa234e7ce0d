import { PostingRows } from '../../src/ledger/postingRows.ts'
import type { Directory } from '../../src/record/directory.ts'
import type { Batch } from '../../src/record/sink.ts'
import type { RowSequence } from '../../src/unit/rowSequence.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { OutcomeEvent } from '../../src/venue/outcome/protocol/events.ts'
import { OutcomeJournal } from '../../src/venue/outcome/protocol/journal.ts'
import { cellNamed } from '../venue/namedCells.ts'
import { kindNames, replyNames } from '../venue/outcome/cellNames.ts'

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

  /** @param fields by the names of the kind, of a cash-out by those of its form, of a reply by those of its opcode and code; `cause` is the command. */
  row(atUs: number, event: keyof typeof OutcomeEvent, { cause = -1, ...fields }: Readonly<Record<string, number>>, list: readonly number[] = []): this {
    const row = this.events.open<string>(atUs, OutcomeEvent[event], cause)
    const names = event === 'reply' ? replyNames(fields['op']!, fields['code']!) : kindNames(OutcomeEvent[event], 'position' in fields)
    for (const [name, value] of Object.entries(fields)) this.events.write(row, cellNamed(names, name), value)
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
const RFQ = { rfq: 1, owner: ANN }
const FIRST = { rfq: 1, quote: 1, maker: BOB, owner: ANN }
const SECOND = { rfq: 1, quote: 2, maker: CAT, owner: ANN }

/**
 * Ann stakes 50 USDC at a fee of 20 bps on outcome 0 yes and outcome 1 no. Cat's quote is accepted and declined, and Bob's is
 * filled for 120 USDC. Ann sells to Cat for 60 USDC, while the chain stalls once. Cat asks for a price again, and Bob does not
 * confirm his quote. The position wins, and pays 1 % of the profit of 70.1 USDC.
 */
export function tellStory(hand: OutcomeHand): OutcomeHand {
  return tellSales(tellEntry(hand))
}

function tellEntry(hand: OutcomeHand): OutcomeHand {
  return hand
    .row(at(0), 'rfqCreated', { ...RFQ, generation: 1, betMicros: 50_000_000, netStakeMicros: NET, takerFeeBps: 20, profitFeeBps: 100, openUntilUs: at(20) }, LEGS)
    .row(at(1), 'quoteCreated', { ...FIRST, generation: 1, oddsE4: 24_048, riskMicros: 70_100_000, takerFeeBps: 20, netStakeMicros: NET, payoutMicros: 120_000_000, expiresAtUs: at(30) })
    .row(at(1), 'bestQuoteChanged', { ...FIRST, generation: 1, oddsE4: 24_048, payoutMicros: 120_000_000, expiresAtUs: at(30) })
    .row(at(2), 'quoteCreated', { ...SECOND, generation: 1, oddsE4: 25_050, riskMicros: 75_100_000, takerFeeBps: 20, netStakeMicros: NET, payoutMicros: 125_000_000, expiresAtUs: at(30) })
    .row(at(2), 'bestQuoteChanged', { ...SECOND, generation: 1, oddsE4: 25_050, payoutMicros: 125_000_000, expiresAtUs: at(30) })
    .row(at(3), 'quoteAccepted', {
      ...SECOND, generation: 1, acceptance: 1, oddsE4: 25_050, riskMicros: 75_100_000, betMicros: 50_000_000, netStakeMicros: NET, payoutMicros: 125_000_000, confirmUntilUs: at(5),
    }, LEGS)
    .row(at(3), 'bestQuoteChanged', { ...FIRST, generation: 1, oddsE4: 24_048, payoutMicros: 120_000_000, expiresAtUs: at(30) })
    .row(at(4), 'quoteFailed', { ...SECOND, generation: 2, acceptance: 1, isDeclined: 1 })
    .row(at(20), 'rfqClosed', { ...RFQ, generation: 2 })
    .row(at(21), 'quoteAccepted', {
      ...FIRST, generation: 2, acceptance: 2, oddsE4: 24_048, riskMicros: 70_100_000, betMicros: 50_000_000, netStakeMicros: NET, payoutMicros: 120_000_000, confirmUntilUs: at(23),
    }, LEGS)
    .row(at(21), 'bestQuoteChanged', { rfq: 1, generation: 2, owner: ANN })
    .row(at(22), 'quoteFilled', { ...FIRST, generation: 3, acceptance: 2, operation: 1 })
    .row(at(22), 'rfqFilled', { ...RFQ, generation: 3, quote: 1, acceptance: 2 })
    .row(at(22), 'operationStarted', { rfq: 1, generation: 3, quote: 1, operation: 1, account: ANN, maker: BOB, acceptance: 2, amountMicros: 120_100_000, operationKind: 1, nextStepAtUs: at(24) })
    .row(at(24), 'operationUpdated', { rfq: 1, generation: 3, quote: 1, operation: 1, account: ANN, maker: BOB, acceptance: 2, amountMicros: 120_100_000, status: 2, operationKind: 1 })
    .row(at(24), 'positionOpened', {
      rfq: 1, quote: 1, position: 1, holder: ANN, backer: BOB, acceptance: 2, oddsE4: 24_048, netStakeMicros: NET, payoutMicros: 120_000_000, takerFeeMicros: 100_000, profitFeeBps: 100,
    }, LEGS)
}

const SALE = { rfq: 2, position: 1 }
const AGAIN = { rfq: 3, position: 1 }
const PRICED = { ...SALE, quote: 3, maker: CAT, owner: ANN }
const SOLD = { ...SALE, generation: 2, quote: 3, operation: 2, account: ANN, maker: CAT, acceptance: 3, amountMicros: 60_000_000, operationKind: 2 }

function tellSales(hand: OutcomeHand): OutcomeHand {
  return hand
    .row(at(30), 'rfqCreated', { ...SALE, generation: 1, seller: ANN, backer: BOB, payoutMicros: 120_000_000, netStakeMicros: NET, profitFeeBps: 100, openUntilUs: at(60) }, LEGS)
    .row(at(31), 'quoteCreated', { ...PRICED, generation: 1, priceMicros: 60_000_000, payoutMicros: 60_000_000, expiresAtUs: at(65) })
    .row(at(31), 'bestQuoteChanged', { ...PRICED, generation: 1, priceMicros: 60_000_000, expiresAtUs: at(65) })
    .row(at(32), 'quoteCreated', { ...SALE, generation: 1, quote: 4, maker: BOB, owner: ANN, priceMicros: 55_000_000, payoutMicros: 55_000_000, expiresAtUs: at(66) })
    .row(at(33), 'quoteAccepted', { ...PRICED, generation: 1, acceptance: 3, priceMicros: 60_000_000, payoutMicros: 60_000_000, confirmUntilUs: at(35) }, LEGS)
    .row(at(33), 'bestQuoteChanged', { ...SALE, generation: 1, quote: 4, maker: BOB, owner: ANN, priceMicros: 55_000_000, expiresAtUs: at(66) })
    .row(at(34), 'quoteFilled', { ...PRICED, generation: 2, acceptance: 3, operation: 2 })
    .row(at(34), 'quoteDead', { ...SALE, generation: 2, quote: 4, maker: BOB, owner: ANN })
    .row(at(34), 'bestQuoteChanged', { ...SALE, generation: 2, owner: ANN })
    .row(at(34), 'rfqFilled', { ...SALE, generation: 2, owner: ANN, quote: 3, acceptance: 3 })
    .row(at(34), 'operationStarted', { ...SOLD, nextStepAtUs: at(36) })
    .row(at(36), 'operationUpdated', { ...SOLD, status: 1, nextStepAtUs: at(38) })
    .row(at(38), 'operationUpdated', { ...SOLD, status: 2 })
    .row(at(38), 'positionTransferred', { ...SALE, generation: 2, quote: 3, seller: ANN, buyer: CAT, acceptance: 3, priceMicros: 60_000_000, toSellerMicros: 60_000_000, profitFeeMicros: 0 })
    .row(at(40), 'rfqCreated', { ...AGAIN, generation: 1, seller: CAT, backer: BOB, payoutMicros: 120_000_000, netStakeMicros: NET, profitFeeBps: 100, openUntilUs: at(70) }, LEGS)
    .row(at(41), 'quoteCreated', { ...AGAIN, generation: 1, quote: 5, maker: BOB, owner: CAT, priceMicros: 70_000_000, payoutMicros: 70_000_000, expiresAtUs: at(75) })
    .row(at(42), 'quoteAccepted', { ...AGAIN, generation: 1, quote: 5, maker: BOB, owner: CAT, acceptance: 4, priceMicros: 70_000_000, payoutMicros: 70_000_000, confirmUntilUs: at(44) }, LEGS)
    .row(at(44) + 1, 'quoteFailed', { ...AGAIN, generation: 2, quote: 5, maker: BOB, owner: CAT, acceptance: 4, isDeclined: 0 })
    .row(at(70), 'rfqClosed', { ...AGAIN, generation: 2, owner: CAT })
    .row(at(80), 'outcomeResolved', { outcome: 0, result: 1 })
    .row(at(90), 'outcomeResolved', { outcome: 1, result: 0 })
    .row(at(300), 'positionSettled', { rfq: 1, position: 1, holder: CAT, backer: BOB, outcome: 1, toHolderMicros: 119_299_000, toBackerMicros: 0, profitFeeMicros: 701_000, takerFeeKeptMicros: 0 })
    .row(at(300), 'positionClaimed', { rfq: 1, position: 1, holder: CAT, backer: BOB, toHolderMicros: 119_299_000, profitFeeMicros: 701_000 })
}
