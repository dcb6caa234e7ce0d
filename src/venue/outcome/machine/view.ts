import { NONE } from '../../eventRows.ts'
import { AccountRole } from '../protocol/commands.ts'
import { OperationStatus, QuoteState, RfqState } from '../protocol/events.ts'
import type {
  AcceptanceView, CapitalView, OperationView, OutcomeBalanceView, OutcomeLegView, OutcomePositionView, OutcomeQuoteView, OutcomeTotalsView,
  OutcomeView, RfqView,
} from '../protocol/view.ts'
import { A } from './acceptanceRows.ts'
import { CoreState } from './accounts.ts'
import { O } from './operationRows.ts'
import { P } from './positionRows.ts'
import { Q } from './quoteRows.ts'
import { R } from './rfqRows.ts'
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
      owner: words[r + R.owner]!,
      state: words[r + R.state]!,
      generation: cells[r + R.generation]!,
      position: cells[r + R.position]!,
      stakeMicros: cells[r + R.stakeMicros]!,
      netStakeMicros: cells[r + R.netStakeMicros]!,
      openUntilUs: cells[r + R.openUntilUs]!,
      legs: legsOf(rfqs, rfqs.legsFrom(r), words[r + R.legCount]!),
      acceptedQuote: this.quoteNumber(words[r + R.acceptedQuote]!),
      bestQuote: this.quoteNumber(words[r + R.bestQuote]!),
    }
  }

  quote(number: number): OutcomeQuoteView | null {
    const { quotes, quotes: { cells, words } } = this.s
    const q = quotes.rowOf(number)
    if (q === NONE) return null
    return {
      number,
      rfq: this.rfqNumber(words[q + Q.rfq]!),
      maker: words[q + Q.maker]!,
      state: words[q + Q.state]!,
      generation: words[q + Q.generation]!,
      netStakeMicros: cells[q + Q.netStakeMicros]!,
      payoutMicros: cells[q + Q.payoutMicros]!,
      riskMicros: cells[q + Q.riskMicros]!,
      takerFeeBps: words[q + Q.takerFeeBps]!,
      feeBps: words[q + Q.feeBps]!,
      signer: words[q + Q.signer]!,
      expiresAtUs: cells[q + Q.expiresAtUs]!,
    }
  }

  listedQuotes(rfq: number): number[] {
    const { quotes: { cells, words }, rfqs } = this.s
    const r = rfqs.rowOf(rfq)
    if (r === NONE) return []
    const listed: { number: number; payoutMicros: number }[] = []
    for (let q = rfqs.words[r + R.firstLive]!; q !== NONE; q = words[q + Q.nextLive]!) {
      if (words[q + Q.listed] === 1) listed.push({ number: cells[q + Q.number]!, payoutMicros: cells[q + Q.payoutMicros]! })
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
    const a = q === NONE ? NONE : quotes.words[q + Q.acceptance]!
    return a === NONE ? null : this.acceptanceIn(a)
  }

  acceptancesOf(maker: number): number[] {
    const { acceptances } = this.s
    return acceptances.numbersWhere((a) => acceptances.words[a + A.maker] === maker)
  }

  operation(number: number): OperationView | null {
    const { operations } = this.s
    const o = operations.rowOf(number)
    if (o === NONE) return null
    return {
      number,
      kind: operations.words[o + O.kind]!,
      status: operations.words[o + O.status]!,
      account: operations.words[o + O.account]!,
      acceptance: operations.cells[o + O.acceptance]!,
      amountMicros: operations.cells[o + O.amountMicros]!,
    }
  }

  position(number: number): OutcomePositionView | null {
    const { positions } = this.s
    const p = positions.rowOf(number)
    if (p === NONE) return null
    return {
      number,
      rfq: positions.cells[p + P.rfq]!,
      quote: positions.cells[p + P.quote]!,
      holder: positions.words[p + P.holder]!,
      backer: positions.words[p + P.backer]!,
      netStakeMicros: positions.cells[p + P.netStakeMicros]!,
      payoutMicros: positions.cells[p + P.payoutMicros]!,
      costMicros: positions.cells[p + P.costMicros]!,
      basisMicros: positions.cells[p + P.basisMicros]!,
      entryFeeMicros: positions.cells[p + P.entryFeeMicros]!,
      feeBps: positions.words[p + P.feeBps]!,
      state: positions.words[p + P.state]!,
      legs: legsOf(positions, positions.legsFrom(p), positions.words[p + P.legCount]!),
    }
  }

  positionsOf(account: number): number[] {
    const { positions } = this.s
    return positions.numbersWhere((p) => positions.words[p + P.holder] === account || positions.words[p + P.backer] === account)
  }

  openRfqsOf(account: number): number[] {
    const { rfqs } = this.s
    return rfqs.numbersWhere((r) => {
      const state = rfqs.words[r + R.state]
      return rfqs.words[r + R.owner] === account && (state === RfqState.open || state === RfqState.inFlight)
    })
  }

  liveQuotesOf(maker: number): number[] {
    const { quotes, quotes: { words } } = this.s
    return quotes.numbersWhere((q) => {
      const state = words[q + Q.state]
      return words[q + Q.maker] === maker && (state === QuoteState.live || state === QuoteState.accepted)
    })
  }

  operationsOf(account: number): number[] {
    const { operations, operations: { words } } = this.s
    return operations.numbersWhere((o) => words[o + O.account] === account && words[o + O.status] === OperationStatus.pending)
  }

  isListed(outcome: number): boolean {
    const { outcomes, nowUs } = this.s
    return outcomes.listed(outcome) && !outcomes.over(outcome, nowUs)
  }

  /** Σ mm_risk of the open positions that the maker backs. */
  private backedMicros(maker: number): number {
    const { positions, positions: { words, cells } } = this.s
    let sum = 0
    positions.forEachLive((p) => { if (words[p + P.backer] === maker) sum += cells[p + P.payoutMicros]! - cells[p + P.netStakeMicros]! })
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
    const q = acceptances.words[a + A.quote]!
    return {
      number: acceptances.cells[a + A.number]!,
      key: acceptances.cells[a + A.key]!,
      quote: this.quoteNumber(q),
      rfq: this.rfqNumber(quotes.words[q + Q.rfq]!),
      taker: acceptances.words[a + A.taker]!,
      maker: acceptances.words[a + A.maker]!,
      state: acceptances.words[a + A.state]!,
      acceptedAtUs: acceptances.cells[a + A.acceptedAtUs]!,
      confirmUntilUs: acceptances.cells[a + A.confirmUntilUs]!,
      stakeMicros: acceptances.cells[a + A.stakeMicros]!,
      coreMicros: acceptances.cells[a + A.coreMicros]!,
      operation: acceptances.cells[a + A.operation]!,
    }
  }

  private rfqNumber(r: number): number {
    return this.s.rfqs.cells[r + R.number]!
  }

  private quoteNumber(q: number): number {
    return q === NONE ? NONE : this.s.quotes.cells[q + Q.number]!
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
