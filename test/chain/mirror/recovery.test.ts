import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainFaults } from '../../../src/chain/mirror/chainFaultPlan.ts'
import { Relayer, type RelayerCounts, type RelayerOptions, stagesOf } from '../../../src/chain/mirror/relayer.ts'
import { recoveryLine } from '../../../src/chain/mirror/mirrorSummary.ts'
import { CallRefused, ChainStalled } from '../../../src/chain/mirror/settlementDifference.ts'
import type { Bundle, SettlementChain } from '../../../src/chain/settlementChain.ts'
import type { DepositCall, OpenCall, SettleCall, TransferCall, VaultCall } from '../../../src/chain/vaultCall.ts'
import type { Batch } from '../../../src/record/sink.ts'
import { type Leg, sec, usd } from '../../venue/parlay/driver.ts'
import { drawsOf } from '../../draws.ts'
import { ModelChain, type ModelManners, type ModelTerms } from './modelChain.ts'
import { walk } from './mirrorWalk.ts'
import { faultsOf, mirroredTable, mirrorOf } from './parlayMirror.ts'
import { PATIENCE_MS } from '../../patience.ts'

const TERMS = { profitFeeOnTransfer: true, profitFeeOnMaker: false }

interface Mirrored {
  readonly chain: ModelChain
  readonly counts: RelayerCounts
  readonly line: string | null
}

/** What a chain with faults comes to; a difference would be thrown. */
async function mirrored(act: (take: (batch: Batch) => void) => void, faults: Partial<ChainFaults> | null, manners: ModelManners = {}, seed = 'a'): Promise<Mirrored> {
  const chain = new ModelChain(TERMS, manners)
  const sink = mirrorOf(chain, faults === null ? null : faultsOf(faults, seed))
  act((batch) => { sink.flush(batch) })
  sink.finish()
  await sink.settled()
  const summary = sink.summary()
  return { chain, counts: summary.recovery, line: recoveryLine(summary) }
}

/** Eight seconds with money: five deposits, then a fill each, a sale, and two results. */
function eightBatches(take: (batch: Batch) => void): void {
  const d = mirroredTable(take)
  const positions = [1, 3, 5, 7].map((market) => {
    const legs: Leg[] = [[market, 'yes'], [market + 1, 'yes']]
    return d.at(sec(10 + market)).open(10, 20, 4, legs)
  })
  const auction = d.at(sec(30)).cashout(10, positions[3]!)['auction'] as number
  d.bid(21, auction, usd(30))
  d.sell(10, auction)
  for (const [at, market] of [[40, 1], [50, 3]] as const) {
    d.at(sec(at)).resolve(market, 'no')
    d.pulse(sec(at) + 1)
  }
}

/** After the reorganisation an account pays for a later position first, and what it had from an earlier one comes last. */
const LATER_ONES_PAY_FIRST: [number, ChainFaults, ModelManners] = [
  -1280043578, { droppedShare: 0.4, unconfirmedShare: 0.4, unfundedShare: 0, sponsorOutageEveryBatches: 0, reorganisations: { everyBatches: 1, depthBatches: 1 } },
  { callsPerBundle: 3, lifeBundles: 40, order: 'reversed' },
]

const QUIET = { resent: 0, signedAnew: 0, doneBefore: 0, reorganisations: 0, undone: 0, sponsorOutages: 0, unfunded: 0 }
const BATCHES = { batches: 8, calls: 12 }

/** Row numbers of what has landed, those of undone calls as often as they did. */
const rowsOf = (calls: readonly VaultCall[]): number[] => calls.map(({ seq }) => seq).toSorted((a, b) => a - b)

