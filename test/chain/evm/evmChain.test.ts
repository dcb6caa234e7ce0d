import { afterEach, describe, expect, it } from 'vitest'
import type { EvmChain } from '../../../src/chain/evm/evmChain.ts'
import type { OpenCall, VaultCall } from '../../../src/chain/vaultCall.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import {
  buyback, DAY_S, deposit, fill, funded, land, MAKER, reduce, release, RIVAL, roundFill, sent, settle, START_S, TAKER, transfer, USDC, withdraw,
} from './vaultSession.ts'

const opened: EvmChain[] = []

async function started(...options: Parameters<typeof funded>): Promise<EvmChain> {
  const chain = await funded(...options)
  opened.push(chain)
  return chain
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((chain) => chain.close()))
})

const ACCOUNTS = [TAKER, MAKER, RIVAL]
const CHANGED = [{ signer: 2002, sinceS: START_S }]

/** What the chain has of the three accounts: in the vault, in their wallets, of the house, in the vault's token account. */
async function money(chain: EvmChain): Promise<{ vault: readonly bigint[], wallets: readonly bigint[], house: bigint, tokens: bigint }> {
  return { vault: await chain.balances(ACCOUNTS), wallets: await chain.wallets(ACCOUNTS), house: await chain.house(), tokens: (await chain.tokens()).owedMicros }
}

describe.skipIf(noAnvil)(`the outcome service's vault on a chain${skipped}`, () => {
  it.each([1, 100])('holds what each call makes of the money, with %i calls in a transaction', async (callsPerBundle) => {
    const chain = await started({ callsPerBundle })
    expect(await money(chain)).toEqual({
      vault: [1_000_000_000n, 5_000_000_000n, 2_000_000_000n], wallets: [9_000_000_000n, 5_000_000_000n, 8_000_000_000n],
      house: 0n, tokens: 8_000_000_000n,
    })

    // Six positions. Of the first 30 USDC of the stake come out of the wallet. The last: fee floor(33,333,333 × 0.2 %) = 66,666.
    await land(chain, [
      roundFill(1, { coreMicros: 30 * USDC }), roundFill(2), roundFill(3), roundFill(4), roundFill(5),
      fill({ position: 6, stakeMicros: 33_333_333, takerFeeMicros: 66_666, payoutMicros: 77_777_777 }),
    ])
    expect(await chain.positions([1, 6, 77])).toEqual([
      { potMicros: 250_000_000n, escrowMicros: 0n, holder: TAKER }, { potMicros: 77_777_777n, escrowMicros: 0n, holder: TAKER },
      { potMicros: 0n, escrowMicros: 0n, holder: -1 },
    ])
    expect(await money(chain)).toEqual({
      // 1,000 − 70 − 4 × 100 − 33.333333, and 5,000 − 5 × 150.2 − (77.777777 − 33.266667).
      vault: [496_666_667n, 4_204_488_890n, 2_000_000_000n], wallets: [8_970_000_000n, 5_000_000_000n, 8_000_000_000n],
      // 5 × 0.2 + 0.066666.
      house: 1_066_666n, tokens: 8_030_000_000n,
    })

    // 4 back to its maker for 120 USDC, 5 to the other maker for 140.
    await chain.advance(START_S + 60)
    await land(chain, [buyback(4, 104, 120 * USDC), transfer(5, 105, 140 * USDC)])
    expect(await chain.positions([4, 5])).toEqual([
      { potMicros: 0n, escrowMicros: 0n, holder: -1 }, { potMicros: 250_000_000n, escrowMicros: 0n, holder: RIVAL },
    ])
    expect((await money(chain)).vault).toEqual([756_666_667n, 4_334_488_890n, 1_860_000_000n])

    // Lost: the pot to the maker. Won: the pot less 1 % of (250 − 99.8), of 6 less floor(445,111.1). Void: 99.8 and 150.2.
    await land(chain, [settle(1, 'lost'), settle(2, 'won'), settle(3, 'void'), settle(5, 'won'), settle(6, 'won')])
    expect(await money(chain)).toEqual({
      // In order: 756.666667 + 248.498 + 99.8 + 77.332666, 4,334.48889 + 250 + 150.2, and 1,860 + 248.498.
      vault: [1_182_297_333n, 4_734_688_890n, 2_108_498_000n], wallets: [8_970_000_000n, 5_000_000_000n, 8_000_000_000n],
      // 1.066666 + 2 × 1.502 + 0.445111.
      house: 4_515_777n, tokens: 8_030_000_000n,
    })
    expect(await chain.positions([1, 2, 3, 4, 5, 6])).toEqual(Array.from({ length: 6 }, () => ({ potMicros: 0n, escrowMicros: 0n, holder: -1 })))

    // 50 USDC out, 25 more that end with an Exit; 500 USDC of collateral, a day later.
    await land(chain, [withdraw(TAKER, 50 * USDC, 1), withdraw(TAKER, 25 * USDC, 2, START_S + DAY_S), reduce(8, MAKER, 500 * USDC)])
    expect(await money(chain)).toMatchObject({
      vault: [1_107_297_333n, 4_734_688_890n, 2_108_498_000n], wallets: [9_045_000_000n, 5_000_000_000n, 8_000_000_000n], tokens: 7_955_000_000n,
    })
    await chain.advance(START_S + 60 + DAY_S)
    await land(chain, [release(8, MAKER, 500 * USDC)])
    expect(await money(chain)).toEqual({
      vault: [1_107_297_333n, 4_234_688_890n, 2_108_498_000n], wallets: [9_045_000_000n, 5_500_000_000n, 8_000_000_000n],
      house: 4_515_777n, tokens: 7_455_000_000n,
    })
  })

  it('refuses trades of an account that was never admitted', async () => {
    const chain = await started()
    await expect(chain.prepare([roundFill(1, { maker: 9 })])).rejects.toThrow('account 9 trades and was never admitted')
  })

  it('gives an account that is admitted again more USDC', async () => {
    const chain = await started()
    await chain.admit([{ account: TAKER, fundsMicros: 5, quoteSigner: TAKER }, { account: 4, fundsMicros: 7, quoteSigner: 4 }])
    expect(await chain.wallets([TAKER, 4])).toEqual([9_000_000_005n, 7n])
    await land(chain, [deposit(4, 7)])
    expect(await chain.balances([4])).toEqual([7n])
  })

  it('makes the same transactions of the same calls, on any chain', async () => {
    const chains = [await started(), await started()]
    const calls: VaultCall[] = [withdraw(TAKER, 1, 1), roundFill(1), settle(1, 'won')]
    const [one, other] = await Promise.all(chains.map((chain) => chain.prepare(calls)))
    expect(one!.map(({ id, bytes }) => ({ id, bytes }))).toEqual(other!.map(({ id, bytes }) => ({ id, bytes })))
  })
})

