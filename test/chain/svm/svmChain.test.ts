import { beforeEach, describe, expect, it } from 'vitest'
import { openSvmChain, type SvmChain, type SvmChainOptions } from '../../../src/chain/svm/svmChain.ts'
import { TRANSACTION_BYTES } from '../../../src/chain/svm/transactionDraft.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'
import { admitted, Calls, land, landWell, START_S } from './calls.ts'

const BETTOR = 3
const MAKER = 7
const BUYER = 11
const ALL = [BETTOR, MAKER, BUYER]
const USDC = 1_000_000

let chain: SvmChain
let calls: Calls

/** Three wallets of 1,000 USDC, 500 of them in the vault. */
async function start(options: Partial<SvmChainOptions> = {}): Promise<void> {
  chain = await openSvmChain({ seed: 'a session', ...options })
  calls = new Calls()
  await chain.advance(START_S)
  await chain.admit(ALL.map((account) => admitted(account, 1_000 * USDC)))
  await landWell(chain, ...ALL.map((account) => calls.deposit(account, 500 * USDC)))
}

/** Balances of bettor, maker, buyer, then the house, in microUSDC. */
const sums = async () => [...await chain.balances(ALL), await chain.house()].map(Number)

/** Money out of nothing, or lost, would show here. */
async function expectWhole(inVaultMicros: number): Promise<void> {
  expect(Number((await chain.tokens()).owedMicros)).toBe(inVaultMicros)
}

describe('calls, by hand', () => {
  beforeEach(() => start())

  it('deposit and withdraw between wallet and vault', async () => {
    await landWell(chain, calls.withdraw(BETTOR, 120 * USDC), calls.deposit(MAKER, 1), calls.withdraw(BETTOR, 5))
    expect(await sums()).toEqual([379_999_995, 500_000_001, 500_000_000, 0])
    expect((await chain.wallets(ALL)).map(Number)).toEqual([620_000_005, 499_999_999, 500_000_000])
    await expectWhole(1_379_999_996)
  })

  it('open takes stake, fee and risk into the position', async () => {
    await landWell(chain, calls.open(0, BETTOR, MAKER))
    // 500 − 24.75 − 0.25 and 500 − 74.25.
    expect(await sums()).toEqual([475_000_000, 425_750_000, 500_000_000, 0])
    expect(await chain.positions([0, 1])).toEqual([
      { potMicros: 99_000_000n, escrowMicros: 250_000n, holder: BETTOR }, { potMicros: 0n, escrowMicros: 0n, holder: -1 },
    ])
    await expectWhole(1_500_000_000)
  })

  it.each([
    // 99 − 0.7425 profit fee; the house has that and the taker fee.
    { outcome: 'won', expected: [573_257_500, 425_750_000, 500_000_000, 992_500] },
    { outcome: 'lost', expected: [475_000_000, 524_750_000, 500_000_000, 250_000] },
    { outcome: 'void', expected: [500_000_000, 500_000_000, 500_000_000, 0] },
  ] as const)('settle $outcome', async ({ outcome, expected }) => {
    await landWell(chain, calls.open(0, BETTOR, MAKER), calls.settle(0, outcome))
    expect(await sums()).toEqual(expected)
    expect(await chain.positions([0])).toEqual([{ potMicros: 0n, escrowMicros: 0n, holder: -1 }])
    await expectWhole(1_500_000_000)
  })

  it('buyback above the stake: the seller pays on its profit', async () => {
    await landWell(chain, calls.open(0, BETTOR, MAKER), calls.buyback(0, 40_000_000))
    // Profit 15.25, fee 0.1525: 475 + 39.8475; the maker gets 99 − 40 = 59.
    expect(await sums()).toEqual([514_847_500, 484_750_000, 500_000_000, 402_500])
    expect(await chain.positions([0])).toEqual([{ potMicros: 0n, escrowMicros: 0n, holder: -1 }])
  })

  it('transfer, and the buyer is paid when it wins: on the first stake, since the transfer was free of fees', async () => {
    await landWell(chain, calls.open(0, BETTOR, MAKER), calls.transfer(0, BUYER, 60_000_000))
    expect(await sums()).toEqual([535_000_000, 425_750_000, 440_000_000, 0])
    expect(await chain.positions([0])).toEqual([{ potMicros: 99_000_000n, escrowMicros: 250_000n, holder: BUYER }])
    await landWell(chain, calls.settle(0, 'won'))
    expect(await sums()).toEqual([535_000_000, 425_750_000, 538_257_500, 992_500])
    await expectWhole(1_500_000_000)
  })

  it('transfer there and back again, then a buyback', async () => {
    await landWell(
      chain, calls.open(0, BETTOR, MAKER), calls.transfer(0, BUYER, 30_000_000), calls.transfer(0, BETTOR, 20_000_000), calls.buyback(0, 10_000_000),
    )
    // Bettor 475 + 30 − 20 + 10, maker 425.75 + 89, buyer 500 − 30 + 20.
    expect(await sums()).toEqual([495_000_000, 514_750_000, 490_000_000, 250_000])
  })

  it('reads more accounts and positions than one request takes, in order', async () => {
    const many = Array.from({ length: 230 }, (_, i) => 1_000 - i)
    many[0] = BETTOR
    many[150] = MAKER
    many[229] = BUYER
    await landWell(chain, calls.withdraw(MAKER, 1), calls.withdraw(BUYER, 2), calls.open(4, BETTOR, MAKER))
    const balances = await chain.balances(many)
    expect([0, 150, 229, 1].map((i) => Number(balances[i]))).toEqual([475_000_000, 425_749_999, 499_999_998, 0])
    const positions = await chain.positions(Array.from({ length: 101 }, (_, i) => 104 - i))
    expect(positions.map(({ holder }) => holder).indexOf(BETTOR)).toBe(100)
  })
})

