import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { idOfText } from '../../../src/chain/evm/terms.ts'
import { partyOf, type Refusal, signerOf, START_S, VaultStage } from './contractHarness.ts'
import {
  cashoutOf, type Entry, entryAt, type FillArgs, fillOf, positionIdOf, type Sale, saleAt, type SignedTradeArgs,
} from './signedTrades.ts'

export const taker = partyOf('taker', 1)
export const maker = partyOf('maker', 2)
export const buyer = partyOf('buyer', 3)
/** Is not registered. */
export const nobody = partyOf('nobody', 4)
/** Has gas and no account. */
export const stranger = signerOf(950)
export const NOW = START_S + 100
/** What taker (100 USDC), maker (500) and buyer (200) have deposited. */
export const DEPOSITED = 800_000_000n

/** The vault of the test that runs, as the scene sets it. */
export let stage: VaultStage

/** Sets the scene for the tests of a suite: each finds taker, maker and buyer with their deposits at NOW. */
export function setScene(): void {
  let undo: () => Promise<void>
  beforeAll(async () => {
    stage = await VaultStage.open()
    await stage.admit(taker, 100_000_000n)
    await stage.admit(maker, 500_000_000n)
    await stage.admit(buyer, 200_000_000n)
    await stage.takeOn(stranger.address)
    await stage.at(NOW)
  })
  beforeEach(async () => { undo = await stage.checkpoint() })
  afterEach(() => undo())
  afterAll(() => stage.close())
}

export const entry = (changes: Partial<Entry> = {}): Entry => entryAt(stage.nowS, taker, maker, changes)
export const sale = (changes: Partial<Sale> = {}): Sale => saleAt(stage.nowS, taker, maker, changes)
export const fill = (changes: Partial<Entry> = {}): FillArgs => fillOf(stage, entry(changes))
export const cashout = (changes: Partial<Sale> = {}): SignedTradeArgs => cashoutOf(stage, sale(changes))
export const open = (changes: Partial<Entry> = {}): Promise<number> => stage.send('fill', [fill(changes)])
export const settle = (outcome: number, number = 1): readonly [string, readonly unknown[]] => ['settleMany', [[positionIdOf(number)], [outcome]]]

/** The operator's call is refused with this error, and with these arguments where they are given. */
export async function expectRefused(functionName: string, args: readonly unknown[], name: string, ...errorArgs: readonly unknown[]): Promise<void> {
  const refusal = await stage.refusal(functionName, args)
  expect({ functionName, name: refusal?.name }).toEqual({ functionName, name })
  if (errorArgs.length > 0) expect(lowered(refusal!)).toEqual(errorArgs)
}

/** Addresses without their checksum. */
export const lowered = ({ args }: Refusal): readonly unknown[] => args.map((value) => (typeof value === 'string' ? value.toLowerCase() : value))

/** Another value of the same type. */
export const otherThan = (value: bigint | Hex): bigint | Hex => (typeof value === 'bigint' ? value + 1n : idOfText(value))