describe.skipIf(noAnvil)(`quote signers on a chain${skipped}`, () => {
  it('sign what was accepted in their time, in whatever order it lands', async () => {
    const chain = await started()
    await chain.advance(START_S + 60)
    const changes = [{ signer: 2002, sinceS: START_S + 10 }, { signer: 2003, sinceS: START_S + 20 }, { signer: 2002, sinceS: START_S + 30 }]
    const at = (position: number, second: number, changed: number): OpenCall =>
      roundFill(position, { acceptedAtS: START_S + second, signerChanges: changes.slice(0, changed) })
    // The last one in a transaction with one of before any change, and in a later transaction one of in between.
    await land(chain, [at(1, 40, 3), at(2, 5, 0)])
    await land(chain, [at(3, 15, 1), at(4, 25, 2), at(5, 35, 3)])
    // In the second of a change both sign.
    await land(chain, [at(6, 10, 0), at(7, 10, 1)])
    expect((await chain.positions([1, 2, 3, 4, 5, 6, 7])).every(({ potMicros }) => potMicros === 250_000_000n)).toBe(true)
    expect(await sent(chain, [at(8, 19, 2)])).toMatchObject([{ state: 'refused', done: false, reason: expect.stringContaining('WrongSigner') }])
  })

  it('are read again when a change did not land', async () => {
    const chain = await started()
    // The change of the signer goes down with the second fill, which takes more than the participant has.
    const [status] = await sent(chain, [roundFill(1, { signerChanges: CHANGED }), fill({
      position: 2, signerChanges: CHANGED, stakeMicros: 1000 * USDC, takerFeeMicros: 2 * USDC, payoutMicros: 1001 * USDC,
    })])
    expect(status).toMatchObject({ state: 'refused', call: 1, done: false })
    await land(chain, [roundFill(1, { signerChanges: CHANGED })])
  })
})

