import { type AccountMeta, type PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { assert } from '../../unit/assert.ts'
import { ChainPositionState, TOKEN_PROGRAM, VaultInstruction } from './layout.ts'
import { findProgramAddress } from './programAddress.ts'

const signer = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: true, isWritable: false })
const payerOf = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: true, isWritable: true })
const writable = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: true })
const readable = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: false })
const SYSTEM = readable(SystemProgram.programId)
const TOKEN = readable(TOKEN_PROGRAM)

/** Outcomes of `settle` by their names in the calls. */
const OUTCOMES = { lost: ChainPositionState.lost, won: ChainPositionState.won, void: ChainPositionState.void } as const

export interface OpenTerms {
  /** 32 bytes that no other position has. */
  readonly id: Uint8Array
  /** User accounts of the wallets. */
  readonly holder: PublicKey
  readonly backer: PublicKey
  /** The net stake, without the taker fee. */
  readonly stakeMicros: bigint
  readonly riskMicros: bigint
  /** floor((stake + fee)·bps/10000): the vault computes it again. */
  readonly takerFeeMicros: bigint
  readonly takerFeeBps: number
  readonly profitFeeBps: number
  /** A sum of {@link PositionFlag}. */
  readonly flags: number
}

/** Addresses and instructions of one deployed vault program. */
export class VaultProgram {
  readonly programId: PublicKey
  readonly config: PublicKey
  /** The authority that speaks for the service. */
  readonly operator: PublicKey
  /** Token account with all USDC of the vault: made by whoever initializes, with `config` as its authority. */
  readonly vault: PublicKey
  private readonly users = new WeakMap<PublicKey, PublicKey>()

  constructor(programId: PublicKey, operator: PublicKey, vault: PublicKey) {
    this.programId = programId
    this.operator = operator
    this.vault = vault
    this.config = configAddress(programId)
  }

  /** Address of a wallet's balance in the vault. */
  user(wallet: PublicKey): PublicKey {
    let address = this.users.get(wallet)
    if (address === undefined) this.users.set(wallet, (address = userAddress(this.programId, wallet)))
    return address
  }

  /** Address of the position with a 32-byte id. */
  position(id: Uint8Array): PublicKey {
    return positionAddress(this.programId, id)
  }

  /** Once, signed by payer, operator and the program's own key. */
  initialize(payer: PublicKey): TransactionInstruction {
    return this.instruction(
      [payerOf(payer), signer(this.operator), signer(this.programId), writable(this.config), readable(this.vault), SYSTEM],
      order(VaultInstruction.initialize, 0),
    )
  }

  /** Signed by the payer of the rent and by the wallet, which lets the operator trade for it when `delegated`. */
  createUser(payer: PublicKey, wallet: PublicKey, user: PublicKey, delegated = true): TransactionInstruction {
    return this.instruction(
      [payerOf(payer), signer(wallet), writable(user), SYSTEM], order(VaultInstruction.createUser, Number(delegated)),
    )
  }

  /** Signed by the wallet. */
  setDelegation(wallet: PublicKey, user: PublicKey, delegated: boolean): TransactionInstruction {
    return this.instruction([signer(wallet), writable(user)], order(VaultInstruction.setDelegation, Number(delegated)))
  }

  /** Signed by the wallet; `from` is its own USDC account. `sequence` is one more than that of the last deposit or withdrawal. */
  deposit(wallet: PublicKey, user: PublicKey, from: PublicKey, amountMicros: bigint, sequence: bigint): TransactionInstruction {
    return this.instruction(
      [signer(wallet), writable(user), writable(this.config), writable(from), writable(this.vault), TOKEN],
      amountOrder(VaultInstruction.deposit, amountMicros, sequence),
    )
  }

  /** Signed by the wallet, and by the operator while the wallet is delegated; `to` is the wallet's own USDC account. */
  withdraw(
    wallet: PublicKey, user: PublicKey, to: PublicKey, amountMicros: bigint, sequence: bigint, delegated = true,
  ): TransactionInstruction {
    return this.instruction(
      [
        signer(wallet), delegated ? signer(this.operator) : readable(this.operator), writable(user), writable(this.config), writable(to),
        writable(this.vault), TOKEN,
      ],
      amountOrder(VaultInstruction.withdraw, amountMicros, sequence),
    )
  }

