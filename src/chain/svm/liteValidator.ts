import { createHash } from 'node:crypto'
import type { PublicKey } from '@solana/web3.js'
import * as lite from 'litesvm/dist/internal.js'
import { assert } from '../../unit/assert.ts'
import { toBase58, fromBase58 } from './base58.ts'
import { readTransaction, type WireTransaction } from './wireTransaction.ts'

/** Seconds for which a blockhash is good: 150 slots of 0.4 s, as on the public network. */
const BLOCKHASH_LIFE_S = 60
const BLOCKHASH_SLOTS = 150
/** Seconds for which it is known what became of a transaction. */
const HISTORY_S = 7200
const KEY_BYTES = 32

/** An account as it lies on the chain. */
export interface ChainAccount {
  readonly lamports: bigint
  readonly data: Uint8Array
  readonly owner: PublicKey
}

interface Checkpoint {
  /** Accounts as they were, by the name of their key; null for one that was not there. */
  readonly before: Map<string, lite.Account | null>
  /** Ids of transactions that landed since. */
  readonly landed: string[]
  readonly clock: lite.Clock
  readonly blockhashes: ReadonlyMap<string, number>
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
type Params = readonly unknown[]

/**
 * The Solana VM inside the process, behind the part of a validator's JSON-RPC that the adapter uses. `fetch` goes into web3.js's
 * `Connection`. A transaction lands and is final when it is sent. Blockhashes and clock are those of the simulation.
 */
export class LiteValidator {
  private readonly vm: lite.LiteSvm
  /** Landed transactions by id: those of the last while, and those that a reorganisation would make good again. */
  private readonly landed = new Map<string, Json>()
  /** Ids of landed transactions, and the second in which the first of them landed, by blockhash. */
  private readonly idsOf = new Map<string, { readonly sinceS: number; readonly ids: string[] }>()
  /** Blockhashes that are good, by name, with the second in which they were given out. */
  private blockhashes = new Map<string, number>()
  private remembered: Checkpoint | null = null
  private block = 1
  private atS = 0
  private isDropping = false

  constructor() {
    this.vm = new lite.LiteSvm()
    // Repeats and old blockhashes are refused here, because LiteSVM knows only its latest blockhash and takes a failed transaction as landed.
    this.vm.setTransactionHistory(0n)
    this.vm.setBlockhashCheck(false)
  }

  /** Stands in for the network. */
  readonly fetch = (async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const text = this.answer(String(init?.body))
    // Only what Connection reads of a response. Making a whole one costs as much as answering.
    return { ok: true, status: 200, statusText: 'OK', text: async () => text } as Response
  }) as typeof globalThis.fetch

