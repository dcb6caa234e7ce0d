import { decodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VAULT, VaultOutcome } from '../../../src/chain/evm/abi.ts'
import { type Draw, drawsOf, oneOf } from '../../draws.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'
import { partyOf, signerOf, START_S, VaultStage } from './contractHarness.ts'
import { cashoutOf, entryAt, fillOf, positionIdOf, reductionOf, saleAt, withdrawalOf } from './signedTrades.ts'

const taker = partyOf('taker', 1)
const maker = partyOf('maker', 2)
const newcomer = partyOf('newcomer', 3)
const stranger = signerOf(950)
const NOW = START_S + 100
const RANDOM_CALLS = 1500
const BROKEN_CALLS = 2500
/** So many of the refused calls are sent as transactions too. */
const SENT_CALLS = 150
const BYTES_MAX = 700

/** What the operator may choose itself; all else of these calls is signed. */
const FREE_FIELDS = ['positionId', 'acceptedAt']

let stage: VaultStage

const hexByte = (draw: Draw): string => draw(256).toString(16).padStart(2, '0')
const randomBytes = (draw: Draw, count: number): string => Array.from({ length: count }, () => hexByte(draw)).join('')

/** Calldata with some bytes changed, cut off, added, or words swapped. */
function broken(data: Hex, draw: Draw): Hex {
  let digits = data.slice(2)
  for (let changes = 1 + draw(3); changes > 0; changes--) {
    // The selector stays.
    const at = 8 + 2 * draw(digits.length / 2 - 4)
    const word = 8 + 64 * draw(Math.floor((digits.length - 8) / 64))
    const from = 8 + 64 * draw(Math.floor((digits.length - 8) / 64))
    digits = oneOf(draw, [
      () => digits.slice(0, at) + hexByte(draw) + digits.slice(at + 2),
      () => digits.slice(0, at),
      () => digits.slice(0, at) + randomBytes(draw, 1 + draw(64)) + digits.slice(at),
      () => digits.slice(0, word) + digits.slice(from, from + 64) + digits.slice(word + 64),
      () => digits.slice(0, word) + oneOf(draw, ['0', 'f']).repeat(64) + digits.slice(word + 64),
    ])()
    if (digits.length <= 8 + 64) break
  }
  return `0x${digits}`
}

/** What accounts have signed in a call, as text; null when it is no call. */
function signedPart(data: Hex): string | null {
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi: VAULT.abi, data })
    const [first, ...others] = args
    const kept = functionName === 'reduce' ? others : typeof first !== 'object' || first === null ? args
      : [Object.fromEntries(Object.entries(first).filter(([field]) => !FREE_FIELDS.includes(field))), ...others]
    return JSON.stringify([functionName, kept], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).toLowerCase()
  } catch {
    return null
  }
}

/** Calls that the vault would take, each signed by whom it takes. */
const goodCalls = (): readonly Hex[] => [
  stage.dataOf('fill', [fillOf(stage, entryAt(NOW, taker, maker, { number: 10 }))]),
  stage.dataOf('fill', [fillOf(stage, entryAt(NOW, taker, maker, { number: 11, core: 1_000_000n }))]),
  stage.dataOf('cashout', [cashoutOf(stage, saleAt(NOW, taker, maker))]),
  stage.dataOf('withdraw', withdrawalOf(stage, taker, { amount: 5_000_000n, key: 20 })),
  stage.dataOf('withdrawExit', withdrawalOf(stage, maker, { amount: 5_000_000n, key: 21, exitExpiryS: NOW + 60 })),
  stage.dataOf('reduce', reductionOf(stage, maker, 5_000_000n, 22)),
  stage.dataOf('depositWithAuthorization', stage.depositOf(taker, 5_000_000n, 'second')),
  stage.dataOf('register', [newcomer.accountId, newcomer.wallet.address, newcomer.quoteSigner.address, stage.registrationOf(newcomer)]),
  stage.dataOf('setQuoteSigner', stage.signerChangeOf(maker, stranger.address, NOW)),
]

const books = (): Promise<unknown> => Promise.all([
  stage.books(taker, maker, newcomer), stage.tokensOf(taker.wallet.address), stage.tokensOf(maker.wallet.address), stage.tokensOf(stranger.address),
])

/** Which of these calls the vault lets pass. */
async function passing(calls: readonly Hex[], from: Hex): Promise<readonly Hex[]> {
  const answers = await stage.rpc.batch(calls.map((data) => ({ method: 'eth_call', params: [{ from, to: stage.vault.address, data }, 'latest'] })))
  return calls.filter((_, i) => 'result' in answers[i]!)
}

async function sendSome(calls: readonly Hex[], from: Hex): Promise<void> {
  const every = Math.ceil(calls.length / SENT_CALLS)
  for (const data of calls.filter((_, i) => i % every === 0)) expect((await stage.transact(from, stage.vault.address, data)).status).toBe('0x0')
}

describe.skipIf(noAnvil)(`the vault and calls that make no sense${skipped}`, () => {
  beforeAll(async () => {
    stage = await VaultStage.open()
    await stage.admit(taker, 100_000_000n)
    await stage.admit(maker, 500_000_000n)
    await stage.takeOn(stranger.address)
    await stage.at(NOW)
    for (const number of [1, 2]) await stage.send('fill', [fillOf(stage, entryAt(NOW, taker, maker, { number }))])
    await stage.send('settleMany', [[positionIdOf(2)], [VaultOutcome.won]])
  })
  afterAll(() => stage.close())

  it('changes no balance at random bytes, behind its selectors or not, from anyone', async () => {
    const draw = drawsOf(3)
    const before = await books()
    const writing = VAULT.abi.filter((item) => item.type === 'function')
      .filter(({ stateMutability }) => stateMutability !== 'view').map((item) => toFunctionSelector(item))
    const calls = Array.from({ length: RANDOM_CALLS }, (_, i): Hex => {
      const bytes = randomBytes(draw, draw(BYTES_MAX))
      return i % 3 === 0 ? `0x${bytes}` : `${oneOf(draw, writing)}${bytes}`
    })
    for (const from of [stage.operator, stranger.address]) {
      const passed = new Set(await passing(calls, from))
      // What random bytes can ask for and get: an operator proposed, or nothing at all.
      const names = new Set([...passed].map((data) => decodeFunctionData({ abi: VAULT.abi, data }).functionName))
      expect(from === stage.operator ? ['proposeOperator'] : []).toEqual(expect.arrayContaining([...names]))
      await sendSome(calls.filter((data) => !passed.has(data)), from)
    }
    expect(await books()).toEqual(before)
  })

  it('lets nothing pass that differs from what was signed', async () => {
    const draw = drawsOf(4)
    const before = await books()
    const good = goodCalls()
    expect(await passing(good, stage.operator)).toEqual(good)
    const differing: Hex[] = []
    while (differing.length < BROKEN_CALLS) {
      const call = oneOf(draw, good)
      const data = broken(call, draw)
      if (signedPart(data) !== signedPart(call)) differing.push(data)
    }
    expect(await passing(differing, stage.operator)).toEqual([])
    await sendSome(differing, stage.operator)
    expect(await books()).toEqual(before)
  })
})
