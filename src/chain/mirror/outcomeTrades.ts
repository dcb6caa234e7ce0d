import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { SECOND_US } from '../../unit/time.ts'
import type { Row } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { isIdempotencyKey } from '../../venue/outcome/protocol/commands.ts'
import { QuoteAccepted, QuoteCreated } from '../../venue/outcome/protocol/events.ts'
import { JOURNAL_STRIDE, JournalField, type OutcomeJournal } from '../../venue/outcome/protocol/journal.ts'
import { ConfirmationTerms, SignedTerms, TermsKind } from '../../venue/outcome/protocol/terms.ts'
import type { SignedTrade, SignerChange } from '../vaultCall.ts'

/** Rates of the deployment, in bps. */
export interface Rates {
  takerFeeBps: number
  feeBps: number
}

/** A command of the journal: what a signer said besides what the rows tell. */
export class JournalCommand {
  private readonly journal: OutcomeJournal
  private readonly row: number

  constructor(journal: OutcomeJournal, row: number) {
    this.journal = journal
    this.row = row
  }

  get(field: keyof typeof JournalField): number {
    return this.journal.cells[this.row * JOURNAL_STRIDE + JournalField[field]]!
  }
}

/** What a live quote's terms need that the row of its acceptance does not tell. */
interface QuoteTerms {
  readonly generation: number
  readonly stakeMicros: number
  readonly payoutMicros: number
  readonly takerFeeBps: number
  readonly feeBps: number
  readonly expiryS: number
}

/**
 * Terms of trades under way, as they were signed (docs/conformance/outcome.md, "Signed terms"), from rows and journal: those of each
 * live quote, then of its acceptance, then of the confirmation. What ends without a trade is forgotten.
 */
export class OutcomeTrades {
  private readonly inForce: Readonly<Rates>
  /** Live and accepted quotes, by number. */
  private readonly quotes = new Map<number, QuoteTerms>()
  /** What was signed, by acceptance. The confirmation of one that is not confirmed yet is empty. */
  private readonly trades = new Map<number, SignedTrade>()
  /** Rates of open positions: cash-outs bind to them. */
  private readonly feeBpsOfPosition = new Map<number, number>()

  /** @param inForce changes as the operator changes them */
  constructor(inForce: Readonly<Rates>) {
    this.inForce = inForce
  }

  /** How many quotes, trades and positions are kept. */
  get size(): number {
    return this.quotes.size + this.trades.size + this.feeBpsOfPosition.size
  }

  /** A quote of an entry or of a cash-out. For a cash-out stake and entry fee are NONE, and the payout is the price. */
  quoted(rows: EventRows, row: Row<'outcome.quoteCreated'>): void {
    const position = rows.read(row, QuoteCreated.position)
    const isEntry = position === NONE
    this.quotes.set(rows.read(row, QuoteCreated.quote), {
      generation: rows.read(row, QuoteCreated.generation),
      stakeMicros: rows.read(row, QuoteCreated.netStakeMicros), payoutMicros: rows.read(row, QuoteCreated.payoutMicros),
      takerFeeBps: rows.read(row, QuoteCreated.takerFeeBps), feeBps: isEntry ? this.inForce.feeBps : this.rateOf(position),
      expiryS: rows.read(row, QuoteCreated.expiresAtUs) / SECOND_US,
    })
  }

  /** A quote that nobody can accept any more. */
  quoteEnded(quote: number): void {
    this.quotes.delete(quote)
  }

  accepted(rows: EventRows, row: Row<'outcome.quoteAccepted'>, command: JournalCommand, signerChanges: readonly SignerChange[]): void {
    const [rfq, quote, maker] = [rows.read(row, QuoteAccepted.rfq), rows.read(row, QuoteAccepted.quote), rows.read(row, QuoteAccepted.maker)]
    const [taker, position] = [rows.read(row, QuoteAccepted.owner), rows.read(row, QuoteAccepted.position)]
    const offer = this.quotes.get(quote)
    assert(offer !== undefined, `quote ${quote} was accepted and never made`)
    const { generation, stakeMicros, payoutMicros, takerFeeBps, feeBps, expiryS } = offer
    const quoteTerms = Object.assign(new SignedTerms().reset(TermsKind.quote, maker), {
      rfq, generation, stakeMicros, payoutMicros, takerFeeBps, feeBps, expiryS, position,
    })
    const firstLeg = rows.read(row, EventCell.listStart)
    for (let i = firstLeg; i < firstLeg + rows.read(row, EventCell.listLength); i += 2) quoteTerms.leg(rows.pool[i]!, rows.pool[i + 1]!)
    const acceptance = Object.assign(new SignedTerms().reset(TermsKind.acceptance, taker), { rfq, quote, key: command.get('key'), payoutMicros, feeBps, position })
    if (position === NONE) {
      Object.assign(acceptance, {
        stakeMicros: rows.read(row, QuoteAccepted.betMicros), coreMicros: Math.max(0, command.get('coreMicros')), takerFeeBps,
        validAfterS: command.get('validAfterS'), validBeforeS: command.get('validBeforeS'),
      })
    }
    const confirmation = Object.assign(new SignedTerms().reset(TermsKind.confirmation, maker), {
      rfq, quote, position, [ConfirmationTerms.acceptance]: rows.read(row, QuoteAccepted.acceptance), payoutMicros, takerFeeBps, feeBps,
    })
    this.trades.set(rows.read(row, QuoteAccepted.acceptance), {
      quote: quoteTerms, acceptance, confirmation, quoteSigner: signerChanges.at(-1)?.signer ?? maker, signerChanges, takerSigner: taker,
      acceptedAtS: Math.floor(rows.read(row, EventCell.atUs) / SECOND_US),
    })
  }

  /** The acceptance came to nothing: it was not confirmed, or the chain has dropped it. */
  failed(acceptance: number): void {
    this.trades.delete(acceptance)
  }

  /** The trade of a fill or a sale that is done. */
  take(acceptance: number): SignedTrade {
    const trade = this.trades.get(acceptance)
    assert(trade !== undefined, `no trade of acceptance ${acceptance} is under way`)
    this.trades.delete(acceptance)
    return trade
  }

  positionOpened(position: number, feeBps: number): void {
    this.feeBpsOfPosition.set(position, feeBps)
  }

  positionEnded(position: number): void {
    this.feeBpsOfPosition.delete(position)
  }

  private rateOf(position: number): number {
    const feeBps = this.feeBpsOfPosition.get(position)
    assert(feeBps !== undefined, `position ${position} is quoted and not open`)
    return feeBps
  }
}

/** Terms of a withdrawal or of a collateral reduction, by the kind, as its command was signed at the rates in force. */
export function payoutTerms(kind: number, command: JournalCommand, { takerFeeBps, feeBps }: Readonly<Rates>): SignedTerms {
  const terms = new SignedTerms().reset(kind, command.get('account'))
  const key = command.get('key')
  Object.assign(terms, { key: isIdempotencyKey(key) ? key : NONE, payoutMicros: command.get('amountMicros'), takerFeeBps, feeBps })
  if (kind === TermsKind.withdrawal) {
    Object.assign(terms, {
      expiryS: command.get('exitUntilS'), validAfterS: command.get('validAfterS'), validBeforeS: command.get('validBeforeS'),
    })
  }
  return terms
}
