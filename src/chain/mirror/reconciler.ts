import type { SettlementChain } from '../settlementChain.ts'
import type { Admissions } from './admissions.ts'
import type { ChainBook, Touched } from './chainBook.ts'
import { causesOf, type Difference, SettlementDifference } from './settlementDifference.ts'
import type { SettlementStep } from './settlementStep.ts'

/** Entities read at once. */
const READ_AT_ONCE = 256

/** Compares what a chain holds with what the book of postings says it must. The first difference stops the run. */
export class Reconciler {
  private readonly chain: SettlementChain
  private readonly service: string
  private readonly book: ChainBook
  private readonly admissions: Admissions

  constructor(chain: SettlementChain, service: string, book: ChainBook, admissions: Admissions) {
    this.chain = chain
    this.service = service
    this.book = book
    this.admissions = admissions
  }

  /** What a step touched, the house and the vault's tokens. Throws SettlementDifference. */
  async check(step: SettlementStep, { accounts, positions }: Touched): Promise<void> {
    const differences = await this.differences([...accounts], [...positions])
    this.stopAt(differences, step, `after ${new Date(step.atS * 1000).toISOString()}`)
  }

  /** Every account and every open position, the house, the tokens. Throws SettlementDifference. */
  async checkAll(step: SettlementStep | null, occasion: string): Promise<void> {
    this.book.assertPending()
    const differences: Difference[] = []
    for (const accounts of parted(this.book.accounts())) differences.push(...await this.differences(accounts, []))
    for (const positions of parted(this.book.openPositions())) differences.push(...await this.differences([], positions))
    this.stopAt(differences, step, occasion)
  }

  /** Every wallet has what it was given less what it paid in, and what it got back. Throws SettlementDifference. */
  async checkWallets(occasion: string): Promise<void> {
    for (const accounts of parted(this.admissions.accounts())) {
      const wallets = await this.chain.wallets(accounts)
      const differences = accounts.flatMap((account, i) => difference(
        'wallet', account, 'wallet', wallets[i]!, this.admissions.givenMicros(account) + (this.book.chain.wallets.get(account) ?? 0),
      ))
      this.stopAt(differences, null, occasion)
    }
  }

  private async differences(accounts: readonly number[], positions: readonly number[]): Promise<Difference[]> {
    const { chain, book } = this
    const [balances, pots, house, tokens] = await Promise.all([
      chain.balances(accounts), chain.positions(positions), chain.house(), chain.tokens(),
    ])
    const [houseMicros, owedMicros] = [BigInt(book.chain.houseMicros), BigInt(book.chain.heldMicros)]
    return [
      ...positions.flatMap((position, i) => {
        const { potMicros, escrowMicros } = book.positionMoney(position)
        return [
          ...difference('position', position, 'pot', pots[i]!.potMicros, potMicros),
          ...difference('position', position, 'escrow', pots[i]!.escrowMicros, escrowMicros),
          ...difference('position', position, 'holder', BigInt(pots[i]!.holder), book.holder(position)),
        ]
      }),
      ...accounts.flatMap((account, i) => difference('account', account, 'balance', balances[i]!, book.chain.balanceMicros(account))),
      ...(house === houseMicros ? [] : [{ place: { kind: 'house' } as const, what: 'fees' as const, ofChain: house, ofLedger: houseMicros }]),
      ...(tokens.owedMicros === owedMicros
        ? [] : [{ place: { kind: 'tokens' } as const, what: 'tokens' as const, ofChain: tokens.owedMicros, ofLedger: owedMicros }]),
      ...(tokens.heldMicros >= owedMicros
        ? [] : [{ place: { kind: 'tokens' } as const, what: 'token account' as const, ofChain: tokens.heldMicros, ofLedger: owedMicros }]),
    ]
  }

  /** Reports the difference that the fewest rows can have caused. Where no row should have caused any, all rows of the step may have. */
  private stopAt(differences: readonly Difference[], step: SettlementStep | null, occasion: string): void {
    if (differences.length === 0) return
    const candidates = differences.map((one) => ({ one, causes: step === null ? [] : causesOf(step, one.place) }))
    const rank = ({ causes }: { readonly causes: readonly unknown[] }): number => causes.length || Infinity
    let first = candidates[0]!
    for (const candidate of candidates) if (rank(candidate) < rank(first)) first = candidate
    const causes = first.causes.length > 0 || step === null ? first.causes : causesOf(step, null)
    throw new SettlementDifference({ chain: this.chain.name, service: this.service }, first.one, causes, occasion)
  }
}

const difference = (
  kind: 'account' | 'wallet' | 'position', number: number, what: Difference['what'], ofChain: bigint, ofLedger: number,
): Difference[] => (ofChain === BigInt(ofLedger) ? [] : [{ place: { kind, number }, what, ofChain, ofLedger: BigInt(ofLedger) }])

/** Lists of at most READ_AT_ONCE, one at least. */
function parted(numbers: readonly number[]): (readonly number[])[] {
  const parts: (readonly number[])[] = []
  for (let from = 0; from === 0 || from < numbers.length; from += READ_AT_ONCE) parts.push(numbers.slice(from, from + READ_AT_ONCE))
  return parts
}
