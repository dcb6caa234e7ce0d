import { type PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { key, ProgramHarness } from './programHarness.ts'
import { busyVault, tampered, VALID_INSTRUCTIONS, type ValidInstruction } from './tampering.ts'

/** Asserts that the vault refuses an instruction and nothing has changed, not a lamport besides the network's fee. */
function expectRefused(harness: ProgramHarness, instruction: TransactionInstruction, what: string, error: RegExp): void {
  const unchanged = { what, state: harness.state(), lamports: harness.lamports(harness.sponsor) }
  const sent = harness.send(instruction)
  expect({ what, error: sent.error, state: harness.state(), lamports: harness.lamports(harness.sponsor) })
    .toEqual({ ...unchanged, error: expect.stringMatching(error) })
}

const accountsOf = (instruction: TransactionInstruction): number[] => instruction.keys.map((_, i) => i)

const isExchangeable = ({ exchangeable = [] }: ValidInstruction, a: number, b: number): boolean =>
  exchangeable.some(([x, y]) => (x === a && y === b) || (x === b && y === a))

/** Another account with the same data, of an owner that anybody can deploy. */
function forge(harness: ProgramHarness, address: PublicKey): PublicKey {
  const forged = key(`forged ${address.toBase58()}`)
  const account = harness.svm.getAccount(address.toBytes())
  harness.setAccount(forged, account?.data() ?? new Uint8Array(0), key('program of a thief'))
  return forged
}

describe.each(VALID_INSTRUCTIONS)('$name', (valid) => {
  const harness = busyVault()
  const base = valid.make(harness)

  it('is refused without any of its signatures', () => {
    const signers = accountsOf(base).filter((i) => base.keys[i]!.isSigner)
    expect(signers.length).toBeGreaterThan(0)
    for (const i of signers) expectRefused(harness, tampered(base, { accounts: { [i]: { isSigner: false } } }), `account ${i}`, /^notSigner$/)
  })

  it('is refused where an account that it writes is read-only', () => {
    const written = accountsOf(base).filter((i) => base.keys[i]!.isWritable)
    for (const i of written) {
      expectRefused(harness, tampered(base, { accounts: { [i]: { isWritable: false } } }), `account ${i}`, /^notWritable$/)
    }
  })

  it('is refused with an account that a stranger owns, empty or forged', () => {
    harness.fund(key('stranger'), 1_000_000_000n)
    for (const i of accountsOf(base)) {
      for (const pubkey of [key('stranger'), key('nothing'), forge(harness, base.keys[i]!.pubkey)]) {
        // Who pays rents is anybody's choice.
        if (base.keys[i]!.pubkey.equals(harness.sponsor)) continue
        expectRefused(harness, tampered(base, { accounts: { [i]: { pubkey } } }), `account ${i}`, /^wrong/)
      }
    }
  })

  it('is refused with two accounts in each other\'s place, or one in two', () => {
    for (const a of accountsOf(base)) {
      for (const b of accountsOf(base)) {
        const [first, second] = [base.keys[a]!.pubkey, base.keys[b]!.pubkey]
        if (a === b || first.equals(second)) continue
        // The operator and a wallet may pay for themselves, when they hold lamports; here they are not marked as writable.
        const isPayer = [a, b].some((i) => base.keys[i]!.pubkey.equals(harness.sponsor))
        if (a < b && !isExchangeable(valid, a, b)) {
          const swap = tampered(base, { accounts: { [a]: { pubkey: second }, [b]: { pubkey: first } } })
          expectRefused(harness, swap, `accounts ${a} and ${b} exchanged`, isPayer ? /./ : /^(wrong|sameAccount|insufficient)/)
        }
        if (isPayer || isExchangeable(valid, a, b)) continue
        const twice = tampered(base, { accounts: { [a]: { pubkey: second } } })
        expectRefused(harness, twice, `account ${b} in the place of ${a} too`, /^(wrong|sameAccount|buyerIsBacker|not)/)
      }
    }
  })

  it('is refused with an account less or more', () => {
    const less = tampered(base, {})
    less.keys.pop()
    expectRefused(harness, less, 'one less', /^wrongAccountCount$/)
    for (const count of [1, 3, 40]) {
      const more = tampered(base, {})
      for (let i = 0; i < count; i++) more.keys.push({ pubkey: SystemProgram.programId, isSigner: false, isWritable: false })
      expectRefused(harness, more, `${count} more`, /^wrongAccountCount$/)
    }
  })

  it('is refused with data cut off, data that follow, or anything in the padding', () => {
    for (const length of [0, 1, 7, base.data.length - 1, base.data.length - 8]) {
      if (length >= 0) expectRefused(harness, tampered(base, { data: base.data.subarray(0, length) }), `${length} bytes`, /^wrongLength$/)
    }
    for (const extra of [1, 8]) {
      expectRefused(harness, tampered(base, { data: Buffer.concat([base.data, Buffer.alloc(extra)]) }), `${extra} more`, /^wrongLength$/)
    }
    for (const at of valid.padding) {
      const data = Buffer.from(base.data)
      data[at] = 1
      expectRefused(harness, tampered(base, { data }), `byte ${at}`, /^badValue$/)
    }
  })

  it('as it was is taken', () => {
    expect(harness.send(base).error).toBeNull()
  })
})
