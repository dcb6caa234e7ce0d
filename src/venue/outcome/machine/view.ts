import { NONE } from '../../../unit/none.ts'
import { AccountRole } from '../protocol/commands.ts'
import { OperationStatus, QuoteState, RfqState } from '../protocol/events.ts'
import type { AcceptanceView, CapitalView, OperationView, OutcomeBalanceView, OutcomeLegView, OutcomePositionView, OutcomeQuoteView, OutcomeTotalsView, OutcomeView, RfqView } from '../protocol/view.ts'
import { AcceptanceCell, AcceptanceWord } from './acceptanceRows.ts'
import { CoreState } from './accountColumns.ts'
import { OperationCell, OperationWord } from './operationRows.ts'
import { PositionCell, PositionWord } from './positionRows.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import type { OutcomeState } from './state.ts'

const CORE_NAMES = { [CoreState.idle]: 'idle', [CoreState.funding]: 'funding', [CoreState.moving]: 'moving' } as const

/** Reads the machine's rows and columns into fresh objects. */
export class StateView implements OutcomeView {
  private declare readonly s: OutcomeState

  constructor(s: OutcomeState) {
    this.s = s
  }

  balance(account: number): OutcomeBalanceView {
    const { accounts, ledger } = this.s
    const bound = accounts.has(account)
    return {
      role: bound ? accounts.role[account]! : null,
      freeMicros: ledger.freeMicros(account),
      reservedMicros: ledger.reservedMicros(account),
      core: CORE_NAMES[bound ? accounts.core[account] as 0 | 1 | 2 : CoreState.idle],
      signer: bound ? accounts.signer[account]! : NONE,
    }
  }

  capital(maker: number): CapitalView | null {
    const { accounts, ledger } = this.s
    if (!accounts.has(maker) || accounts.role[maker] !== AccountRole.maker) return null
    const reductionsMicros = this.reductionsMicros(maker)
    return {
      freeMicros: ledger.freeMicros(maker),
      pendingMicros: ledger.reservedMicros(maker) - reductionsMicros,
      backedMicros: this.backedMicros(maker),
      reductionsMicros,
      quotedMicros: accounts.quotedMicros[maker]!,
    }
  }

  totals(): OutcomeTotalsView {
    const { accounts, ledger, positions } = this.s
    const totals = { netDepositsMicros: ledger.netDepositsMicros(), houseMicros: ledger.houseMicros(), potMicros: 0, heldMicros: 0 }
    for (let account = 0; account < accounts.count; account++) {
      totals.heldMicros += ledger.freeMicros(account) + ledger.reservedMicros(account)
    }
    for (let slot = 0; slot < positions.index.slotCount; slot++) totals.potMicros += ledger.potMicros(slot)
    return totals
  }

  rfq(number: number): RfqView | null {
    const { rfqs } = this.s
    const { cells, words } = rfqs
    const r = rfqs.rowOf(number)
    if (r === NONE) return null
    return {
      number,
      owner: words[r + RfqWord.owner]!,
      state: words[r + RfqWord.state]!,
      generation: cells[r + RfqCell.generation]!,
      position: cells[r + RfqCell.position]!,
      stakeMicros: cells[r + RfqCell.stakeMicros]!,
      netStakeMicros: cells[r + RfqCell.netStakeMicros]!,
      openUntilUs: cells[r + RfqCell.openUntilUs]!,
      legs: legsOf(rfqs, rfqs.legsFrom(r), words[r + RfqWord.legCount]!),
      acceptedQuote: this.quoteNumber(words[r + RfqWord.acceptedQuote]!),
      bestQuote: this.quoteNumber(words[r + RfqWord.bestQuote]!),
    }
  }

  quote(number: number): OutcomeQuoteView | null {
    const { quotes, quotes: { cells, words } } = this.s
    const q = quotes.rowOf(number)
    if (q === NONE) return null
    return {
      number,
      rfq: this.rfqNumber(words[q + QuoteWord.rfq]!),
      maker: words[q + QuoteWord.maker]!,
      state: words[q + QuoteWord.state]!,
      generation: words[q + QuoteWord.generation]!,
      netStakeMicros: cells[q + QuoteCell.netStakeMicros]!,
      payoutMicros: cells[q + QuoteCell.payoutMicros]!,
      riskMicros: cells[q + QuoteCell.riskMicros]!,
      takerFeeBps: words[q + QuoteWord.takerFeeBps]!,
      feeBps: words[q + QuoteWord.feeBps]!,
      signer: words[q + QuoteWord.signer]!,
      expiresAtUs: cells[q + QuoteCell.expiresAtUs]!,
    }
  }

  listedQuotes(rfq: number): number[] {
    const { quotes: { cells, words }, rfqs } = this.s
    const r = rfqs.rowOf(rfq)
    if (r === NONE) return []
    const listed: { number: number; payoutMicros: number }[] = []
    for (let q = rfqs.words[r + RfqWord.firstLive]!; q !== NONE; q = words[q + QuoteWord.nextLive]!) {
      if (words[q + QuoteWord.listed] === 1) listed.push({ number: cells[q + QuoteCell.number]!, payoutMicros: cells[q + QuoteCell.payoutMicros]! })
    }
    return listed.sort((a, b) => b.payoutMicros - a.payoutMicros || a.number - b.number).map(({ number }) => number)
  }

  acceptance(number: number): AcceptanceView | null {
    const { acceptances } = this.s
    const a = acceptances.rowOf(number)
    return a === NONE ? null : this.acceptanceIn(a)
  }

  acceptanceOfQuote(quote: number): AcceptanceView | null {
    const { quotes } = this.s
    const q = quotes.rowOf(quote)
    const a = q === NONE ? NONE : quotes.words[q + QuoteWord.acceptance]!
    return a === NONE ? null : this.acceptanceIn(a)
  }