  /** The answer to one JSON-RPC request. */
  answer(request: string): string {
    const { id, method, params } = JSON.parse(request) as { id: Json; method: string; params: Params }
    const call = Object.hasOwn(this.methods, method) ? this.methods[method] : undefined
    if (call === undefined) return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } })
    try {
      return JSON.stringify({ jsonrpc: '2.0', id, result: call(params) })
    } catch (error) {
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: error instanceof Error ? error.message : String(error) } })
    }
  }

  private readonly methods: Readonly<Record<string, (params: Params) => Json>> = {
    getGenesisHash: () => toBase58(createHash('sha256').update('genesis').digest()),
    getLatestBlockhash: () => this.withContext(this.newBlockhash()),
    isBlockhashValid: ([hash]) => this.withContext(this.isGood(String(hash))),
    sendTransaction: ([text]) => this.send(Buffer.from(String(text), 'base64')),
    getSignatureStatuses: ([ids]) => this.withContext((ids as string[]).map((id) => this.statusOf(id))),
    getAccountInfo: ([key]) => this.withContext(this.accountInfo(String(key))),
    getMultipleAccounts: ([keys]) => this.withContext((keys as string[]).map((key) => this.accountInfo(key))),
    getBalance: ([key]) => this.withContext(Number(this.vm.getBalance(keyOf(String(key))) ?? 0n)),
    getMinimumBalanceForRentExemption: ([bytes]) => Number(this.vm.minimumBalanceForRentExemption(BigInt(bytes as number))),
  }

  private withContext(value: Json): Json {
    return { context: { slot: this.block }, value }
  }

  /** The number of the present block. */
  get slot(): number {
    return this.block
  }

  /** Whether a blockhash is one that was given out and has not expired. */
  isGood(blockhash: string): boolean {
    return this.blockhashes.has(nameOf(keyOf(blockhash)))
  }

  /** A block per blockhash, so that the same calls signed anew are another transaction. */
  newBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    const blockhash = createHash('sha256').update(`block:${++this.block}`).digest()
    this.blockhashes.set(nameOf(blockhash), this.atS)
    return { blockhash: toBase58(blockhash), lastValidBlockHeight: this.block + BLOCKHASH_SLOTS }
  }

  /** Answers like a validator that skips its preflight: with the id, whatever becomes of the transaction. */
  send(bytes: Buffer): string {
    const transaction = readTransaction(bytes)
    const { id, blockhash } = transaction
    if (this.isDropping || this.landed.has(id) || !this.blockhashes.has(nameOf(blockhash))) return id
    this.remember(transaction.writable)
    const result = this.vm.sendLegacyTransaction(bytes)
    if (!(result instanceof lite.FailedTransactionMetadata)) this.land(transaction, null)
    else {
      const error = result.err()
      // Whatever else went wrong kept the transaction out of the block: its fee is not paid and it may be sent again.
      if (error instanceof lite.TransactionErrorInstructionError) this.land(transaction, instructionError(error))
      else if (error instanceof lite.TransactionErrorInsufficientFundsForRent) {
        this.land(transaction, { InsufficientFundsForRent: { account_index: error.accountIndex } })
      }
    }
    return id
  }

  private land({ id, blockhash }: WireTransaction, error: Json): void {
    this.landed.set(id, error)
    this.remembered?.landed.push(id)
    const known = this.idsOf.get(nameOf(blockhash))
    if (known === undefined) this.idsOf.set(nameOf(blockhash), { sinceS: this.atS, ids: [id] })
    else known.ids.push(id)
  }

  /** What is long ago and can never come again. */
  private forgetOld(): void {
    for (const [hash, { sinceS, ids }] of this.idsOf) {
      if (sinceS + HISTORY_S > this.atS) return
      if (this.remembered?.blockhashes.has(hash) === true) continue
      for (const id of ids) this.landed.delete(id)
      this.idsOf.delete(hash)
    }
  }

  /** How many transactions are known, and accounts as they were at the checkpoint. */
  get size(): { readonly landed: number; readonly before: number } {
    return { landed: this.landed.size, before: this.remembered?.before.size ?? 0 }
  }

  /** What became of a transaction, null for one that is not known. */
  statusOf(id: string): { readonly slot: number; readonly confirmations: null; readonly err: Json; readonly confirmationStatus: 'finalized' } | null {
    const err = this.landed.get(id)
    return err === undefined ? null : { slot: this.block, confirmations: null, err, confirmationStatus: 'finalized' }
  }

  /** The account at a key of 32 bytes, null where there is none. */
  accountAt(key: Uint8Array): lite.Account | null {
    return this.vm.getAccount(key)
  }

  private accountInfo(text: string): Json {
    const account = this.accountAt(keyOf(text))
    if (account === null) return null
    const data = account.data()
    return {
      data: [Buffer.from(data).toString('base64'), 'base64'], executable: account.executable(), lamports: Number(account.lamports()),
      owner: toBase58(account.owner()), rentEpoch: 0, space: data.length,
    }
  }

  /** Sets an account as a genesis would. An account without lamports is removed. */
  setAccount(key: PublicKey, { lamports, data, owner }: ChainAccount): void {
    this.remember([key.toBuffer()])
    this.vm.setAccount(key.toBuffer(), new lite.Account(lamports, data, owner.toBuffer(), false, 0n))
  }

  addProgram(id: PublicKey, elf: Uint8Array): void {
    this.vm.addProgram(id.toBuffer(), elf)
  }

  /** Unix time in whole seconds, never back. */
  setClock(atS: number): void {
    assert(atS >= this.atS, 'the clock of a chain does not go back')
    const clock = this.vm.getClock()
    clock.unixTimestamp = BigInt(atS)
    this.vm.setClock(clock)
    this.atS = atS
    for (const [hash, givenS] of this.blockhashes) if (givenS + BLOCKHASH_LIFE_S <= atS) this.blockhashes.delete(hash)
    this.forgetOld()
  }

  /** From now on transactions are taken and never land. */
  drop(on: boolean): void {
    this.isDropping = on
  }

  /** Remembers accounts, what landed, and the clock; the result brings them back, once, until the next checkpoint takes its place. */
  checkpoint(): () => void {
    const checkpoint: Checkpoint = {
      before: new Map(), landed: [], clock: this.vm.getClock(), blockhashes: new Map(this.blockhashes),
    }
    this.remembered = checkpoint
    this.forgetOld()
    return () => {
      assert(this.remembered === checkpoint, 'a checkpoint of a chain is brought back once, and no earlier one than the last')
      this.remembered = null
      this.undo(checkpoint)
    }
  }

  private undo({ before, landed, clock, blockhashes }: Checkpoint): void {
    for (const [key, account] of before) {
      const gone = new lite.Account(0n, new Uint8Array(), new Uint8Array(KEY_BYTES), false, 0n)
      this.vm.setAccount(Buffer.from(key, 'latin1'), account ?? gone)
    }
    for (const id of landed) this.landed.delete(id)
    this.vm.setClock(clock)
    this.atS = Number(clock.unixTimestamp)
    // Blocks are numbered on: those of the undone fork never come back, and neither do their blockhashes.
    this.blockhashes = new Map(blockhashes)
    this.forgetOld()
  }

  private remember(keys: readonly Buffer[]): void {
    const before = this.remembered?.before
    if (before === undefined) return
    for (const key of keys) {
      const name = nameOf(key)
      if (!before.has(name)) before.set(name, this.vm.getAccount(key))
    }
  }
}