describe.skipIf(noAnvil)(`refusals of the vault${skipped}`, () => {
  it('name the call and the reason, and undo the calls of the same transaction', async () => {
    const chain = await started()
    const before = await money(chain)
    const [status] = await sent(chain, [deposit(TAKER, 5), withdraw(TAKER, 1001 * USDC, 1), deposit(TAKER, 6)])
    expect(status).toMatchObject({ state: 'refused', call: 1, done: false })
    expect(status).toHaveProperty('reason', expect.stringMatching(/^InsufficientBalance\(accountId 0x[0-9a-f]{64}, balance 1000000005, amount 1001000000\)$/))
    expect(await money(chain)).toEqual(before)
  })

  it('name the position among several settlements', async () => {
    const chain = await started()
    await land(chain, [roundFill(1), roundFill(2), roundFill(3)])
    await land(chain, [settle(2, 'void')])
    expect(await sent(chain, [deposit(TAKER, 1), settle(1, 'won'), settle(2, 'void'), settle(3, 'won')]))
      .toMatchObject([{ state: 'refused', call: 2, done: true, reason: expect.stringContaining('AlreadyResolved') }])
    expect(await sent(chain, [settle(1, 'won'), settle(2, 'lost')]))
      .toMatchObject([{ state: 'refused', call: 1, done: false, reason: expect.stringContaining('ResolvedOtherwise') }])
  })

  it('say of each kind of call that it has landed before', async () => {
    const chain = await started({ callsPerBundle: 1 })
    const calls: VaultCall[] = [
      deposit(TAKER, 5), withdraw(TAKER, 5, 1), withdraw(TAKER, 6, 2, START_S + DAY_S), roundFill(1), roundFill(2), roundFill(3),
      buyback(1, 101, 100 * USDC), transfer(2, 102, 100 * USDC), settle(2, 'won'), settle(3, 'lost'), reduce(8, MAKER, 5),
    ]
    await land(chain, calls)
    await chain.advance(START_S + DAY_S)
    await land(chain, [release(8, MAKER, 5)])
    const before = await money(chain)
    const again = [...calls.filter(({ kind }) => kind !== 'withdraw'), release(8, MAKER, 5)]
    expect(await sent(chain, again)).toEqual(again.map(() => ({ state: 'refused', call: 0, done: true, reason: expect.any(String) })))
    const used = { state: 'refused', call: 0, done: true, reason: expect.stringContaining('RequestUsed') }
    expect(await sent(chain, calls.slice(1, 3))).toEqual([used, used])
    expect(await money(chain)).toEqual(before)
  })

  it('say of another call under a key that was used that it has not landed', async () => {
    const chain = await started({ callsPerBundle: 1 })
    await land(chain, [withdraw(TAKER, 11, 42), reduce(8, MAKER, 5), roundFill(1)])
    const others = await sent(chain, [withdraw(TAKER, 13, 42), { ...reduce(8, MAKER, 5), reduction: 9 }, roundFill(2, { acceptance: 1 })])
    expect(others).toEqual(['RequestUsedOtherwise', 'RequestUsedOtherwise', 'AcceptanceUsedOtherwise'].map((name) => (
      { state: 'refused', call: 0, done: false, reason: expect.stringContaining(name) })))
  })

  it('come from the token too', async () => {
    const chain = await started()
    expect(await sent(chain, [deposit(TAKER, 9001 * USDC)]))
      .toMatchObject([{ state: 'refused', call: 0, done: false, reason: expect.stringContaining('balance 9000000000, value 9001000000') }])
  })
})

