import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openSvmChain } from '../../../src/chain/svm/svmChain.ts'
import { executableOnPath, TEST_VALIDATOR } from '../../../src/chain/svm/testValidator.ts'
import { drawsOf } from '../../draws.ts'
import { walk } from '../mirror/mirrorWalk.ts'
import { mirrorOf } from '../mirror/parlayMirror.ts'
import { admitted, Calls, land, landWell } from './calls.ts'
import { complaint, USDC } from './remoteStage.ts'

const noValidator = executableOnPath(TEST_VALIDATOR) === null
if (noValidator) console.warn('SKIPPED: tests on a Solana validator need solana-test-validator on PATH; docs/chain-svm.md says how it is built')

const SEED = 'validated'
const WALLETS = { count: 30, micros: BigInt(1_000 * USDC) }

describe.skipIf(noValidator)(`a Solana validator${noValidator ? ' (SKIPPED: no solana-test-validator on PATH)' : ''}`, () => {
  it('comes to the same sums as the virtual machine in the process, and is gone when it is closed', async () => {
    const chain = await openSvmChain({ seed: SEED, start: WALLETS })
    const [bettor, maker, buyer] = [0, 1, 2]
    const [all, calls] = [[bettor, maker, buyer], new Calls()]
    await chain.admit(all.map((account) => admitted(account, 500 * USDC)))
    await landWell(chain, ...all.map((account) => calls.deposit(account, 500 * USDC)))
    await landWell(chain, calls.open(0, bettor, maker), calls.open(1, bettor, maker))
    await landWell(chain, calls.transfer(0, buyer, 60 * USDC), calls.settle(0, 'won'), calls.buyback(1, 40 * USDC), calls.withdraw(bettor, 100 * USDC))
    // remote.test.ts has the sums.
    expect((await chain.balances(all)).map(Number)).toEqual([449_847_500, 410_500_000, 538_257_500])
    expect([Number(await chain.house()), Number((await chain.tokens()).owedMicros)]).toEqual([1_395_000, 1_400_000_000])
    expect((await chain.wallets(all)).map(Number)).toEqual([100_000_000, 0, 0])
    const { statuses } = await land(chain, [calls.deposit(buyer, 5), calls.withdraw(maker, 411 * USDC)])
    expect(statuses).toEqual([{ state: 'refused', call: 1, reason: 'insufficientBalance', done: false }])
    await chain.close()
    expect(existsSync(chain.site.network.process!.folder)).toBe(false)
  })

  it('settles a session to its ledger', async () => {
    const chain = await openSvmChain({ seed: SEED, start: { count: 30, micros: BigInt(1_000_000 * USDC) }, profitFeeOnTransfer: true })
    const sink = mirrorOf(chain)
    walk((batch) => { sink.flush(batch) }, drawsOf(7), 60, { hasSelfFills: false })
    sink.finish()
    await sink.settled()
    expect(sink.summary().positions.opened).toBeGreaterThan(3)
  })

  it('that is killed is missed', async () => {
    const chain = await openSvmChain({ seed: SEED, start: WALLETS })
    const { folder } = chain.site.network.process!
    execFileSync('pkill', ['-KILL', '-f', `^[^ ]*${TEST_VALIDATOR} --ledger ${folder}`])
    expect(await complaint(chain.balances([0]))).toContain('has ended: its process is gone')
    await chain.close()
  })
})
