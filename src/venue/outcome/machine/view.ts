import type { EntityColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../eventRows.ts'
import { AccountRole } from '../protocol/commands.ts'
import { OperationStatus, QuoteState, RfqState } from '../protocol/events.ts'
import type {
  AcceptanceView, CapitalView, OperationView, OutcomeBalanceView, OutcomeLegView, OutcomePositionView, OutcomeQuoteView, OutcomeTotalsView,
  OutcomeView, RfqView,
} from '../protocol/view.ts'
import { CoreState } from './accounts.ts'
import type { OutcomeState } from './state.ts'

const CORE_NAMES = { [CoreState.idle]: 'idle', [CoreState.funding]: 'funding', [CoreState.moving]: 'moving' } as const

/** Reads the machine's columns into fresh objects. */
export class StateView implements OutcomeView {
  private readonly s: OutcomeState

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
    const { accounts, ledger, positions, reductions } = this.s
    if (!accounts.has(maker) || accounts.role[maker] !== AccountRole.maker) return null
    const reductionsMicros = sumOf(reductions, (d) => (reductions.account[d] === maker ? reductions.amountMicros[d]! : 0))
    return {
      freeMicros: ledger.freeMicros(maker),
      pendingMicros: ledger.reservedMicros(maker) - reductionsMicros,
      backedMicros: sumOf(positions, (p) => (positions.backer[p] === maker ? positions.payoutMicros[p]! - positions.netStakeMicros[p]! : 0)),
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
    for (let p = 0; p < positions.index.slotCount; p++) totals.potMicros += ledger.potMicros(p)
    return totals
  }

  rfq(number: number): RfqView | null {
    const { rfqs } = this.s
    const r = rfqs.index.slotOf(number)
    if (r === NONE) return null
    return {
      number,
      owner: rfqs.owner[r]!,
      state: rfqs.state[r]!,
      generation: rfqs.generation[r]!,
      position: rfqs.position[r]!,
      stakeMicros: rfqs.stakeMicros[r]!,
      netStakeMicros: rfqs.netStakeMicros[r]!,
      openUntilUs: rfqs.openUntilUs[r]!,
      legs: legsOf(rfqs, r),
      acceptedQuote: this.quoteNumber(rfqs.acceptedQuote[r]!),
      bestQuote: this.quoteNumber(rfqs.bestQuote[r]!),
    }
  }

  quote(number: number): OutcomeQuoteView | null {
    const { quotes, rfqs } = this.s
    const q = quotes.index.slotOf(number)
    if (q === NONE) return null
    return {
      number,
      rfq: rfqs.number[quotes.rfq[q]!]!,
      maker: quotes.maker[q]!,
      state: quotes.state[q]!,
      generation: quotes.generation[q]!,
      netStakeMicros: quotes.netStakeMicros[q]!,
      payoutMicros: quotes.payoutMicros[q]!,
      riskMicros: quotes.riskMicros[q]!,
      takerFeeBps: quotes.takerFeeBps[q]!,
      feeBps: quotes.feeBps[q]!,
      signer: quotes.signer[q]!,
      expiresAtUs: quotes.expiresAtUs[q]!,
    }
  }

  listedQuotes(rfq: number): number[] {
    const { quotes, rfqs } = this.s
    const r = rfqs.index.slotOf(rfq)
    if (r === NONE) return []
    const listed: number[] = []
    for (let q = rfqs.firstLive[r]!; q !== NONE; q = quotes.nextLive[q]!) if (quotes.listed[q] === 1) listed.push(q)
    listed.sort((a, b) => quotes.payoutMicros[b]! - quotes.payoutMicros[a]! || quotes.number[a]! - quotes.number[b]!)
    return listed.map((q) => quotes.number[q]!)
  }

  acceptance(number: number): AcceptanceView | null {
    const { acceptances } = this.s
    const a = acceptances.index.slotOf(number)
    return a === NONE ? null : this.acceptanceIn(a)
  }

  acceptanceOfQuote(quote: number): AcceptanceView | null {
    const { quotes } = this.s
    const q = quotes.index.slotOf(quote)
    return q === NONE || quotes.acceptance[q] === NONE ? null : this.acceptanceIn(quotes.acceptance[q]!)
  }

  acceptancesOf(maker: number): number[] {
    const { acceptances } = this.s
    return liveNumbers(acceptances, (a) => acceptances.maker[a] === maker)
  }

  operation(number: number): OperationView | null {
    const { operations } = this.s
    const o = operations.index.slotOf(number)
    if (o === NONE) return null
    return {
      number,
      kind: operations.kind[o]!,
      status: operations.status[o]!,
      account: operations.account[o]!,
      acceptance: operations.acceptance[o]!,
      amountMicros: operations.amountMicros[o]!,
    }
  }

  position(number: number): OutcomePositionView | null {
    const { positions } = this.s
    const p = positions.index.slotOf(number)
    if (p === NONE) return null
    return {
      number,
      rfq: positions.rfq[p]!,
      quote: positions.quote[p]!,
      holder: positions.holder[p]!,
      backer: positions.backer[p]!,
      netStakeMicros: positions.netStakeMicros[p]!,
      payoutMicros: positions.payoutMicros[p]!,
      costMicros: positions.costMicros[p]!,
      basisMicros: positions.basisMicros[p]!,
      entryFeeMicros: positions.entryFeeMicros[p]!,
      feeBps: positions.feeBps[p]!,
      state: positions.state[p]!,
      legs: legsOf(positions, p),
    }
  }

  positionsOf(account: number): number[] {
    const { positions } = this.s
    return liveNumbers(positions, (p) => positions.holder[p] === account || positions.backer[p] === account)
  }

  openRfqsOf(account: number): number[] {
    const { rfqs } = this.s
    return liveNumbers(rfqs, (r) => rfqs.owner[r] === account && (rfqs.state[r] === RfqState.open || rfqs.state[r] === RfqState.inFlight))
  }

  liveQuotesOf(maker: number): number[] {
    const { quotes } = this.s
    return liveNumbers(quotes, (q) =>
      quotes.maker[q] === maker && (quotes.state[q] === QuoteState.live || quotes.state[q] === QuoteState.accepted))
  }

  operationsOf(account: number): number[] {
    const { operations } = this.s
    return liveNumbers(operations, (o) => operations.account[o] === account && operations.status[o] === OperationStatus.pending)
  }

  isListed(outcome: number): boolean {
    const { outcomes, nowUs } = this.s
    return outcomes.listed(outcome) && !outcomes.over(outcome, nowUs)
  }

  private acceptanceIn(a: number): AcceptanceView {
    const { acceptances, quotes, rfqs } = this.s
    const q = acceptances.quote[a]!
    return {
      number: acceptances.number[a]!,
      key: acceptances.key[a]!,
      quote: quotes.number[q]!,
      rfq: rfqs.number[quotes.rfq[q]!]!,
      taker: acceptances.taker[a]!,
      maker: acceptances.maker[a]!,
      state: acceptances.state[a]!,
      acceptedAtUs: acceptances.acceptedAtUs[a]!,
      confirmUntilUs: acceptances.confirmUntilUs[a]!,
      stakeMicros: acceptances.stakeMicros[a]!,
      coreMicros: acceptances.coreMicros[a]!,
      operation: acceptances.operation[a]!,
    }
  }

  private quoteNumber(q: number): number {
    return q === NONE ? NONE : this.s.quotes.number[q]!
  }
}

interface LegColumns {
  readonly legWidth: number
  readonly legCount: Uint8Array
  readonly legOutcomes: Int32Array
  readonly legSides: Uint8Array
}

function legsOf(columns: LegColumns, slot: number): OutcomeLegView[] {
  const legs: OutcomeLegView[] = []
  const from = slot * columns.legWidth
  for (let i = from; i < from + columns.legCount[slot]!; i++) legs.push({ outcome: columns.legOutcomes[i]!, side: columns.legSides[i]! })
  return legs
}

type NumberedColumns = EntityColumns & { readonly number: Float64Array }

/** Ascending numbers of the live entities whose slot the condition holds for. */
function liveNumbers(columns: NumberedColumns, holds: (slot: number) => boolean): number[] {
  const numbers: number[] = []
  for (let slot = 0; slot < columns.index.slotCount; slot++) {
    const number = columns.number[slot]!
    if (columns.index.slotOf(number) === slot && holds(slot)) numbers.push(number)
  }
  return numbers.sort((a, b) => a - b)
}

/** Σ over the live entities, of integers. */
const sumOf = (columns: NumberedColumns, amountOf: (slot: number) => number): number =>
  liveNumbers(columns, () => true).reduce((sum, number) => sum + amountOf(columns.index.slotOf(number)), 0)