describe.skipIf(noAnvil)(`faults of a chain${skipped}`, () => {
  it('has a bundle once, however often it is sent', async () => {
    const chain = await started()
    const bundles = await chain.prepare([deposit(TAKER, 5)])
    expect(await chain.statuses(bundles)).toEqual([{ state: 'absent' }])
    for (let i = 0; i < 3; i++) {
      await chain.broadcast(bundles)
      expect(await chain.statuses(bundles)).toEqual([{ state: 'final' }])
    }
    expect(await chain.balances([TAKER])).toEqual([1_000_000_005n])
  })

  it('sends nothing after a bundle that nobody has sent, which would hold it up for ever', async () => {
    const chain = await started()
    await chain.prepare([deposit(TAKER, 5)])
    await expect(land(chain, [deposit(TAKER, 6)])).rejects.toThrow('and nobody has sent the one of nonce')
  })

  it('holds up what follows a bundle that was dropped, until that is sent again', async () => {
    const chain = await started({ callsPerBundle: 1 })
    const bundles = await chain.prepare([deposit(TAKER, 5), deposit(TAKER, 6), deposit(TAKER, 7)])
    chain.faults!.drop(true)
    await chain.broadcast(bundles.slice(0, 1))
    chain.faults!.drop(false)
    await chain.broadcast(bundles.slice(1))
    expect(await chain.statuses(bundles)).toEqual([{ state: 'absent' }, { state: 'absent' }, { state: 'absent' }])
    expect(await chain.balances([TAKER])).toEqual([1_000_000_000n])
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual([{ state: 'final' }, { state: 'final' }, { state: 'final' }])
    expect(await chain.balances([TAKER])).toEqual([1_000_000_018n])
  })

  it('goes back in a reorganisation, with its clock, and comes to the same when everything is sent again', async () => {
    const chain = await started()
    await land(chain, [roundFill(1), roundFill(2)])
    const before = await money(chain)
    const restore = await chain.faults!.checkpoint()
    const first = await chain.prepare([settle(1, 'won')])
    await chain.broadcast(first)
    await chain.advance(START_S + 100)
    const second = await chain.prepare([deposit(RIVAL, 5), settle(2, 'lost')])
    await chain.broadcast(second)
    const after = await money(chain)
    expect(await chain.statuses([...first, ...second])).toEqual([{ state: 'final' }, { state: 'final' }])

    await restore()
    expect(await money(chain)).toEqual(before)
    expect(await chain.statuses([...first, ...second])).toEqual([{ state: 'absent' }, { state: 'absent' }])
    await chain.advance(START_S + 1)
    await chain.broadcast(first)
    await chain.advance(START_S + 100)
    await chain.broadcast(second)
    expect(await chain.statuses([...first, ...second])).toEqual([{ state: 'final' }, { state: 'final' }])
    expect(await money(chain)).toEqual(after)
  })

  it('sends again what a reorganisation took out and nobody else does, so that later bundles are not held up', async () => {
    const chain = await started()
    const restore = await chain.faults!.checkpoint()
    // Landed, taken for lost and signed anew, which is refused as done: two transactions for one call.
    const deposits = [deposit(TAKER, 5)]
    await land(chain, deposits)
    const anew = await chain.prepare(deposits)
    await chain.broadcast(anew)
    await restore()
    await chain.broadcast(anew)
    expect(await chain.statuses(anew)).toMatchObject([{ state: 'refused', done: true }])
    await land(chain, [deposit(TAKER, 6)])
    expect(await chain.balances([TAKER])).toEqual([1_000_000_011n])
  })

  it('keeps signers of quotes right through a reorganisation', async () => {
    const chain = await started()
    const restore = await chain.faults!.checkpoint()
    const bundles = await chain.prepare([roundFill(1, { signerChanges: CHANGED })])
    await chain.broadcast(bundles)
    await restore()
    await chain.broadcast(bundles)
    await land(chain, [roundFill(2, { signerChanges: CHANGED }), roundFill(3)])
    expect((await chain.positions([1, 2, 3])).map(({ holder }) => holder)).toEqual([TAKER, TAKER, TAKER])
  })

  it('takes nothing while the sponsor of gas has none, and everything when it has again', async () => {
    const chain = await started({ callsPerBundle: 1 })
    const bundles = await chain.prepare([deposit(TAKER, 5), deposit(TAKER, 6)])
    await chain.faults!.sponsor(false)
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual([{ state: 'absent' }, { state: 'absent' }])
    await chain.faults!.sponsor(true)
    await chain.broadcast(bundles)
    expect(await chain.statuses(bundles)).toEqual([{ state: 'final' }, { state: 'final' }])
    expect(await chain.balances([TAKER])).toEqual([1_000_000_011n])
  })

  it('lands a deposit whose wallet got its USDC too late, signed anew', async () => {
    const chain = await started()
    await chain.admit([{ account: 4, fundsMicros: 0, quoteSigner: 4 }])
    const late = [deposit(4, 70)]
    expect(await sent(chain, late)).toMatchObject([{ state: 'refused', done: false }])
    await chain.admit([{ account: 4, fundsMicros: 70, quoteSigner: 4 }])
    await land(chain, late)
    expect(await chain.balances([4])).toEqual([70n])
  })

  it('never goes back in time by itself', async () => {
    const chain = await started()
    await chain.advance(START_S + 50)
    await chain.advance(START_S + 50)
    await expect(chain.advance(START_S + 49)).rejects.toThrow('the clock of a chain')
  })
})
