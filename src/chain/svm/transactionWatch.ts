import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Finality, SignatureStatus } from '@solana/web3.js'
import { assert } from '../../unit/assert.ts'
import { fromBase58, toBase58 } from './base58.ts'
import type { SvmKey } from './keys.ts'
import type { TransactionDraft } from './transactionDraft.ts'
import { readTransaction, transactionId } from './wireTransaction.ts'

/** Statuses that one request may ask for. */
const STATUSES_PER_REQUEST = 256
const POLL_MS = 400
/** How long a validator may take to make final what it has taken into a block: some four times what the public network takes. */
const FINAL_MS = 60_000

/** How a chain is reached: the VM inside the process or a validator by URL, through the same `Connection`. */
export interface SvmNetwork {
  readonly connection: Connection
  /** What counts as final. */
  readonly commitment: Finality
  /** How long a transaction that nobody has seen may still be under way; 0 in the process, where it lands when it is sent. */
  readonly patienceMs: number
}

export interface SentTransaction {
  readonly id: string
  readonly bytes: Uint8Array
}

/** `unseen` can still land, `expired` no longer, `landed` with the chain's error or null. */
export type Fate = { readonly state: 'unseen' } | { readonly state: 'expired' } | { readonly state: 'landed'; readonly error: unknown }

/** The 32 bytes of a blockhash that is good from now on. */
export async function newBlockhash({ connection }: SvmNetwork): Promise<Buffer> {
  const { blockhash } = await connection.getLatestBlockhash()
  const bytes = fromBase58(blockhash, 32)
  assert(bytes !== null, 'a blockhash has 32 bytes')
  return bytes
}

export interface SignedBy {
  readonly draft: TransactionDraft
  readonly signers: readonly SvmKey[]
}

/** Sends transactions of the adapter's own, in no order; throws an Error unless all of them land well. */
export async function landAll(network: SvmNetwork, all: readonly SignedBy[]): Promise<void> {
  if (all.length === 0) return
  const blockhash = await newBlockhash(network)
  const transactions = all.map(({ draft, signers }) => {
    const bytes = draft.sign(blockhash, signers)
    return { id: transactionId(bytes), bytes }
  })
  for (const transaction of transactions) await send(network.connection, transaction)
  for (const fate of await fatesOf(network, transactions)) {
    if (fate.state !== 'landed' || fate.error !== null) throw new Error(`the vault cannot be made ready: ${JSON.stringify(fate)}`)
  }
}

/** Without a preflight: what the vault refuses is then on the chain, with the place of the instruction. */
export async function send(connection: Connection, { bytes }: SentTransaction): Promise<void> {
  await connection.sendRawTransaction(bytes, { skipPreflight: true })
}

/** What became of transactions, once none of them is between landed and final and the patience for the unseen is over. */
export async function fatesOf(network: SvmNetwork, transactions: readonly SentTransaction[]): Promise<Fate[]> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    // Asked for before the statuses: what is not on the chain after its blockhash has run out never will be.
    const good = await goodBlockhashes(network, transactions)
    const statuses = await statusesOf(network.connection, transactions.map(({ id }) => id))
    const fates = statuses.map((status, i): Fate => {
      if (status === null) return { state: good.has(blockhashOf(transactions[i]!)) ? 'unseen' : 'expired' }
      return { state: 'landed', error: status.err }
    })
    const areAllFinal = statuses.every((status) => status === null || isFinal(network, status))
    const isPatient = waitedMs < network.patienceMs && fates.some(({ state }) => state === 'unseen')
    if (areAllFinal && !isPatient) return fates
    if (waitedMs >= FINAL_MS + network.patienceMs) throw new Error(`transactions are not ${network.commitment} after a minute`)
    await wait(POLL_MS)
  }
}

/** Waits until a transaction has landed, final or not; false when the patience for it is over. */
export async function hasLanded(network: SvmNetwork, { id }: SentTransaction): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const [status] = await statusesOf(network.connection, [id])
    if (status !== null) return true
    if (waitedMs >= network.patienceMs) return false
    await wait(POLL_MS)
  }
}

async function goodBlockhashes({ connection, commitment }: SvmNetwork, transactions: readonly SentTransaction[]): Promise<Set<string>> {
  const good = new Set<string>()
  for (const blockhash of new Set(transactions.map(blockhashOf))) {
    const text = toBase58(Buffer.from(blockhash, 'latin1'))
    if ((await connection.isBlockhashValid(text, { commitment })).value) good.add(blockhash)
  }
  return good
}

async function statusesOf(connection: Connection, ids: readonly string[]): Promise<(SignatureStatus | null)[]> {
  const statuses: (SignatureStatus | null)[] = []
  for (let at = 0; at < ids.length; at += STATUSES_PER_REQUEST) {
    const { value } = await connection.getSignatureStatuses(ids.slice(at, at + STATUSES_PER_REQUEST), { searchTransactionHistory: true })
    statuses.push(...value)
  }
  return statuses
}

const isFinal = ({ commitment }: SvmNetwork, { confirmationStatus }: SignatureStatus): boolean =>
  confirmationStatus === 'finalized' || confirmationStatus === commitment

/** Of its bytes, by which transactions of one blockhash are told from others. */
const blockhashOf = ({ bytes }: SentTransaction): string => readTransaction(bytes).blockhash.toString('latin1')
