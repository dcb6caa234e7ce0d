import { SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { Rent } from 'litesvm/dist/internal.js'
import { describe, expect, it } from 'vitest'
import { userAddress } from '../../../src/chain/svm/instructions.ts'
import { CONFIG_TAG, DELEGATED_S, POSITION_TAG, TOKEN_PROGRAM, USER_BYTES, USER_TAG } from '../../../src/chain/svm/layout.ts'
import { linkedProgram } from './linkedProgram.ts'
import { key, ProgramHarness, tokensOf } from './programHarness.ts'
import { BETTOR, busyVault, MAKER, OTHER, refusal, tampered } from './tampering.ts'

const TOKEN_2022 = key('Token-2022 stands in')

describe('initialize', () => {
  const initialize = (h: ProgramHarness): TransactionInstruction => h.program.initialize(h.sponsor)

  it('is refused without the signature of operator or program, so that a stranger cannot name itself operator first', () => {
    const harness = new ProgramHarness()
    for (const i of [1, 2]) expect(refusal(harness, tampered(initialize(harness), { accounts: { [i]: { isSigner: false } } }))).toBe('notSigner')
    const stranger = tampered(initialize(harness), { accounts: { 1: { pubkey: key('thief') }, 2: { pubkey: key('thief') } } })
    expect(refusal(harness, stranger)).toBe('wrongProgram')
  })

  it('is refused with a vault account that others can spend from, or that holds another token', () => {
    const { config, vault } = new ProgramHarness().program
    const bad: [string, (harness: ProgramHarness) => void][] = [
      ['wrongTokenAuthority', (h) => h.setTokens(vault, key('thief'))],
      ['wrongTokenAuthority', (h) => h.setTokens(vault, h.program.operator)],
      ['unusableTokenAccount', (h) => h.setTokens(vault, config, { delegate: key('thief') })],
      ['unusableTokenAccount', (h) => h.setTokens(vault, config, { closeAuthority: key('thief') })],
      ['unusableTokenAccount', (h) => h.setTokens(vault, config, { state: 0 })],
      ['unusableTokenAccount', (h) => h.setTokens(vault, config, { state: 2 })],
      ['wrongMint', (h) => h.setTokens(vault, config, { mint: key('bridged USDC') })],
      ['wrongOwner', (h) => h.setTokens(vault, config, { owner: TOKEN_2022 })],
      ['wrongType', (h) => h.setAccount(vault, Buffer.alloc(82), TOKEN_PROGRAM)],
      ['wrongOwner', (h) => h.fund(vault, 1_000_000n)],
    ]
    for (const [error, spoil] of bad) {
      const harness = new ProgramHarness()
      spoil(harness)
      expect(refusal(harness, initialize(harness))).toBe(error)
    }
  })

  // Bytes 72…75 say whether there is a delegate, 129…132 whether somebody else may close the account.
  it.each([72, 73, 74, 75, 129, 130, 131, 132])('is refused with any byte of a delegate or a close authority in the vault account (%d)', (at) => {
    const harness = new ProgramHarness()
    const data = Buffer.from(harness.data(harness.program.vault))
    data[at] = 1
    harness.setAccount(harness.program.vault, data, TOKEN_PROGRAM)
    expect(refusal(harness, initialize(harness))).toBe('unusableTokenAccount')
  })

  it('is refused at any address but the one of the config, and a second time', () => {
    const harness = new ProgramHarness()
    harness.setTokens(harness.program.vault, key('elsewhere'))
    expect(refusal(harness, tampered(initialize(harness), { accounts: { 3: { pubkey: key('elsewhere') } } }))).toBe('wrongAddress')
    harness.setTokens(harness.program.vault, harness.program.config)
    harness.mustSend(initialize(harness))
    const again = tampered(initialize(harness), { accounts: { 1: { pubkey: key('thief') } } })
    expect(refusal(harness, again)).toBe('wrongOperator')
    harness.setTokens(key('elsewhere'), harness.program.config)
    expect(refusal(harness, tampered(initialize(harness), { accounts: { 4: { pubkey: key('elsewhere') } } }))).toBe('wrongAddress')
    expect(refusal(harness, initialize(harness))).toBe('alreadyInitialized')
    expect(harness.config()).toEqual({
      operator: key('operator'), vault: harness.program.vault, houseMicros: 0n, owedMicros: 0n, collectSequence: 0n, collectedMicros: 0n,
      collectedTo: SystemProgram.programId, deposits: 0n, bump: expect.any(Number),
    })
  })
})

describe('an address that somebody has sent lamports to', () => {
  it.each([1n, 890_880n, 50_000_000n])('does not keep a position, a user or the config from being made there (%d)', (lamports) => {
    const harness = new ProgramHarness()
    harness.fund(harness.program.config, lamports)
    harness.fund(harness.program.user(BETTOR), lamports)
    harness.fund(harness.positionAt('p'), lamports)
    harness.mustSend(harness.program.initialize(harness.sponsor))
    harness.makeUser('bettor', 100_000_000n)
    harness.makeUser('maker', 100_000_000n)
    harness.mustSend(harness.open('p', BETTOR, MAKER))
    harness.mustSend(harness.settle('p', BETTOR, MAKER, 'void'))
    for (const [address, bytes] of [[harness.program.config, 152], [harness.program.user(BETTOR), 80], [harness.positionAt('p'), 168]] as const) {
      const rent = harness.svm.minimumBalanceForRentExemption(BigInt(bytes))
      expect(harness.lamports(address)).toBe(lamports > rent ? lamports : rent)
    }
  })
})

describe('the rent of a new account', () => {
  const rentOf = (lamportsPerByte: bigint, years: number): bigint => {
    const harness = new ProgramHarness()
    harness.svm.setRent(new Rent(lamportsPerByte, years, 50))
    harness.mustSend(harness.program.initialize(harness.sponsor))
    return harness.lamports(harness.program.config)
  }

  it('is what the network asks, by the year and by the byte (SIMD-0194)', () => {
    // (128 + 152) bytes.
    expect(rentOf(3_480n, 2)).toBe(280n * 6_960n)
    expect(rentOf(6_960n, 1)).toBe(280n * 6_960n)
    expect(rentOf(7_000n, 1)).toBe(280n * 7_000n)
  })

  it('in a way that the program does not know makes none', () => {
    const harness = new ProgramHarness()
    harness.svm.setRent(new Rent(3_480n, 1.5, 50))
    expect(refusal(harness, harness.program.initialize(harness.sponsor))).toBe('unknownRent')
  })
})

describe('a token program of a thief', () => {
  /** A program that says yes to everything: `mov r0, 0; exit`. */
  const YES = linkedProgram(Buffer.from('b7000000000000009500000000000000', 'hex'))

  it('is never asked, neither in deposits nor in payments', () => {
    const harness = busyVault()
    const fake = key('fake token program')
    harness.svm.addProgram(fake.toBytes(), YES)
    const call = new TransactionInstruction({ programId: fake, keys: [], data: Buffer.alloc(0) })
    expect(harness.send(call).error).toBeNull()
    expect(refusal(harness, tampered(harness.deposit(BETTOR, 5n), { accounts: { 5: { pubkey: fake } } }))).toBe('wrongProgram')
    expect(refusal(harness, tampered(harness.withdraw(BETTOR, 5n), { accounts: { 6: { pubkey: fake } } }))).toBe('wrongProgram')
    const collect = harness.program.collect(tokensOf(key('treasury')), 5n, 1n)
    expect(refusal(harness, tampered(collect, { accounts: { 4: { pubkey: fake } } }))).toBe('wrongProgram')
  })

  it('may not own the tokens of a deposit either', () => {
    const harness = busyVault()
    harness.setTokens(key('fake tokens'), BETTOR, { amount: 1_000_000n, owner: key('fake token program') })
    const fakeTokens = tampered(harness.deposit(BETTOR, 5n), { accounts: { 3: { pubkey: key('fake tokens') } } })
    expect(refusal(harness, fakeTokens)).toBe('wrongOwner')
  })
})

describe('tokens other than native USDC', () => {
  it.each([
    ['another mint', { mint: key('another mint') }, 'wrongMint'],
    ['a bridged USDC', { mint: key('bridged USDC') }, 'wrongMint'],
    ['an account of Token-2022', { owner: TOKEN_2022 }, 'wrongOwner'],
    ['an account that was never initialized', { state: 0 }, 'unusableTokenAccount'],
    ['a frozen account', { state: 2 }, 'unusableTokenAccount'],
  ])('credit nothing: %s', (_, state, error) => {
    const harness = busyVault()
    harness.setTokens(tokensOf(BETTOR), BETTOR, { amount: 1_000_000n, ...state })
    expect(refusal(harness, harness.deposit(BETTOR, 5n))).toBe(error)
    expect(refusal(harness, harness.withdraw(BETTOR, 5n))).toBe(error)
    harness.setTokens(tokensOf(key('treasury')), key('treasury'), state)
    expect(refusal(harness, harness.program.collect(tokensOf(key('treasury')), 5n, 1n))).toBe(error)
  })

  it('are no deposit of the real USDC that somebody sends to the vault\'s account', () => {
    const harness = busyVault()
    const data = Buffer.alloc(9)
    data[0] = 3
    data.writeBigUInt64LE(7_000n, 1)
    const keys = [tokensOf(BETTOR), harness.program.vault, BETTOR].map((pubkey, i) => ({ pubkey, isSigner: i === 2, isWritable: i < 2 }))
    const [balance, owed, tokens] = [harness.balance(BETTOR), harness.config().owedMicros, harness.tokens(harness.program.vault)]
    harness.mustSend(new TransactionInstruction({ programId: TOKEN_PROGRAM, keys, data }))
    expect(harness.tokens(harness.program.vault)).toBe(tokens + 7_000n)
    expect([harness.balance(BETTOR), harness.config().owedMicros]).toEqual([balance, owed])
  })
})

describe('tokens of others', () => {
  it('cannot be deposited by a wallet that may spend them, nor withdrawn to', () => {
    const harness = busyVault()
    harness.setTokens(tokensOf(OTHER), OTHER, { amount: 1_000_000n, delegate: BETTOR })
    const from = tampered(harness.deposit(BETTOR, 5n), { accounts: { 3: { pubkey: tokensOf(OTHER) } } })
    expect(refusal(harness, from)).toBe('wrongTokenAuthority')
    const to = tampered(harness.withdraw(BETTOR, 5n), { accounts: { 4: { pubkey: tokensOf(OTHER) } } })
    expect(refusal(harness, to)).toBe('wrongTokenAuthority')
  })

  it('are never paid from or into a vault account that is not the bound one', () => {
    const harness = busyVault()
    const shadow = key('another account of the vault')
    harness.setTokens(shadow, harness.program.config, { amount: 1_000_000n })
    expect(refusal(harness, tampered(harness.deposit(BETTOR, 5n), { accounts: { 4: { pubkey: shadow } } }))).toBe('wrongAddress')
    expect(refusal(harness, tampered(harness.withdraw(BETTOR, 5n), { accounts: { 5: { pubkey: shadow } } }))).toBe('wrongAddress')
    const collect = harness.program.collect(tokensOf(key('treasury')), 5n, 1n)
    expect(refusal(harness, tampered(collect, { accounts: { 2: { pubkey: shadow } } }))).toBe('wrongAddress')
    const intoItself = tampered(collect, { accounts: { 3: { pubkey: harness.program.vault } } })
    expect(refusal(harness, intoItself)).toBe('sameAccount')
    expect(refusal(harness, tampered(harness.deposit(BETTOR, 5n), { accounts: { 3: { pubkey: harness.program.vault } } }))).toBe('wrongTokenAuthority')
  })
})

describe('accounts that look like the vault\'s', () => {
  it('of another program are refused, though their bytes are right', () => {
    const harness = busyVault()
    const thief = key('program of a thief')
    const rich = Buffer.alloc(USER_BYTES)
    rich.set(USER_TAG)
    rich.set(BETTOR.toBytes(), 8)
    rich.writeBigUInt64LE(1_000_000_000n, 40)
    rich.writeBigInt64LE(DELEGATED_S, 64)
    harness.setAccount(key('forged user'), rich, thief)
    expect(refusal(harness, tampered(harness.withdraw(BETTOR, 5n), { accounts: { 2: { pubkey: key('forged user') } } }))).toBe('wrongOwner')
    expect(refusal(harness, tampered(harness.open('q', BETTOR, MAKER), { accounts: { 4: { pubkey: key('forged user') } } }))).toBe('wrongOwner')

    harness.setAccount(key('forged position'), harness.data(harness.positionAt('p')), thief)
    const settle = harness.settle('p', BETTOR, MAKER, 'won')
    expect(refusal(harness, tampered(settle, { accounts: { 2: { pubkey: key('forged position') } } }))).toBe('wrongOwner')

    const config = Buffer.from(harness.data(harness.program.config))
    config.set(key('thief').toBytes(), 8)
    harness.setAccount(key('forged config'), config, thief)
    const asThief = tampered(settle, { accounts: { 0: { pubkey: key('thief') }, 1: { pubkey: key('forged config') } } })
    expect(refusal(harness, asThief)).toBe('wrongOwner')
  })

  it('of the vault itself are refused in each other\'s place', () => {
    const harness = busyVault()
    const addresses = [harness.program.config, harness.program.user(OTHER), harness.positionAt('p')]
    const settle = harness.settle('p', BETTOR, MAKER, 'won')
    for (const [i, right] of [[1, 0], [2, 2], [3, 1], [4, 1]] as const) {
      for (const [kind, pubkey] of addresses.entries()) {
        if (kind !== right) expect(refusal(harness, tampered(settle, { accounts: { [i]: { pubkey } } }))).toBe('wrongType')
      }
    }
    for (const [i, tag] of [CONFIG_TAG, USER_TAG, POSITION_TAG].entries()) {
      expect(Buffer.from(harness.data(addresses[i]!)).subarray(0, 8)).toEqual(tag)
    }
  })

  it('at other addresses are not made', () => {
    const harness = busyVault()
    const wrong = key('not a program address')
    const open = harness.open('q', BETTOR, MAKER)
    expect(refusal(harness, tampered(open, { accounts: { 3: { pubkey: wrong } } }))).toBe('wrongAddress')
    expect(refusal(harness, tampered(open, { accounts: { 3: { pubkey: harness.positionAt('r') } } }))).toBe('wrongAddress')
    expect(refusal(harness, tampered(open, { accounts: { 3: { pubkey: harness.positionAt('p') } } }))).toBe('wrongAddress')
    const user = harness.program.createUser(harness.sponsor, key('new'), harness.program.user(key('old')))
    expect(refusal(harness, user)).toBe('wrongAddress')
    const ofAnotherProgram = userAddress(key('another program'), key('new'))
    expect(refusal(harness, harness.program.createUser(harness.sponsor, key('new'), ofAnotherProgram))).toBe('wrongAddress')
  })

  it('of another wallet are not one\'s own that exists', () => {
    const harness = busyVault()
    expect(refusal(harness, harness.program.createUser(harness.sponsor, key('new'), harness.program.user(BETTOR)))).toBe('wrongWallet')
  })

  it('are not made or changed by data that mean nothing', () => {
    const harness = new ProgramHarness()
    const user = harness.program.user(BETTOR)
    for (const base of [
      harness.program.initialize(harness.sponsor), harness.program.createUser(harness.sponsor, BETTOR, user),
    ]) {
      const data = Buffer.from(base.data)
      data[1] = 2
      expect(refusal(harness, tampered(base, { data }))).toBe('badValue')
    }
    const vault = busyVault()
    const data = Buffer.from(vault.program.setDelegation(BETTOR, user, true).data)
    data[1] = 2
    expect(refusal(vault, tampered(vault.program.setDelegation(BETTOR, user, true), { data }))).toBe('badValue')
  })

  it('are not made where another program has put its own', () => {
    const harness = busyVault()
    for (const [bytes, owner] of [[168, key('program of a thief')], [0, key('program of a thief')], [168, SystemProgram.programId]] as const) {
      harness.setAccount(harness.positionAt('q'), Buffer.alloc(bytes), owner)
      expect(refusal(harness, harness.open('q', BETTOR, MAKER))).toBe('addressTaken')
    }
  })
})