  /** Signed by the payer of the rent and by the operator. `position` is the address of the id. */
  open(payer: PublicKey, position: PublicKey, terms: OpenTerms): TransactionInstruction {
    return this.instruction(
      [
        payerOf(payer), signer(this.operator), readable(this.config), writable(position), writable(terms.holder), writable(terms.backer),
        SYSTEM,
      ],
      openOrder(terms),
    )
  }

  /** Signed by the operator, as are buyback and transfer. Holder and backer are user accounts: the holder of now. */
  settle(position: PublicKey, holder: PublicKey, backer: PublicKey, outcome: 'lost' | 'won' | 'void'): TransactionInstruction {
    return this.trade(position, holder, backer, order(VaultInstruction.settle, OUTCOMES[outcome]))
  }

  buyback(position: PublicKey, holder: PublicKey, backer: PublicKey, priceMicros: bigint): TransactionInstruction {
    return this.trade(position, holder, backer, amountOrder(VaultInstruction.buyback, priceMicros, 0n))
  }

  /** `sequence` counts the transfers of this position from 1. */
  transfer(position: PublicKey, seller: PublicKey, buyer: PublicKey, priceMicros: bigint, sequence: bigint): TransactionInstruction {
    return this.trade(position, seller, buyer, amountOrder(VaultInstruction.transfer, priceMicros, sequence))
  }

  /** Signed by the operator: fees of the house go to any USDC account. `sequence` counts collections from 1. */
  collect(to: PublicKey, amountMicros: bigint, sequence: bigint): TransactionInstruction {
    return this.instruction(
      [signer(this.operator), writable(this.config), writable(this.vault), writable(to), TOKEN],
      amountOrder(VaultInstruction.collect, amountMicros, sequence),
    )
  }

  private trade(position: PublicKey, holder: PublicKey, other: PublicKey, data: Buffer): TransactionInstruction {
    return this.instruction(
      [signer(this.operator), writable(this.config), writable(position), writable(holder), writable(other)], data,
    )
  }

  private instruction(keys: AccountMeta[], data: Buffer): TransactionInstruction {
    return new TransactionInstruction({ programId: this.programId, keys, data })
  }
}

export const configAddress = (programId: PublicKey): PublicKey => addressOf(programId, [Buffer.from('config')])

export const userAddress = (programId: PublicKey, wallet: PublicKey): PublicKey =>
  addressOf(programId, [Buffer.from('user'), wallet.toBuffer()])

export const positionAddress = (programId: PublicKey, id: Uint8Array): PublicKey => addressOf(programId, [Buffer.from('position'), id])

const addressOf = (programId: PublicKey, seeds: readonly Uint8Array[]): PublicKey => findProgramAddress(seeds, programId).address

/** Instruction data as program/vault.c reads them: little endian, of exact length, padding zero. */
function order(tag: VaultInstruction, value: number): Buffer {
  const data = Buffer.alloc(8)
  data[0] = tag
  data[1] = value
  return data
}

function amountOrder(tag: VaultInstruction, amountMicros: bigint, sequence: bigint): Buffer {
  const data = Buffer.alloc(24)
  data[0] = tag
  data.writeBigUInt64LE(amountMicros, 8)
  data.writeBigUInt64LE(sequence, 16)
  return data
}

function openOrder(terms: OpenTerms): Buffer {
  assert(terms.id.length === 32, 'the id of a position has 32 bytes')
  const data = Buffer.alloc(64)
  data[0] = VaultInstruction.open
  data[1] = terms.flags
  data.writeUInt16LE(terms.takerFeeBps, 2)
  data.writeUInt16LE(terms.profitFeeBps, 4)
  data.writeBigUInt64LE(terms.stakeMicros, 8)
  data.writeBigUInt64LE(terms.riskMicros, 16)
  data.writeBigUInt64LE(terms.takerFeeMicros, 24)
  data.set(terms.id, 32)
  return data
}