describe('recovery', () => {
  it('has nothing to do on a chain that behaves', async () => {
    const { counts, line } = await mirrored(eightBatches, null)
    expect(counts).toEqual({ ...BATCHES, ...QUIET })
    expect(line).toBeNull()
  })

  it('sends what was dropped again', async () => {
    const plain = await mirrored(eightBatches, null)
    const { chain, counts, line } = await mirrored(eightBatches, { droppedShare: 1 })
    // Eight rounds drop each of the 12 bundles.
    expect(counts).toEqual({ ...BATCHES, ...QUIET, resent: 96 })
    expect(line).toBe('recovered: 96 bundles sent again')
    expect(chain.holdings()).toEqual(plain.chain.holdings())
    expect(rowsOf(chain.landed)).toEqual(rowsOf(plain.chain.landed))
  })

  it('sends again what landed without its hearing, with no effect', async () => {
    const plain = await mirrored(eightBatches, null)
    for (const callsPerBundle of [1, 3]) {
      const { chain, counts } = await mirrored(eightBatches, { unconfirmedShare: 1 }, { callsPerBundle })
      expect(counts.resent).toBeGreaterThan(5)
      expect(counts.doneBefore).toBeGreaterThan(5)
      expect(chain.holdings()).toEqual(plain.chain.holdings())
      expect(rowsOf(chain.landed)).toEqual(rowsOf(plain.chain.landed))
    }
  })

  it('brings back what a reorganisation undid, in order', async () => {
    const plain = await mirrored(eightBatches, null)
    const { chain, counts, line } = await mirrored(eightBatches, { reorganisations: { everyBatches: 4, depthBatches: 3 } })
    // After the fourth and the eighth batch the last three: the first three fills; sale and both results.
    expect(counts).toEqual({ ...BATCHES, ...QUIET, reorganisations: 2, undone: 6 })
    expect(line).toBe('recovered: 2 reorganisations (6 batches undone)')
    expect(chain.undone).toBe(2)
    expect(chain.landed.map(({ kind }) => kind)).toEqual([
      ...Array<string>(5).fill('deposit'), ...Array<string>(6).fill('open'), 'open', 'transfer', 'settle', 'settle', 'transfer', 'settle', 'settle',
    ])
    expect(chain.landedAtS).toEqual(chain.landed.map(({ atUs }) => Math.floor(atUs / 1e6)))
    expect(chain.holdings()).toEqual(plain.chain.holdings())
  })

  it('undoes as many batches as it is asked to where money comes in all the time', async () => {
    const act = (take: (batch: Batch) => void): void => {
      const d = mirroredTable(take)
      for (let batch = 1; batch < 8; batch++) {
        d.at(sec(batch)).deposit(10, usd(1))
        d.deposit(11, usd(batch))
        d.withdraw(20, usd(2))
      }
    }
    const { chain, counts } = await mirrored(act, { reorganisations: { everyBatches: 8, depthBatches: 7 } })
    expect(counts).toEqual({ batches: 8, calls: 26, ...QUIET, reorganisations: 1, undone: 7 })
    expect(await chain.balances([10, 11, 20])).toEqual([1007, 1028, 986].map((dollars) => BigInt(usd(dollars))))
  })

  it('signs what was undone anew when its signature is too old', async () => {
    const plain = await mirrored(eightBatches, null)
    const { chain, counts } = await mirrored(eightBatches, { reorganisations: { everyBatches: 8, depthBatches: 8 } }, { lifeBundles: 6 })
    // The first five of the 12 bundles are more than six behind when they are sent again, and each one signed anew ages the others.
    expect(counts.signedAnew).toBeGreaterThanOrEqual(5)
    expect(chain.holdings()).toEqual(plain.chain.holdings())
  })

  it('waits for a sponsor, and for money in wallets', async () => {
    const plain = await mirrored(eightBatches, null)
    const { chain, counts, line } = await mirrored(eightBatches, { sponsorOutageEveryBatches: 3, unfundedShare: 1 })
    // Outages in the third and the sixth batch, a fill and a sale; five deposits are refused at first.
    expect(counts).toMatchObject({ ...BATCHES, sponsorOutages: 2, resent: 2, unfunded: 1, doneBefore: 0 })
    expect(line).toMatch(/2 sponsor outages, 1 late fundings$/)
    expect(chain.holdings()).toEqual(plain.chain.holdings())
  })

  it('settles nothing twice and loses nothing, whatever goes wrong together', async () => {
    const seen: RelayerCounts = { batches: 0, calls: 0, ...QUIET }
    const share = fc.constantFrom(0, 0.1, 0.4, 1)
    const faults: fc.Arbitrary<ChainFaults> = fc.record({
      droppedShare: share, unconfirmedShare: share, unfundedShare: share, sponsorOutageEveryBatches: fc.constantFrom(0, 1, 4),
      reorganisations: fc.constantFrom(null, { everyBatches: 1, depthBatches: 1 }, { everyBatches: 7, depthBatches: 5 }, { everyBatches: 20, depthBatches: 20 }),
    })
    const [order, signed] = [fc.constantFrom('sent', 'reversed'), fc.constant('signed')] as const
    const callsPerBundle = fc.integer({ min: 1, max: 4 })
    const manners: fc.Arbitrary<ModelManners> = fc.oneof(fc.record({ callsPerBundle, lifeBundles: fc.constantFrom(40, Infinity), order }), fc.record({ callsPerBundle, order: signed }))
    await fc.assert(fc.asyncProperty(fc.integer(), faults, manners, async (seed, plan, manner) => {
      const act = (take: (batch: Batch) => void): void => void walk(take, drawsOf(seed), 120)
      const plain = await mirrored(act, null)
      const { chain, counts } = await mirrored(act, plan, manner, String(seed))
      expect(chain.holdings()).toEqual(plain.chain.holdings())
      expect(new Set(rowsOf(chain.landed))).toEqual(new Set(rowsOf(plain.chain.landed)))
      if (counts.reorganisations === 0) expect(rowsOf(chain.landed)).toEqual(rowsOf(plain.chain.landed))
      for (const [what, times] of Object.entries(counts)) seen[what as keyof RelayerCounts] += times
    }), { seed: 62, numRuns: 60, examples: [LATER_ONES_PAY_FIRST] })
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(30)
  })
})

