import { type EvmChain, openEvmChain } from '../../../src/chain/evm/evmChain.ts'
import type { VaultSettings } from '../../../src/chain/evm/abi.ts'
import type { BundleStatus } from '../../../src/chain/settlementChain.ts'
import type {
  DepositCall, OpenCall, ReduceCall, SettleCall, SignedTrade, SignerChange, TransferCall, VaultCall, WithdrawCall,
} from '../../../src/chain/vaultCall.ts'
import { Side } from '../../../src/market/sides.ts'
import { SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { WireIdentity } from '../../../src/venue/outcome/wire/identity.ts'

/** 2025-06-19 00:00:00 UTC. */
export const START_S = 1_750_291_200
export const DAY_S = 86_400
/** 0.2 % of the stake, 1 % of the profit. */
export const TAKER_FEE_BPS = 20
export const FEE_BPS = 100
export const USDC = 1_000_000
export const SEED = 'a session on a chain'

/** Accounts of the session: a participant and two makers. */
export const TAKER = 1
export const MAKER = 2
export const RIVAL = 3

export const SETTINGS: VaultSettings = { acceptDelayMax: 3600n, reductionDelay: BigInt(DAY_S), feeOnCashout: false, profitOverGross: false }

/** Acceptance n is the one of its taker's key n. */
const takers = new Map<number, number>()
export const identity = new WireIdentity(SEED, {
  rfqCreatedAtUs: () => START_S * 1e6, operationStartedAtUs: () => START_S * 1e6,
  acceptance: (acceptance) => ({ taker: takers.get(acceptance)!, key: acceptance }),
})

export const open = (options: Partial<Parameters<typeof openEvmChain>[0]> = {}): Promise<EvmChain> =>
  openEvmChain({ seed: SEED, identity, outcomeIdOf: (outcome) => `777${outcome}`, settings: SETTINGS, genesisS: START_S, ...options })

let seq = 0
const caused = (): { seq: number; atUs: number } => ({ seq: seq++, atUs: START_S * 1e6 })

export const deposit = (account: number, amountMicros: number): DepositCall => ({ kind: 'deposit', account, amountMicros, ...caused() })

export function withdraw(account: number, amountMicros: number, key: number, exitUntilS = -1): WithdrawCall {
  const signed = Object.assign(new SignedTerms().reset(TermsKind.withdrawal, account), {
    key, payoutMicros: amountMicros, takerFeeBps: TAKER_FEE_BPS, feeBps: FEE_BPS, expiryS: exitUntilS,
    validAfterS: START_S - 10, validBeforeS: START_S + 2 * DAY_S,
  })
  return { kind: 'withdraw', account, amountMicros, signed, ...caused() }
}

export function reduce(reduction: number, account: number, amountMicros: number): ReduceCall {
  const signed = Object.assign(new SignedTerms().reset(TermsKind.reduction, account), {
    key: 1000 + reduction, payoutMicros: amountMicros, takerFeeBps: TAKER_FEE_BPS, feeBps: FEE_BPS,
  })
  return { kind: 'reduce', reduction, account, amountMicros, signed, ...caused() }
}

export const release = (reduction: number, account: number, amountMicros: number): VaultCall =>
  ({ kind: 'release', reduction, account, amountMicros, ...caused() })

export const settle = (position: number, outcome: SettleCall['outcome']): SettleCall => ({ kind: 'settle', position, outcome, ...caused() })

interface TradeSide {
  readonly acceptance: number
  readonly taker: number
  readonly maker: number
  readonly signerChanges?: readonly SignerChange[]
  readonly acceptedAtS?: number
}

function trade(
  { acceptance, taker, maker, signerChanges = [], acceptedAtS = START_S }: TradeSide, entry: Partial<SignedTerms>, quoted: Partial<SignedTerms>,
): SignedTrade {
  takers.set(acceptance, taker)
  const ids = { rfq: 500 + acceptance, quote: 900 + acceptance, feeBps: FEE_BPS }
  const quote = Object.assign(new SignedTerms().reset(TermsKind.quote, maker), {
    rfq: ids.rfq, feeBps: FEE_BPS, generation: 1, expiryS: acceptedAtS + 20, ...quoted,
  })
  quote.leg(7, Side.yes).leg(9, Side.no)
  const { payoutMicros, takerFeeBps, position } = quote
  return {
    quote,
    acceptance: Object.assign(new SignedTerms().reset(TermsKind.acceptance, taker), { ...ids, key: acceptance, payoutMicros, takerFeeBps, position, ...entry }),
    confirmation: Object.assign(new SignedTerms().reset(TermsKind.confirmation, maker), { ...ids, value: acceptance, payoutMicros, takerFeeBps, position }),
    quoteSigner: signerChanges.at(-1)?.signer ?? maker, signerChanges, takerSigner: taker, acceptedAtS,
  }
}

export interface Fill extends Partial<TradeSide> {
  readonly position: number
  readonly stakeMicros: number
  readonly takerFeeMicros: number
  readonly payoutMicros: number
  readonly coreMicros?: number
}

/** The position's number is that of its acceptance. */
export function fill(
  { position, stakeMicros, takerFeeMicros, payoutMicros, coreMicros = 0, taker = TAKER, maker = MAKER, acceptance = position, ...side }: Fill,
): OpenCall {
  const netStakeMicros = stakeMicros - takerFeeMicros
  const signed = trade({ acceptance, taker, maker, ...side }, {
    stakeMicros, coreMicros, validAfterS: START_S - 10, validBeforeS: START_S + DAY_S,
  }, { stakeMicros: netStakeMicros, payoutMicros, takerFeeBps: TAKER_FEE_BPS })
  return {
    kind: 'open', position, holder: taker, backer: maker, stakeMicros: netStakeMicros, riskMicros: payoutMicros - netStakeMicros,
    takerFeeMicros, takerFeeBps: TAKER_FEE_BPS, profitFeeBps: FEE_BPS, coreMicros, signed, ...caused(),
  }
}

/** A fill of a stake of 100 USDC for 250 USDC: fee 0.2, net stake 99.8, risk 150.2. */
export const roundFill = (position: number, more: Partial<Fill> = {}): OpenCall =>
  fill({ position, stakeMicros: 100 * USDC, takerFeeMicros: 200_000, payoutMicros: 250 * USDC, ...more })

export const buyback = (position: number, acceptance: number, priceMicros: number): VaultCall => ({
  kind: 'buyback', position, priceMicros, ...caused(),
  signed: trade({ acceptance, taker: TAKER, maker: MAKER }, {}, { position, payoutMicros: priceMicros }),
})

export const transfer = (position: number, acceptance: number, priceMicros: number): TransferCall => ({
  kind: 'transfer', position, buyer: RIVAL, priceMicros, ...caused(),
  signed: trade({ acceptance, taker: TAKER, maker: RIVAL }, {}, { position, payoutMicros: priceMicros }),
})

/** Three accounts, each with USDC in its wallet, and a part of it in the vault: 1,000, 5,000 and 2,000 USDC of 10,000. */
export async function funded(options: Parameters<typeof open>[0] = {}): Promise<EvmChain> {
  const chain = await open(options)
  await chain.admit([TAKER, MAKER, RIVAL].map((account) => ({ account, fundsMicros: 10_000 * USDC, quoteSigner: account })))
  await land(chain, [deposit(TAKER, 1000 * USDC), deposit(MAKER, 5000 * USDC), deposit(RIVAL, 2000 * USDC)])
  return chain
}

/** Sends calls and tells what became of their bundles. */
export async function sent(chain: EvmChain, calls: readonly VaultCall[]): Promise<readonly BundleStatus[]> {
  const bundles = await chain.prepare(calls)
  await chain.broadcast(bundles)
  return chain.statuses(bundles)
}

/** Sends calls that have to land. */
export async function land(chain: EvmChain, calls: readonly VaultCall[]): Promise<void> {
  const statuses = await sent(chain, calls)
  for (const status of statuses) if (status.state !== 'final') throw new Error(JSON.stringify(status))
}