  acceptancesOf(maker: number): number[] {
    const { acceptances } = this.s
    return acceptances.numbersWhere((a) => acceptances.words[a + AcceptanceWord.maker] === maker)
  }

  operation(number: number): OperationView | null {
    const { operations } = this.s
    const o = operations.rowOf(number)
    if (o === NONE) return null
    return {
      number,
      kind: operations.words[o + OperationWord.kind]!,
      status: operations.words[o + OperationWord.status]!,
      account: operations.words[o + OperationWord.account]!,
      acceptance: operations.cells[o + OperationCell.acceptance]!,
      amountMicros: operations.cells[o + OperationCell.amountMicros]!,
    }
  }

  position(number: number): OutcomePositionView | null {
    const { positions } = this.s
    const p = positions.rowOf(number)
    if (p === NONE) return null
    return {
      number,
      rfq: positions.cells[p + PositionCell.rfq]!,
      quote: positions.cells[p + PositionCell.quote]!,
      holder: positions.words[p + PositionWord.holder]!,
      backer: positions.words[p + PositionWord.backer]!,
      netStakeMicros: positions.cells[p + PositionCell.netStakeMicros]!,
      payoutMicros: positions.cells[p + PositionCell.payoutMicros]!,
      costMicros: positions.cells[p + PositionCell.costMicros]!,
      basisMicros: positions.cells[p + PositionCell.basisMicros]!,
      entryFeeMicros: positions.cells[p + PositionCell.entryFeeMicros]!,
      feeBps: positions.words[p + PositionWord.feeBps]!,
      state: positions.words[p + PositionWord.state]!,
      legs: legsOf(positions, positions.legsFrom(p), positions.words[p + PositionWord.legCount]!),
    }
  }

  positionsOf(account: number): number[] {
    const { positions } = this.s
    return positions.numbersWhere((p) => positions.words[p + PositionWord.holder] === account || positions.words[p + PositionWord.backer] === account)
  }

  openRfqsOf(account: number): number[] {
    const { rfqs } = this.s
    return rfqs.numbersWhere((r) => {
      const state = rfqs.words[r + RfqWord.state]
      return rfqs.words[r + RfqWord.owner] === account && (state === RfqState.open || state === RfqState.inFlight)
    })
  }

  liveQuotesOf(maker: number): number[] {
    const { quotes, quotes: { words } } = this.s
    return quotes.numbersWhere((q) => {
      const state = words[q + QuoteWord.state]
      return words[q + QuoteWord.maker] === maker && (state === QuoteState.live || state === QuoteState.accepted)
    })
  }

  operationsOf(account: number): number[] {
    const { operations, operations: { words } } = this.s
    return operations.numbersWhere((o) => words[o + OperationWord.account] === account && words[o + OperationWord.status] === OperationStatus.pending)
  }

  isListed(outcome: number): boolean {
    const { outcomes, nowUs } = this.s
    return outcomes.listed(outcome) && !outcomes.over(outcome, nowUs)
  }

  /** Σ mm_risk of the open positions that the maker backs. */
  private backedMicros(maker: number): number {
    const { positions, positions: { words, cells } } = this.s
    let sum = 0
    positions.forEachLive((p) => { if (words[p + PositionWord.backer] === maker) sum += cells[p + PositionCell.payoutMicros]! - cells[p + PositionCell.netStakeMicros]! })
    return sum
  }

  /** Σ of the maker's collateral reductions under way. */
  private reductionsMicros(maker: number): number {
    const { index, number, account, amountMicros } = this.s.reductions
    let sum = 0
    for (let d = 0; d < index.slotCount; d++) {
      if (account[d] === maker && index.slotOf(number[d]!) === d) sum += amountMicros[d]!
    }
    return sum
  }

  private acceptanceIn(a: number): AcceptanceView {
    const { acceptances, quotes } = this.s
    const q = acceptances.words[a + AcceptanceWord.quote]!
    return {
      number: acceptances.cells[a + AcceptanceCell.number]!,
      key: acceptances.cells[a + AcceptanceCell.key]!,
      quote: this.quoteNumber(q),
      rfq: this.rfqNumber(quotes.words[q + QuoteWord.rfq]!),
      taker: acceptances.words[a + AcceptanceWord.taker]!,
      maker: acceptances.words[a + AcceptanceWord.maker]!,
      state: acceptances.words[a + AcceptanceWord.state]!,
      acceptedAtUs: acceptances.cells[a + AcceptanceCell.acceptedAtUs]!,
      confirmUntilUs: acceptances.cells[a + AcceptanceCell.confirmUntilUs]!,
      stakeMicros: acceptances.cells[a + AcceptanceCell.stakeMicros]!,
      coreMicros: acceptances.cells[a + AcceptanceCell.coreMicros]!,
      operation: acceptances.cells[a + AcceptanceCell.operation]!,
    }
  }

  private rfqNumber(r: number): number {
    return this.s.rfqs.cells[r + RfqCell.number]!
  }

  private quoteNumber(q: number): number {
    return q === NONE ? NONE : this.s.quotes.cells[q + QuoteCell.number]!
  }
}

interface LegColumns {
  readonly legOutcomes: Int32Array
  readonly legSides: Uint8Array
}

/** The `count` legs from place `from` on. */
function legsOf(columns: LegColumns, from: number, count: number): OutcomeLegView[] {
  const legs: OutcomeLegView[] = []
  for (let i = from; i < from + count; i++) legs.push({ outcome: columns.legOutcomes[i]!, side: columns.legSides[i]! })
  return legs
}
