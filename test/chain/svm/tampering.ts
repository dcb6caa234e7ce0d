import { TransactionInstruction } from '@solana/web3.js'
import { expect } from 'vitest'
import { key, ProgramHarness, tokensOf } from './programHarness.ts'

/** Copies an instruction with some of its accounts exchanged or with other roles, or with other data. */
export function tampered(
  instruction: TransactionInstruction,
  changes: { readonly accounts?: Readonly<Record<number, Partial<TransactionInstruction['keys'][number]>>>; readonly data?: Uint8Array },
): TransactionInstruction {
  const keys = instruction.keys.map((meta, i) => ({ ...meta, ...changes.accounts?.[i] }))
  return new TransactionInstruction({ programId: instruction.programId, keys, data: Buffer.from(changes.data ?? instruction.data) })
}

/** A valid instruction of each kind, and which of its accounts may change places or be one, since that says something else that is valid. */
export interface ValidInstruction {
  readonly name: string
  readonly make: (harness: ProgramHarness) => TransactionInstruction
  readonly exchangeable?: readonly (readonly [number, number])[]
  /** Bytes that carry no meaning and have to be zero. */
  readonly padding: readonly number[]
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

export const BETTOR = key('bettor')
export const MAKER = key('maker')
export const OTHER = key('other')

export const VALID_INSTRUCTIONS: readonly ValidInstruction[] = [
  { name: 'createUser', make: (h) => h.program.createUser(h.sponsor, key('new'), h.program.user(key('new'))), padding: range(2, 8) },
  { name: 'setDelegation', make: (h) => h.program.setDelegation(BETTOR, h.program.user(BETTOR), false), padding: range(2, 8) },
  { name: 'deposit', make: (h) => h.deposit(BETTOR, 1_000n), padding: range(1, 8) },
  { name: 'withdraw', make: (h) => h.withdraw(BETTOR, 1_000n), padding: range(1, 8) },
  { name: 'open', make: (h) => h.open('q', BETTOR, MAKER), exchangeable: [[4, 5]], padding: [6, 7] },
  { name: 'settle', make: (h) => h.settle('p', BETTOR, MAKER, 'won'), padding: range(2, 8) },
  { name: 'buyback', make: (h) => h.buyback('p', BETTOR, MAKER, 10_000_000n), padding: [...range(1, 8), ...range(16, 24)] },
  { name: 'transfer', make: (h) => h.transfer('p', BETTOR, OTHER, 10_000_000n), padding: range(1, 8) },
  { name: 'collect', make: (h) => h.program.collect(tokensOf(key('treasury')), 1n, 1n), padding: range(1, 8) },
]

/** A vault with three users of 100 USDC and more in their wallets, an open position `p`, and fees of the house. */
export function busyVault(): ProgramHarness {
  const harness = ProgramHarness.initialized()
  for (const name of ['bettor', 'maker', 'other']) harness.makeUser(name, 100_000_000n, 100_000_000n)
  harness.mustSend(
    harness.open('p', BETTOR, MAKER), harness.open('over', OTHER, MAKER), harness.settle('over', OTHER, MAKER, 'lost'),
  )
  harness.setTokens(tokensOf(key('treasury')), key('treasury'))
  return harness
}

/** Sends what should be refused; the error, after a look that no account has changed. */
export function refusal(harness: ProgramHarness, ...instructions: TransactionInstruction[]): string | null {
  const before = harness.state()
  const { error } = harness.send(...instructions)
  expect(harness.state()).toBe(before)
  return error
}