/** 32 bytes as a key of maps. */
const nameOf = (bytes: Buffer): string => bytes.toString('latin1')

function keyOf(text: string): Buffer {
  const key = fromBase58(text, KEY_BYTES)
  if (key === null) throw new Error(`${text} is no key`)
  return key
}

function instructionError(error: lite.TransactionErrorInstructionError): Json {
  const cause = error.err()
  if (cause instanceof lite.InstructionErrorCustom) return { InstructionError: [error.index, { Custom: cause.code }] }
  return { InstructionError: [error.index, (typeof cause === 'number' ? INSTRUCTION_ERRORS[cause] : undefined) ?? 'BorshIoError'] }
}

/** The VM's own refusals, by number: LiteSVM has their names for the compiler only (`InstructionErrorFieldless`). */
const INSTRUCTION_ERRORS = [
  'GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData', 'AccountDataTooSmall',
  'InsufficientFunds', 'IncorrectProgramId', 'MissingRequiredSignature', 'AccountAlreadyInitialized', 'UninitializedAccount',
  'UnbalancedInstruction', 'ModifiedProgramId', 'ExternalAccountLamportSpend', 'ExternalAccountDataModified',
  'ReadonlyLamportChange', 'ReadonlyDataModified', 'DuplicateAccountIndex', 'ExecutableModified', 'RentEpochModified',
  'NotEnoughAccountKeys', 'AccountDataSizeChanged', 'AccountNotExecutable', 'AccountBorrowFailed', 'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync', 'InvalidError', 'ExecutableDataModified', 'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt', 'UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded', 'InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile', 'Immutable', 'IncorrectAuthority',
  'AccountNotRentExempt', 'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar', 'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded', 'MaxAccountsExceeded', 'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError',
]
