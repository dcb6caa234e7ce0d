import { describe, expect, it } from 'vitest'
import { SettlementDifference } from '../../../src/chain/mirror/settlementDifference.ts'
import type { ChainPosition, VaultTokens } from '../../../src/chain/settlementChain.ts'
import type { VaultCall } from '../../../src/chain/vaultCall.ts'
import { sec, T0 } from '../../venue/parlay/driver.ts'
import { ModelChain } from './modelChain.ts'
import { faultsOf, mirroredTable, mirrorOf } from './parlayMirror.ts'

type Lie = 'balance' | 'house' | 'tokens' | 'token account' | 'gifts' | 'wallet' | 'pot' | 'escrow' | 'holder'

/** A chain that has one microUSDC more, or another holder, from the landing of some call on. */
class Liar extends ModelChain {
  readonly lie: Lie
  private readonly from: (landed: readonly VaultCall[]) => boolean

  constructor(lie: Lie, from: (landed: readonly VaultCall[]) => boolean) {
    super()
    this.lie = lie
    this.from = from
  }

  private more(lie: Lie): number {
    return this.lie === lie && this.from(this.landed) ? 1 : 0
  }

  /** The chain lies about account 11, which never trades. */
  override async balances(accounts: readonly number[]): Promise<readonly bigint[]> {
    return (await super.balances(accounts)).map((micros, i) => micros + BigInt(accounts[i] === 11 ? this.more('balance') : 0))
  }

  override async wallets(accounts: readonly number[]): Promise<readonly bigint[]> {
    return (await super.wallets(accounts)).map((micros, i) => micros + BigInt(accounts[i] === 11 ? this.more('wallet') : 0))
  }

  override async house(): Promise<bigint> {
    return (await super.house()) + BigInt(this.more('house'))
  }

  override async tokens(): Promise<VaultTokens> {
    const { owedMicros, heldMicros } = await super.tokens()
    // What strangers send to the vault is no difference.
    return { owedMicros: owedMicros + BigInt(this.more('tokens')), heldMicros: heldMicros + 7n * BigInt(this.more('gifts')) - BigInt(this.more('token account')) }
  }

  override async positions(positions: readonly number[]): Promise<readonly ChainPosition[]> {
    return (await super.positions(positions)).map(({ potMicros, escrowMicros, holder }) => ({
      potMicros: potMicros + BigInt(this.more('pot')), escrowMicros: escrowMicros + BigInt(this.more('escrow')), holder: holder + this.more('holder'),
    }))
  }
}

const isOpen = (landed: readonly VaultCall[]): boolean => landed.some(({ kind }) => kind === 'open')
const isSettled = (landed: readonly VaultCall[]): boolean => landed.some(({ kind }) => kind === 'settle')

/** Two positions, of which one loses; what stops the mirror, null when nothing does. */
async function ended(lie: Lie, from: (landed: readonly VaultCall[]) => boolean, isUndone = false): Promise<{ readonly error: unknown; readonly chain: Liar }> {
  const chain = new Liar(lie, from)
  const sink = mirrorOf(chain, isUndone ? faultsOf({ reorganisations: { everyBatches: 4, depthBatches: 2 } }) : null)
  const d = mirroredTable((batch) => { sink.flush(batch) })
  d.at(sec(10)).open(10, 20, 4, [[1, 'yes'], [2, 'yes']])
  d.at(sec(20)).open(10, 20, 4, [[3, 'yes'], [4, 'yes']])
  d.at(sec(30)).resolve(1, 'no')
  d.pulse(sec(31))
  sink.finish()
  const error: unknown = await sink.settled().then(() => null, (reason: unknown) => reason)
  expect(chain.isClosed).toBe(true)
  return { error, chain }
}

async function stopped(...told: Parameters<typeof ended>): Promise<{ readonly error: SettlementDifference; readonly chain: Liar }> {
  const { error, chain } = await ended(...told)
  expect(error).toBeInstanceOf(SettlementDifference)
  return { error: error as SettlementDifference, chain }
}

describe('a difference', () => {
  it('is not what strangers send to the vault', async () => {
    expect((await ended('gifts', isOpen)).error).toBeNull()
  })

  it.each([
    ['pot', { kind: 'position', number: 1 }, 99_000_001n, 99_000_000n], ['escrow', { kind: 'position', number: 1 }, 250_001n, 250_000n],
    ['holder', { kind: 'position', number: 1 }, 11n, 10n], ['tokens', { kind: 'tokens' }, 5_000_000_001n, 5_000_000_000n],
    ['token account', { kind: 'tokens' }, 4_999_999_999n, 5_000_000_000n], ['house', { kind: 'house' }, 1n, 0n],
  ] as const)('of the %s stops the run at the fill that made it', async (lie, place, ofChain, ofLedger) => {
    const { error, chain } = await stopped(lie, isOpen)
    expect(error.difference).toMatchObject({ place, ofChain, ofLedger })
    expect(error.causes.map(({ event, atUs, call }) => [event, atUs, call?.kind])).toEqual([['positionOpened', T0 + sec(10), 'open']])
    expect(chain.landed.filter(({ kind }) => kind === 'open')).toHaveLength(1)
  })

  it('of the house is blamed on the row that paid it', async () => {
    const { error } = await stopped('house', isSettled)
    expect(error.difference).toMatchObject({ place: { kind: 'house' }, ofChain: 250_001n, ofLedger: 250_000n })
    expect(error.causes.map(({ event, call }) => [event, call?.kind])).toEqual([['positionSettled', 'settle']])
  })

  it('of an account that nothing touched is found at the end', async () => {
    const { error } = await stopped('balance', isSettled)
    expect(error.message).toBe([
      'svm and the parlay ledger differ in the balance of account 11: chain 1000000001 microUSDC, ledger 1000000000 microUSDC', '  found at the end',
    ].join('\n'))
  })

  it('of an account that nothing touched is found when a reorganisation has been', async () => {
    const { error, chain } = await stopped('balance', isSettled, true)
    expect([error.message.split('\n')[1], chain.undone]).toEqual(['  found after a reorganisation', 1])
  })

  it('of a wallet is found at the end', async () => {
    const { error } = await stopped('wallet', isOpen)
    expect(error.difference).toEqual({ place: { kind: 'wallet', number: 11 }, what: 'wallet', ofChain: 1n, ofLedger: 0n })
  })
})