const open = (position: number): OpenCall => ({
  kind: 'open', seq: position, atUs: sec(1), position, holder: 1, backer: 2, stakeMicros: 9_900, riskMicros: 100, takerFeeMicros: 100, takerFeeBps: 100,
  profitFeeBps: 100, coreMicros: 0, signed: null,
})
const settle = (position: number, seq = 50): SettleCall => ({ kind: 'settle', seq, atUs: sec(1), position, outcome: 'won' })
const transfer = (position: number): TransferCall =>
  ({ kind: 'transfer', seq: 40, atUs: sec(1), position, buyer: 3, priceMicros: 1, signed: null })
const deposit = (account: number): DepositCall => ({ kind: 'deposit', seq: 30 + account, atUs: sec(1), account, amountMicros: 50_000 })

const ADMITTED = [1, 2, 3].map((account) => ({ account, fundsMicros: 50_000, quoteSigner: account }))

describe('the relayer', () => {
  it('sends calls on one position one after the other', () => {
    const [a, b, c, d, e] = [open(1), open(2), transfer(1), settle(2), settle(1)]
    expect(stagesOf([deposit(1), a, b, c, d, e])).toEqual([[deposit(1), a, b], [c, d], [e]])
    expect(stagesOf([])).toEqual([])
  })

  it('brings what depends on it after what was dropped: the buyer of a transfer is paid', async () => {
    const chain = new ModelChain(TERMS, { order: 'reversed' })
    const relayer = new Relayer(chain, faultsOf({ droppedShare: 0.5 }))
    await relayer.send({ atS: 1, calls: [deposit(1), deposit(2), deposit(3), open(1), transfer(1), settle(1)], admitted: ADMITTED })
    // The price is below the stake, so the fee is 1 % of the payout less the price: 9,999 · 0.01, rounded down.
    expect(await chain.balances([1, 2, 3])).toEqual([40_001n, 49_900n, 50_000n - 1n + 10_000n - 99n])
  })

  it.each<[what: string, manners: ModelManners, depositAfter: number, lost: readonly number[]]>([
    ['it and a deposit', {}, 5, [0, 5]], ['the bundle that brings both', { callsPerBundle: 3 }, 2, [0]], ['a deposit and took the last first', { order: 'reversed' }, 5, [5]],
  ])('brings a call whose money later ones took, since the chain lost %s', async (_, manners, depositAfter, lost) => {
    const chain = new LosesOnce(TERMS, manners)
    const relayer = new Relayer(chain, null)
    const admitted = [1, 2].map((account) => ({ account, fundsMicros: 100_000, quoteSigner: account }))
    await relayer.send({ atS: 1, calls: [deposit(1), deposit(2)], admitted })
    // Five positions cost all that account 1 has, a deposit brings as much again.
    const calls: VaultCall[] = [1, 2, 3, 4, 5, 6, 7].map(open)
    calls.splice(depositAfter, 0, { ...deposit(1), seq: 60 })
    chain.lost = lost
    await relayer.send({ atS: 1, calls, admitted: [] })
    expect(await chain.balances([1, 2])).toEqual([30_000n, 49_300n])
  })

  it.each<[what: string, lost: readonly number[]]>([['none', []], ['a position', [1]], ['both positions', [1, 2]], ['all', [0, 1, 2]]])(
    'names the deposit that a vault refuses, and none of the positions that it should have paid for, where the chain lost %s', async (_, lost) => {
      const chain = new LosesOnce(TERMS)
      const relayer = new Relayer(chain, null)
      await relayer.send({ atS: 1, calls: [deposit(2)], admitted: [{ account: 2, fundsMicros: 50_000, quoteSigner: 2 }] })
      chain.lost = lost
      const sent = relayer.send({ atS: 1, calls: [deposit(1), open(1), open(2)], admitted: [{ account: 1, fundsMicros: 49_999, quoteSigner: 1 }] })
      await expect(sent).rejects.toMatchObject({ name: 'CallRefused', call: deposit(1), reason: 'wallet is short' })
    })

  it.each([40, 90])('names it on a chain of others that loses %d %% of what it is sent', async (share) => {
    const draw = drawsOf(5)
    const chain = Object.assign(new Loses(TERMS, { order: 'reversed' }, () => draw(100) < share), { faults: null })
    const positions = Array.from({ length: 20 }, (_, i) => open(i + 1))
    const admitted = [{ account: 1, fundsMicros: 199_999, quoteSigner: 1 }, { account: 2, fundsMicros: 2_000, quoteSigner: 2 }]
    const calls: VaultCall[] = [{ ...deposit(1), amountMicros: 200_000 }, { ...deposit(2), amountMicros: 2_000 }, ...positions]
    const sent = new Relayer(chain, null, { patience: { fruitlessMs: 1e9, waitMs: 0 } }).send({ atS: 1, calls, admitted })
    await expect(sent).rejects.toMatchObject({ name: 'CallRefused', call: calls[0], reason: 'wallet is short' })
  })

  it('goes on where another one stopped that had lost calls in between', async () => {
    let isLossy = true
    const [early, more] = [open(1), { ...deposit(1), seq: 60 }]
    const chain = new Loses(TERMS, {}, ({ calls }) => isLossy && (calls[0] === early || calls[0] === more))
    Object.assign(chain, { faults: null, landsInOrder: false })
    const calls: VaultCall[] = [early, ...[2, 3, 4, 5].map(open), more, open(6), open(7)]
    const admitted = [1, 2].map((account) => ({ account, fundsMicros: 100_000, quoteSigner: account }))
    const stop = new AbortController()
    const first = new Relayer(chain, null, { patience: { fruitlessMs: 1e9, waitMs: 1e9 }, signal: stop.signal })
    await first.send({ atS: 1, calls: [deposit(1), deposit(2)], admitted })
    const sent = first.send({ atS: 1, calls, admitted: [] }).catch((reason: unknown) => reason)
    await expect.poll(() => chain.landed.length, { timeout: PATIENCE_MS }).toBe(2 + 5)
    stop.abort()
    expect(await sent).toMatchObject({ name: 'AbortError' })
    isLossy = false
    await new Relayer(chain, null, { patience: { fruitlessMs: 1e9, waitMs: 0 } }).send({ atS: 1, calls, admitted: [] })
    expect(await chain.balances([1, 2])).toEqual([30_000n, 49_300n])
  })

  it('says of a chain that takes one call never that it stalls, not that what hangs on it is refused', async () => {
    const paying = deposit(1)
    const chain = new Loses(TERMS, { order: 'reversed' }, ({ calls }) => calls.includes(paying))
    const sent = new Relayer(chain, null).send({ atS: 1, calls: [deposit(2), paying, open(1)], admitted: ADMITTED })
    await expect(sent).rejects.toMatchObject({ name: 'ChainStalled', message: expect.stringContaining('deposit account 1') })
  })

  it('says what the vault refused where the rest never lands', async () => {
    const chain = new Loses(TERMS, { order: 'reversed' }, ({ calls }) => calls.includes(third))
    const third = deposit(3)
    const sent = new Relayer(chain, null).send({ atS: 1, calls: [deposit(1), settle(7), third], admitted: ADMITTED })
    await expect(sent).rejects.toMatchObject({ name: 'CallRefused', call: settle(7) })
  })

  it('goes on where another one stopped, in whatever bundles', async () => {
    const chain = new ModelChain(TERMS, { callsPerBundle: 2 })
    await new Relayer(chain, null).send({ atS: 1, calls: [deposit(1)], admitted: ADMITTED })
    const relayer = new Relayer(chain, null)
    await relayer.send({ atS: 1, calls: [deposit(1), deposit(2), deposit(3)], admitted: [] })
    expect(await chain.balances([1, 2, 3])).toEqual([50_000n, 50_000n, 50_000n])
    expect(relayer.counts).toEqual({ ...QUIET, batches: 1, calls: 3, doneBefore: 1, signedAnew: 1 })
  })

  it('names the call that a vault refuses', async () => {
    const relayer = new Relayer(new ModelChain(TERMS, { callsPerBundle: 4 }), null)
    const error: unknown = await relayer.send({ atS: 1, calls: [deposit(1), settle(7)], admitted: ADMITTED }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CallRefused)
    expect((error as CallRefused).call).toEqual(settle(7))
    expect((error as CallRefused).message).toBe('svm refused settle position 7, outcome won (row 50, 1970-01-01T00:00:01.000000Z): no position 7')
  })

  it('gives up on a chain that takes nothing', async () => {
    const chain = new ModelChain(TERMS)
    chain.faults.drop(true)
    const error: unknown = await new Relayer(chain, null).send({ atS: 1, calls: [deposit(1)], admitted: ADMITTED }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ChainStalled)
    expect((error as ChainStalled).message).toMatch(/^svm has not taken deposit account 1, amountMicros 50000 \(row 31, .*\) in 32 rounds of sending$/)
  })

  it('gives up on another chain that has taken nothing for a while, and waits no longer when it is told to end', async () => {
    const chain = new ModelChain(TERMS)
    chain.faults.drop(true)
    const send = (options: RelayerOptions): Promise<unknown> =>
      new Relayer(Object.assign(Object.create(chain) as ModelChain, { faults: null }), null, options)
        .send({ atS: 1, calls: [deposit(1)], admitted: ADMITTED }).catch((reason: unknown) => reason)
    expect(await send({ patience: { fruitlessMs: 20, waitMs: 5 } })).toBeInstanceOf(ChainStalled)
    const abortion = new AbortController()
    const sent = send({ patience: { fruitlessMs: 1e9, waitMs: 1e9 }, signal: abortion.signal })
    setImmediate(() => { abortion.abort() })
    expect(await sent).toMatchObject({ name: 'AbortError' })
  })

  it('gives up on another chain after three rounds of sending, not after one that took all of its patience', async () => {
    const chain = new ModelChain(TERMS)
    const another: SettlementChain = Object.assign(Object.create(chain) as Omit<ModelChain, 'faults'>, { faults: null })
    const sentWith = (fruitlessMs: number): Promise<unknown> =>
      new Relayer(another, null, { patience: { fruitlessMs, waitMs: 0 } }).send({ atS: 1, calls: [deposit(1)], admitted: ADMITTED }).catch((reason: unknown) => reason)
    chain.faults.drop(true)
    expect(await sentWith(0)).toMatchObject({ name: 'ChainStalled', message: expect.stringMatching(/ in 3 rounds of sending$/) as string })
    let rounds = 0
    another.statuses = (bundles) => {
      if (++rounds === 2) chain.faults.drop(false)
      return ModelChain.prototype.statuses.call(another, bundles)
    }
    expect(await sentWith(0)).toBe(false)
    expect(rounds).toBe(3)
  })

  it.each([0.02, 1])('brings a hundred calls in a bundle over a chain that loses %d of its answers, whatever the seed', async (unconfirmedShare) => {
    const accounts = Array.from({ length: 100 }, (_, i) => i + 1)
    const admitted = accounts.map((account) => ({ account, fundsMicros: 50_000, quoteSigner: account }))
    for (let seed = 0; seed < 20; seed++) {
      const chain = new ModelChain(TERMS, { callsPerBundle: 100 })
      const relayer = new Relayer(chain, faultsOf({ unconfirmedShare }, `hundred ${seed}`))
      await relayer.send({ atS: 1, calls: accounts.map(deposit), admitted })
      expect(new Set(await chain.balances(accounts))).toEqual(new Set([50_000n]))
      expect(chain.landed).toHaveLength(100)
      // Each call twice at most for each of the eight rounds in which answers are lost.
      expect(relayer.counts.signedAnew).toBeLessThanOrEqual(1600)
    }
  })

  it('goes on as long as calls land, however few at a time', async () => {
    const chain = new OneAtATime(TERMS)
    await new Relayer(chain, null).send({ atS: 1, calls: Array.from({ length: 50 }, (_, i) => deposit(i + 1)), admitted: fifty })
    expect(chain.landed).toHaveLength(50)
  })
})

const fifty = Array.from({ length: 50 }, (_, i) => ({ account: i + 1, fundsMicros: 50_000, quoteSigner: i + 1 }))

/** Loses some bundles, by their places, of the next broadcast. */
class LosesOnce extends ModelChain {
  lost: readonly number[] = []

  override async broadcast(bundles: readonly Bundle[]): Promise<void> {
    const { lost } = this
    this.lost = []
    await super.broadcast(bundles.filter((_, i) => !lost.includes(i)))
  }
}

/** Loses bundles that it is told to lose. */
class Loses extends ModelChain {
  private readonly isLost: (bundle: Bundle) => boolean

  constructor(terms: ModelTerms, manners: ModelManners, isLost: (bundle: Bundle) => boolean) {
    super(terms, manners)
    this.isLost = isLost
  }

  override async broadcast(bundles: readonly Bundle[]): Promise<void> {
    await super.broadcast(bundles.filter((bundle) => !this.isLost(bundle)))
  }
}

/** Takes one bundle of each broadcast. */
class OneAtATime extends ModelChain {
  override async broadcast(bundles: readonly Bundle[]): Promise<void> {
    await super.broadcast(bundles.slice(0, 1))
  }
}
