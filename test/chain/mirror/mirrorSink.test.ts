import { describe, expect, it } from 'vitest'
import { count, emptyCounts, type MirrorSummary, reconciledLine, recoveryLine } from '../../../src/chain/mirror/mirrorSummary.ts'
import { MirrorSink } from '../../../src/chain/mirror/mirrorSink.ts'
import { ParlayReader } from '../../../src/chain/mirror/parlayReader.ts'
import type { Bundle } from '../../../src/chain/settlementChain.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'
import { type Leg, sec, usd } from '../../venue/parlay/driver.ts'
import { ModelChain } from './modelChain.ts'
import { mirroredTable, mirrorOf, RATES } from './parlayMirror.ts'

/** Legs on markets of their own. */
const legsFrom = (market: number): Leg[] => [[market, 'yes'], [market + 1, 'yes']]

/** A call by its kind and the second that it was made in, from the first. */
function told(calls: readonly VaultCall[]): string[] {
  const secondOf = ({ atUs }: VaultCall): number => Math.floor(atUs / 1e6)
  return calls.map((call) => `${secondOf(call) - secondOf(calls[0]!)} ${call.kind}`)
}

/** Every kind of end: at odds of 4 a bet of 25 USDC is a stake of 24.75, which pays 99 out of a risk of 74.25, and a taker fee of 0.25. */
function everyEnd(take: Parameters<typeof mirroredTable>[0]) {
  const d = mirroredTable(take)
  const [won, lost, voided, bought, moved] = [1, 3, 5, 7, 9].map((market, i) => {
    d.at(sec(10 + i))
    return d.open(10, 20, 4, legsFrom(market))
  }) as [number, number, number, number, number]
  for (const [position, buyer, price] of [[bought, 20, 30], [moved, 21, 40]] as const) {
    d.at(d.now + sec(5))
    const auction = d.cashout(10, position)['auction'] as number
    d.bid(buyer, auction, usd(price))
    d.sell(10, auction)
  }
  d.at(sec(100))
  for (const [market, result] of [[1, 'yes'], [2, 'yes'], [3, 'no'], [5, 'void'], [9, 'yes'], [10, 'yes']] as const) d.resolve(market, result)
  d.pulse(sec(101))
  d.withdraw(10, usd(900))
  return { d, positions: { won, lost, voided, bought, moved } }
}

/** Never answers for a bundle with a call of some kind. */
class Deaf extends ModelChain {
  private readonly kind: VaultCall['kind']
  private readonly asking = Promise.withResolvers<void>()
  readonly asked = this.asking.promise

  constructor(kind: VaultCall['kind']) {
    super()
    this.kind = kind
  }

  override broadcast(bundles: readonly Bundle[]): Promise<void> {
    if (bundles.every(({ calls }) => calls.every(({ kind }) => kind !== this.kind))) return super.broadcast(bundles)
    this.asking.resolve()
    return new Promise(() => {})
  }
}

describe('a mirrored session', () => {
  it('settles every kind of position on the chain, each with the sums of the ledger', async () => {
    const chain = new ModelChain()
    const sink = mirrorOf(chain)
    const { d } = everyEnd((batch) => { sink.flush(batch) })
    sink.finish()
    await sink.settled()

    // Bettor: 1000 − 5 × 25, won 99 − 0.7425, void 25, sold for 30 − 0.0525 and for 40 − 0.1525; withdrawn 900.
    const bettor = 1_000_000_000 - 125_000_000 + 98_257_500 + 25_000_000 + 29_947_500 + 39_847_500 - 900_000_000
    // Maker: 1000 − 5 × 74.25, lost 99, void 74.25, bought back 99 − 30.
    const maker = 1_000_000_000 - 371_250_000 + 99_000_000 + 74_250_000 + 69_000_000
    // Buyer: 1000 − 40 + 99 − 0.59, which is 1 % of 59.
    const buyer = 1_000_000_000 - 40_000_000 + 98_410_000
    // House: taker fees of all but the void, profit fees 0.7425, 0.0525, 0.1525 and 0.59.
    const house = 4 * 250_000 + 742_500 + 52_500 + 152_500 + 590_000
    expect(await chain.balances([10, 20, 21, 22, 11])).toEqual([bettor, maker, buyer, 1_000_000_000, 1_000_000_000].map(BigInt))
    expect(await chain.house()).toBe(BigInt(house))
    expect((await chain.tokens()).owedMicros).toBe(BigInt(5_000_000_000 - 900_000_000))
    expect(await chain.wallets([10, 20])).toEqual([900_000_000n, 0n])
    expect(d.free(10)).toBe(bettor)
    expect(chain.isClosed).toBe(true)
    expect(reconciledLine(sink.summary()))
      .toBe('reconciled: 5 positions (2 won, 1 lost, 1 void, 1 bought back, 1 transferred), 5 accounts, 0 differences')
    expect(recoveryLine(sink.summary())).toBeNull()
    expect(told(chain.landed)).toEqual([
      '0 deposit', '0 deposit', '0 deposit', '0 deposit', '0 deposit', '10 open', '11 open', '12 open', '13 open', '14 open',
      '19 buyback', '24 transfer', '100 settle', '100 settle', '100 settle', '100 settle', '101 withdraw',
    ])
  })

  it('tells how far it is, and lets go of the chain when the session is given up', async () => {
    const chain = new ModelChain()
    const told: string[] = []
    const sink = new MirrorSink({
      service: 'parlay', reader: new ParlayReader(RATES), chain, faults: null,
      onProgress({ read, landed }) {
        told.push(`${landed} of ${read}`)
        if (landed === 7) sink.abort()
      },
    })
    everyEnd((batch) => { sink.flush(batch) })
    sink.finish()
    await sink.settled()
    expect(told).toEqual(['5 of 17', '6 of 17', '7 of 17'])
    expect([chain.landed.length, chain.isClosed]).toEqual([7, true])
  })

  it.each(['deposit', 'settle'] as const)('is given up while a chain does not answer a %s', async (kind) => {
    const chain = new Deaf(kind)
    const sink = mirrorOf(chain)
    everyEnd((batch) => { sink.flush(batch) })
    sink.finish()
    await chain.asked
    sink.abort()
    await sink.settled()
    expect([chain.isClosed, chain.landed.some((call) => call.kind === kind)]).toEqual([true, false])
  })

  it('writes thousands and what is open', () => {
    const positions = emptyCounts()
    for (let i = 0; i < 1234; i++) count(positions, { kind: 'settle', seq: i, atUs: 0, position: i, outcome: 'lost' })
    const summary = { positions: { ...positions, opened: 1236 }, open: 2, accounts: 3 } as MirrorSummary
    expect(reconciledLine(summary))
      .toBe('reconciled: 1,236 positions (0 won, 1,234 lost, 0 void, 0 bought back, 0 transferred, 2 open), 3 accounts, 0 differences')
  })
})
