import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { Account, FailedTransactionMetadata, LiteSvm, TransactionErrorInstructionError, InstructionErrorCustom } from 'litesvm/dist/internal.js'
import { VaultProgram, type OpenTerms } from '../../../src/chain/svm/instructions.ts'
import {
  type ConfigAccount, decodeConfig, decodePosition, decodeUser, type PositionAccount, TOKEN_PROGRAM, USDC_MINT, type UserAccount, vaultRefusal,
} from '../../../src/chain/svm/layout.ts'

export const PROGRAM_FILE = new URL('../../../src/chain/svm/program/vault.so', import.meta.url)
/** The program under test; a mutant of it where the variable names one (programMutants.ts). */
const PROGRAM = readFileSync(process.env.PARLOR_VAULT_PROGRAM ?? PROGRAM_FILE)
const TOKEN_ACCOUNT_BYTES = 165
const MINT_BYTES = 82
const SOL = 1_000_000_000n

/** The outcome of a transaction. `error` is the vault's own name for it, `program:CODE` for another program, or the runtime's text. */
export interface Sent {
  readonly error: string | null
  /** Which instruction failed. */
  readonly at: number
  readonly computeUnits: bigint
}

/** What a token account says; the rest is as the Token program leaves it. */
export interface TokenState {
  readonly mint?: PublicKey
  readonly amount?: bigint
  /** Token program that owns it. */
  readonly owner?: PublicKey
  readonly state?: number
  readonly delegate?: PublicKey
  readonly closeAuthority?: PublicKey
}

/** A vault program in a virtual machine of its own, with any accounts. No signatures are made: a named signer counts as having signed. */
export class ProgramHarness {
  readonly svm = new LiteSvm()
  readonly program: VaultProgram
  /** Pays the network's fees; `sponsor` pays rents. */
  readonly payer: PublicKey
  readonly sponsor: PublicKey
  private readonly positions = new Map<string, PublicKey>()

  constructor() {
    this.svm.setSigverify(false)
    this.svm.setTransactionHistory(0n)
    const programId = key('program')
    this.svm.addProgram(programId.toBytes(), PROGRAM)
    this.program = new VaultProgram(programId, key('operator'), key('vault'))
    this.payer = key('payer')
    this.sponsor = key('sponsor')
    this.fund(this.payer, 1_000n * SOL)
    this.fund(this.sponsor, 1_000n * SOL)
    this.fund(key('operator'), SOL)
    this.setMint(USDC_MINT, TOKEN_PROGRAM)
    this.setTokens(this.program.vault, this.program.config)
  }

  /** A harness whose vault is initialized. */
  static initialized(): ProgramHarness {
    const harness = new ProgramHarness()
    harness.mustSend(harness.program.initialize(harness.sponsor))
    return harness
  }

  /** Sends instructions as one transaction that the payer pays for. */
  send(...instructions: TransactionInstruction[]): Sent {
    const transaction = new Transaction({ feePayer: this.payer, recentBlockhash: this.svm.latestBlockhash() })
    transaction.add(...instructions)
    const bytes = transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
    return outcomeOf(this.svm.sendLegacyTransaction(bytes))
  }

  mustSend(...instructions: TransactionInstruction[]): Sent {
    const sent = this.send(...instructions)
    if (sent.error !== null) throw new Error(`instruction ${sent.at} was refused: ${sent.error}`)
    return sent
  }

  /** Sends an instruction with the signatures of the payer and of keys by name. */
  mustSendSigned(names: readonly string[], instruction: TransactionInstruction): void {
    const transaction = new Transaction({ feePayer: this.payer, recentBlockhash: this.svm.latestBlockhash() }).add(instruction)
    transaction.sign(...['payer', ...names].map(keypair))
    const sent = outcomeOf(this.svm.sendLegacyTransaction(transaction.serialize()))
    if (sent.error !== null) throw new Error(`a signed instruction was refused: ${sent.error}`)
  }

  fund(address: PublicKey, lamports: bigint): void {
    this.setAccount(address, Buffer.alloc(0), SystemProgram.programId, lamports)
  }

  setAccount(address: PublicKey, data: Uint8Array, owner: PublicKey, lamports = this.svm.minimumBalanceForRentExemption(BigInt(data.length))): void {
    this.svm.setAccount(address.toBytes(), new Account(lamports, data, owner.toBytes(), false, 0n))
  }

  setMint(mint: PublicKey, owner: PublicKey): void {
    const data = Buffer.alloc(MINT_BYTES)
    data[44] = 6
    data[45] = 1
    this.setAccount(mint, data, owner)
  }