describe('flags of the profile', () => {
  it('charge the maker on a lost bet and on a cheap buyback', async () => {
    await start({ profitFeeOnMaker: true })
    await landWell(chain, calls.open(0, BETTOR, MAKER), calls.settle(0, 'lost'))
    // 1 % of the stake: 0.2475.
    expect(await sums()).toEqual([475_000_000, 524_502_500, 500_000_000, 497_500])
    await landWell(chain, calls.open(1, BETTOR, MAKER), calls.buyback(1, 14_750_000))
    // 1 % of 24.75 − 14.75.
    expect(await sums()).toEqual([464_750_000, 534_402_500, 500_000_000, 847_500])
  })

  it('charge a transfer and count the buyer’s profit from its price', async () => {
    await start({ profitFeeOnTransfer: true })
    await landWell(chain, calls.open(0, BETTOR, MAKER), calls.transfer(0, BUYER, 44_750_000))
    // 1 % of 44.75 − 24.75.
    expect(await sums()).toEqual([519_550_000, 425_750_000, 455_250_000, 200_000])
    await landWell(chain, calls.settle(0, 'won'))
    // 1 % of 99 − 44.75 is 0.5425.
    expect(await sums()).toEqual([519_550_000, 425_750_000, 553_707_500, 992_500])
  })
})

describe('bundles', () => {
  beforeEach(() => start())

  it('are full but fit into a packet, and keep the order of the calls', async () => {
    await chain.admit(Array.from({ length: 40 }, (_, i) => admitted(100 + i, 100 * USDC)))
    const all = [
      ...Array.from({ length: 40 }, (_, i) => calls.deposit(100 + i, 50 * USDC)),
      ...Array.from({ length: 40 }, (_, i) => calls.open(i, 100 + i, MAKER, { riskMicros: USDC })),
      ...Array.from({ length: 40 }, (_, i) => calls.settle(i, 'won')),
    ]
    const { bundles, statuses } = await land(chain, all)
    expect(bundles.flatMap((bundle) => bundle.calls)).toEqual(all)
    expect(Math.max(...bundles.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(TRANSACTION_BYTES)
    expect(Math.max(...bundles.map((bundle) => bundle.calls.length))).toBeGreaterThanOrEqual(8)
    expect(new Set(statuses.map(({ state }) => state))).toEqual(new Set(['final']))
    expect(new Set(bundles.map(({ id }) => id)).size).toBe(bundles.length)
  })

  it('hold as many calls as was said', async () => {
    await start({ callsPerBundle: 2 })
    const bundles = await chain.prepare([1, 2, 3].map((amount) => calls.deposit(BETTOR, amount)))
    expect(bundles.map((bundle) => bundle.calls.length)).toEqual([2, 1])
    expect(chain.callsPerBundle).toBe(2)
  })

  it('are the same bytes for the same session', async () => {
    const first = await chain.prepare([calls.open(0, BETTOR, MAKER)])
    await start()
    const again = await chain.prepare([calls.open(0, BETTOR, MAKER)])
    expect(again).toEqual(first)
    await start({ seed: 'another session' })
    expect((await chain.prepare([calls.open(0, BETTOR, MAKER)]))[0]!.id).not.toBe(first[0]!.id)
  })

  it('none of no calls', async () => {
    expect(await chain.prepare([])).toEqual([])
    expect(await chain.statuses([])).toEqual([])
  })

  it('say which call was refused and why, and nothing of them lands', async () => {
    const { statuses } = await land(chain, [
      calls.deposit(BETTOR, 5), calls.open(0, BETTOR, MAKER), calls.withdraw(BETTOR, 476 * USDC), calls.settle(0, 'won'),
    ])
    expect(statuses).toEqual([{ state: 'refused', call: 2, reason: 'insufficientBalance', done: false }])
    expect(await sums()).toEqual([500_000_000, 500_000_000, 500_000_000, 0])
    expect((await chain.positions([0]))[0]!.holder).toBe(-1)
  })

  it('refuse a wallet that has too little', async () => {
    const { statuses } = await land(chain, [calls.deposit(BETTOR, 500 * USDC + 1)])
    expect(statuses).toEqual([{ state: 'refused', call: 0, reason: 'insufficientTokens', done: false }])
  })

  it('refuse an end of a position that ended otherwise, and say done of the same end', async () => {
    await landWell(chain, calls.open(0, BETTOR, MAKER), calls.settle(0, 'won'))
    const ends: [VaultCall, string, boolean][] = [
      [calls.settle(0, 'won'), 'positionEnded', true], [calls.settle(0, 'void'), 'positionEndedOtherwise', false],
      [calls.buyback(0, 5), 'positionEndedOtherwise', false], [calls.transfer(0, BUYER, 5), 'positionEndedOtherwise', false],
      [calls.open(0, BETTOR, MAKER), 'positionExists', true],
    ]
    for (const [call, reason, done] of ends) {
      expect((await land(chain, [call])).statuses).toEqual([{ state: 'refused', call: 0, reason, done }])
    }
    expect(await sums()).toEqual([573_257_500, 425_750_000, 500_000_000, 992_500])
  })
})
