import { setTimeout as wait } from 'node:timers/promises'
import type { SignatureStatus } from '@solana/web3.js'
import { assert } from '../../unit/assert.ts'
import { shownUrl } from '../../unit/httpUrl.ts'
import { InputError } from '../../unit/inputError.ts'
import { fromBase58, toBase58 } from './base58.ts'
import type { SvmKey } from './keys.ts'
import { vaultRefusal, type VaultRefusal } from './layout.ts'
import { ask, type SvmNetwork } from './svmNetwork.ts'
import type { TransactionDraft } from './transactionDraft.ts'
import { readTransaction, transactionId } from './wireTransaction.ts'

/** Statuses that one request may ask for. */
const STATUSES_PER_REQUEST = 256
/** A transaction of the adapter's own is sent at least so often before it is given up. */
const SENDS_MIN = 4
const FRUITLESS_SHARE = 0.75

export interface SentTransaction {
  readonly id: string
  readonly bytes: Uint8Array
}

/** `unseen` can still land, `expired` no longer, `landed` with the chain's error or null. */
export type Fate = { readonly state: 'unseen' } | { readonly state: 'expired' } | { readonly state: 'landed'; readonly error: unknown }

/** The 32 bytes of a blockhash that is good from now on. */
export async function newBlockhash(network: SvmNetwork): Promise<Buffer> {
  const { blockhash } = await ask(network, (connection) => connection.getLatestBlockhash())
  const bytes = fromBase58(blockhash, 32)
  assert(bytes !== null, 'a blockhash has 32 bytes')
  return bytes
}

export interface SignedBy {
  readonly draft: TransactionDraft
  readonly signers: readonly SvmKey[]
}

/**
 * Sends transactions of the adapter's own, in any order, until they have landed. Unseen ones are sent again as the same bytes, ones that
 * can no longer land with a new blockhash. False when the vault says that one of them has been done before. Throws an InputError with
 * the chain's answer when one is refused or never lands.
 */
export async function landAll(network: SvmNetwork, all: readonly SignedBy[]): Promise<boolean> {
  let open = all.map(({ draft, signers }) => ({ draft, signers, sent: null as SentTransaction | null }))
  let isNew = true
  let [lost, landedMs] = [0, performance.now()]
  while (open.length > 0) {
    if (lost >= SENDS_MIN && performance.now() - landedMs >= fruitlessMs(network)) throw unready(network, `${open.length} of its transactions were lost ${lost} times`)
    const blockhash = open.some(({ sent }) => sent === null) ? await newBlockhash(network) : null
    const sent = open.map((each) => each.sent ?? signed(each, blockhash!))
    for (const transaction of sent) await send(network, transaction)
    const fates = await fatesOf(network, sent)
    for (const fate of fates) {
      if (fate.state !== 'landed' || fate.error === null) continue
      if (instructionError(fate.error)?.refusal?.done !== true) throw unready(network, JSON.stringify(fate.error))
      isNew = false
    }
    const before = open.length
    open = open.flatMap((each, i) => {
      const { state } = fates[i]!
      return state === 'landed' ? [] : [{ ...each, sent: state === 'unseen' ? sent[i]! : null }]
    })
    lost++
    if (open.length < before) [lost, landedMs] = [0, performance.now()]
  }
  return isNew
}

/** After so long without a transaction that lands a chain is given up: its last round of sending is then over within the patience. */
export const fruitlessMs = ({ patienceMs }: SvmNetwork): number => FRUITLESS_SHARE * patienceMs

function signed({ draft, signers }: SignedBy, blockhash: Uint8Array): SentTransaction {
  const bytes = draft.sign(blockhash, signers)
  return { id: transactionId(bytes), bytes }
}

const unready = ({ connection }: SvmNetwork, answer: string): InputError =>
  new InputError(`the vault cannot be made ready on ${shownUrl(connection.rpcEndpoint)}: ${answer}`, {
    hint: 'see whether the sponsor has SOL and the validator makes blocks, or reset the validator, or take another seed',
  })

/** Which instruction of a transaction failed, and what the chain calls it: in the vault's words where they are its own. */
export interface FailedInstruction {
  readonly at: number
  readonly cause: string
  readonly refusal: VaultRefusal | null
}