  setTokens(address: PublicKey, authority: PublicKey, state: TokenState = {}): void {
    const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES)
    data.set((state.mint ?? USDC_MINT).toBytes(), 0)
    data.set(authority.toBytes(), 32)
    data.writeBigUInt64LE(state.amount ?? 0n, 64)
    data[108] = state.state ?? 1
    if (state.delegate !== undefined) {
      data[72] = 1
      data.set(state.delegate.toBytes(), 76)
      data.writeBigUInt64LE(state.amount ?? 0n, 121)
    }
    if (state.closeAuthority !== undefined) {
      data[129] = 1
      data.set(state.closeAuthority.toBytes(), 133)
    }
    this.setAccount(address, data, state.owner ?? TOKEN_PROGRAM)
  }

  /** Unix time. */
  nowS(): bigint {
    return this.svm.getClock().unixTimestamp
  }

  setClock(atS: bigint): void {
    const clock = this.svm.getClock()
    clock.unixTimestamp = atS
    this.svm.setClock(clock)
  }

  isDelegated(wallet: PublicKey): boolean {
    return this.nowS() < this.user(wallet).delegatedUntilS
  }

  /** A user with USDC in its wallet, and with a balance in the vault. */
  makeUser(name: string, depositMicros: bigint, walletMicros = 0n, delegated = true): PublicKey {
    const wallet = key(name)
    this.setTokens(tokensOf(wallet), wallet, { amount: depositMicros + walletMicros })
    this.mustSend(this.program.createUser(this.sponsor, wallet, this.program.user(wallet), delegated))
    if (depositMicros > 0n) this.mustSend(this.deposit(wallet, depositMicros))
    return wallet
  }

  /** The next deposit of a wallet, or the one with a given sequence. */
  deposit(wallet: PublicKey, amountMicros: bigint, sequence = this.nextSequence(wallet)): TransactionInstruction {
    return this.program.deposit(wallet, this.program.user(wallet), tokensOf(wallet), amountMicros, sequence)
  }

  withdraw(wallet: PublicKey, amountMicros: bigint, delegated = true, sequence = this.nextSequence(wallet)): TransactionInstruction {
    return this.program.withdraw(wallet, this.program.user(wallet), tokensOf(wallet), amountMicros, sequence, delegated)
  }

  /** Opens a position between wallets; terms that are not given are those of a 10 USDC bet at 3.00 with 1 % fees. */
  open(name: string, holder: PublicKey, backer: PublicKey, terms: Partial<OpenTerms> = {}): TransactionInstruction {
    return this.program.open(this.sponsor, this.positionAt(name), {
      id: idOf(name), holder: this.program.user(holder), backer: this.program.user(backer), stakeMicros: 9_900_000n, riskMicros: 19_800_000n,
      takerFeeMicros: 100_000n, takerFeeBps: 100, profitFeeBps: 100, flags: 0, ...terms,
    })
  }

  settle(name: string, holder: PublicKey, backer: PublicKey, outcome: 'lost' | 'won' | 'void'): TransactionInstruction {
    return this.program.settle(this.positionAt(name), this.program.user(holder), this.program.user(backer), outcome)
  }

  buyback(name: string, holder: PublicKey, backer: PublicKey, priceMicros: bigint): TransactionInstruction {
    return this.program.buyback(this.positionAt(name), this.program.user(holder), this.program.user(backer), priceMicros)
  }

  transfer(name: string, seller: PublicKey, buyer: PublicKey, priceMicros: bigint, sequence = 1n): TransactionInstruction {
    return this.program.transfer(this.positionAt(name), this.program.user(seller), this.program.user(buyer), priceMicros, sequence)
  }

  positionAt(name: string): PublicKey {
    let address = this.positions.get(name)
    if (address === undefined) this.positions.set(name, (address = this.program.position(idOf(name))))
    return address
  }

  nextSequence(wallet: PublicKey): bigint {
    return this.user(wallet).sequence + 1n
  }

  config(): ConfigAccount {
    return decodeConfig(this.data(this.program.config))!
  }

  user(wallet: PublicKey): UserAccount {
    return decodeUser(this.data(this.program.user(wallet)))!
  }

  balance(wallet: PublicKey): bigint {
    return this.user(wallet).balanceMicros
  }

  position(name: string): PositionAccount {
    return decodePosition(this.data(this.positionAt(name)))!
  }

  tokens(address: PublicKey): bigint {
    return Buffer.from(this.data(address)).readBigUInt64LE(64)
  }

  /** Every account of the vault and every token account, as text: equal when nothing has changed. */
  state(): string {
    const owners = [this.program.programId, TOKEN_PROGRAM]
    return owners
      .flatMap((owner) => this.svm.getProgramAccounts(owner.toBytes()))
      .map((found) => {
        const account = found.account()
        return `${hex(found.address)} ${account.lamports()} ${hex(account.data())}`
      })
      .sort()
      .join('\n')
  }

  lamports(address: PublicKey): bigint {
    return this.svm.getBalance(address.toBytes()) ?? 0n
  }

  data(address: PublicKey): Uint8Array {
    const account = this.svm.getAccount(address.toBytes())
    if (account === null) throw new Error(`no account ${address.toBase58()}`)
    return account.data()
  }
}

export const keypair = (name: string): Keypair => Keypair.fromSeed(sha256(`key ${name}`))
const keys = new Map<string, PublicKey>()

/** An address by name. */
export function key(name: string): PublicKey {
  let known = keys.get(name)
  if (known === undefined) keys.set(name, (known = keypair(name).publicKey))
  return known
}

/** The USDC account of a wallet. */
export const tokensOf = (wallet: PublicKey): PublicKey => key(`tokens of ${wallet.toBase58()}`)

/** The id of a position by name. */
export const idOf = (name: string): Uint8Array => sha256(`position ${name}`)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()

export function outcomeOf(result: ReturnType<LiteSvm['sendLegacyTransaction']>): Sent {
  if (!(result instanceof FailedTransactionMetadata)) return { error: null, at: -1, computeUnits: result.computeUnitsConsumed() }
  const error = result.err()
  const computeUnits = result.meta().computeUnitsConsumed()
  if (!(error instanceof TransactionErrorInstructionError)) return { error: error.toString(), at: -1, computeUnits }
  const cause = error.err()
  if (!(cause instanceof InstructionErrorCustom)) return { error: String(cause), at: error.index, computeUnits }
  return { error: vaultRefusal(cause.code)?.name ?? `program:${cause.code}`, at: error.index, computeUnits }
}
