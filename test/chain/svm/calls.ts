import type {
  BuybackCall, DepositCall, OpenCall, SettleCall, TransferCall, VaultCall, WithdrawCall,
} from '../../../src/chain/vaultCall.ts'
import type { Bundle, BundleStatus, SettlementChain } from '../../../src/chain/settlementChain.ts'

/** A start of the tests' time, in seconds. */
export const START_S = 1_750_000_000

/** Calls with event rows of their own, numbered from 1. */
export class Calls {
  private rows = 0

  private caused() {
    return { seq: ++this.rows, atUs: START_S * 1e6 }
  }

  deposit(account: number, amountMicros: number): DepositCall {
    return { kind: 'deposit', account, amountMicros, ...this.caused() }
  }

  withdraw(account: number, amountMicros: number): WithdrawCall {
    return { kind: 'withdraw', account, amountMicros, signed: null, ...this.caused() }
  }

  /** A bet of 25 USDC at odds of 4: fee 0.25, stake 24.75, payout 99, at 1 % both fees (the example of the service's document). */
  open(position: number, holder: number, backer: number, changes: Partial<OpenCall> = {}): OpenCall {
    return {
      kind: 'open', position, holder, backer, stakeMicros: 24_750_000, riskMicros: 74_250_000, takerFeeMicros: 250_000,
      takerFeeBps: 100, profitFeeBps: 100, coreMicros: 0, signed: null, ...this.caused(), ...changes,
    }
  }

  settle(position: number, outcome: SettleCall['outcome']): SettleCall {
    return { kind: 'settle', position, outcome, ...this.caused() }
  }

  buyback(position: number, priceMicros: number): BuybackCall {
    return { kind: 'buyback', position, priceMicros, signed: null, ...this.caused() }
  }

  transfer(position: number, buyer: number, priceMicros: number): TransferCall {
    return { kind: 'transfer', position, buyer, priceMicros, signed: null, ...this.caused() }
  }
}

export interface Landed {
  readonly bundles: readonly Bundle[]
  readonly statuses: readonly BundleStatus[]
}

/** Signs and sends calls, and says what became of them. */
export async function land(chain: SettlementChain, calls: readonly VaultCall[]): Promise<Landed> {
  const bundles = await chain.prepare(calls)
  await chain.broadcast(bundles)
  return { bundles, statuses: await chain.statuses(bundles) }
}

/** The same, where all of it has to be final. */
export async function landWell(chain: SettlementChain, ...calls: VaultCall[]): Promise<void> {
  const { statuses } = await land(chain, calls)
  for (const status of statuses) if (status.state !== 'final') throw new Error(`a bundle is ${JSON.stringify(status)}`)
}

export const admitted = (account: number, fundsMicros: number) => ({ account, fundsMicros, quoteSigner: -1 })