/** The instruction that failed, null for an error that is none of an instruction. */
export function instructionError(error: unknown): FailedInstruction | null {
  const { InstructionError: failed } = error as { InstructionError?: readonly [number, string | { Custom?: number }] }
  if (failed === undefined) return null
  const [at, cause] = failed
  const code = typeof cause === 'string' ? undefined : cause.Custom
  return { at, cause: JSON.stringify(cause), refusal: code === undefined ? null : vaultRefusal(code) }
}

/** Without a preflight: what the vault refuses is then on the chain, with the place of the instruction. */
export async function send(network: SvmNetwork, { bytes }: SentTransaction): Promise<void> {
  await ask(network, (connection) => connection.sendRawTransaction(bytes, { skipPreflight: true }))
}

/** What became of transactions, once none of them is between landed and final and the patience for the unseen is over. */
export async function fatesOf(network: SvmNetwork, transactions: readonly SentTransaction[]): Promise<Fate[]> {
  const sinceMs = performance.now()
  let [last, changedMs] = ['', sinceMs]
  for (;;) {
    // Asked for before the statuses: a transaction that is not on the chain after its blockhash has expired never will be.
    const good = await goodBlockhashes(network, transactions)
    const statuses = await statusesOf(network, transactions.map(({ id }) => id))
    const fates = statuses.map((status, i): Fate => {
      if (status === null) return { state: good.has(blockhashOf(transactions[i]!)) ? 'unseen' : 'expired' }
      return { state: 'landed', error: status.err }
    })
    const areAllFinal = statuses.every((status) => status === null || isFinal(network, status))
    const nowMs = performance.now()
    const isPatient = nowMs - sinceMs < network.unseenMs && fates.some(({ state }) => state === 'unseen')
    if (areAllFinal && !isPatient) return fates
    const now = statuses.map(stepOf).join()
    if (now !== last) [last, changedMs] = [now, nowMs]
    if (!areAllFinal && nowMs - changedMs >= fruitlessMs(network)) throw notFinal(network, statuses)
    await wait(network.pollMs)
  }
}

/** How far a transaction is on its way to be final: block by block. */
const stepOf = (status: SignatureStatus | null): string => (status === null ? '' : `${status.confirmationStatus}:${status.confirmations}`)

function notFinal(network: SvmNetwork, statuses: readonly (SignatureStatus | null)[]): InputError {
  const told = new Set(statuses.map((status) => status?.confirmationStatus ?? 'not there'))
  const { connection, commitment } = network
  return new InputError(`transactions on ${shownUrl(connection.rpcEndpoint)} do not become ${commitment}: for ${fruitlessMs(network) / 1000} s they are ${[...told].join(', ')}`, {
    hint: 'does the validator make blocks?',
  })
}

/** Waits until a transaction has landed, final or not; false when the patience for it is over. */
export async function hasLanded(network: SvmNetwork, { id }: SentTransaction): Promise<boolean> {
  const sinceMs = performance.now()
  for (;;) {
    const [status] = await statusesOf(network, [id])
    if (status !== null) return true
    if (performance.now() - sinceMs >= network.unseenMs) return false
    await wait(network.pollMs)
  }
}

async function goodBlockhashes(network: SvmNetwork, transactions: readonly SentTransaction[]): Promise<Set<string>> {
  const good = new Set<string>()
  for (const blockhash of new Set(transactions.map(blockhashOf))) {
    const text = toBase58(Buffer.from(blockhash, 'latin1'))
    const { commitment } = network
    if ((await ask(network, (connection) => connection.isBlockhashValid(text, { commitment }))).value) good.add(blockhash)
  }
  return good
}

async function statusesOf(network: SvmNetwork, ids: readonly string[]): Promise<(SignatureStatus | null)[]> {
  const statuses: (SignatureStatus | null)[] = []
  for (let at = 0; at < ids.length; at += STATUSES_PER_REQUEST) {
    const part = ids.slice(at, at + STATUSES_PER_REQUEST)
    const { value } = await ask(network, (connection) => connection.getSignatureStatuses(part, { searchTransactionHistory: true }))
    statuses.push(...value)
  }
  return statuses
}

const isFinal = ({ commitment }: SvmNetwork, { confirmationStatus }: SignatureStatus): boolean =>
  confirmationStatus === 'finalized' || confirmationStatus === commitment

/** The blockhash in its bytes, by which transactions of one blockhash are told from others. */
const blockhashOf = ({ bytes }: SentTransaction): string => readTransaction(bytes).blockhash.toString('latin1')
