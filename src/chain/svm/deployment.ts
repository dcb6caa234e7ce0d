import {
  PublicKey, SYSVAR_CLOCK_PUBKEY, SYSVAR_RENT_PUBKEY, SystemProgram, TransactionInstruction, type AccountMeta,
} from '@solana/web3.js'
import { assert } from '../../unit/assert.ts'
import { readAccounts } from './accountReads.ts'
import type { SvmKey } from './keys.ts'
import { findProgramAddress } from './programAddress.ts'
import { ask, type SvmNetwork } from './svmNetwork.ts'
import { TransactionDraft } from './transactionDraft.ts'
import { landAll, type SignedBy } from './transactionWatch.ts'

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111')
const LoaderInstruction = { initializeBuffer: 0, write: 1, deployWithMaxDataLen: 2, setAuthority: 4 } as const
/** Heads of the loader's accounts. */
const BUFFER_HEAD_BYTES = 37
const PROGRAM_ACCOUNT_BYTES = 36
const PROGRAM_DATA_HEAD_BYTES = 45
const AUTHORITY_OPTION_AT = 12
/** Bytes of a program in one transaction: as many as fit beside one signature. */
const WRITE_BYTES = 1_000

const key = (pubkey: PublicKey, rights: '' | 'w' | 's' | 'sw' = ''): AccountMeta =>
  ({ pubkey, isSigner: rights.includes('s'), isWritable: rights.includes('w') })

function instruction(keys: AccountMeta[], tag: number, ...numbers: Buffer[]): TransactionInstruction {
  return new TransactionInstruction({ programId: LOADER, keys, data: Buffer.concat([u32(tag), ...numbers]) })
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** A program as it lies on a chain. */
export interface DeployedProgram {
  /** Zeros may follow. */
  readonly elf: Buffer
  /** Who can replace the program, null when nobody can. */
  readonly authority: PublicKey | null
}

/** The program at an address, or null when there is none. */
export async function readProgram(network: SvmNetwork, address: PublicKey): Promise<DeployedProgram | null> {
  const [program, held] = await readAccounts(network, [address, programData(address)])
  if (!program?.executable) return null
  // Loaders before the upgradeable one keep a program in its own account, for good.
  if (!program.owner.equals(LOADER)) return { elf: program.data, authority: null }
  const data = held?.data ?? Buffer.alloc(PROGRAM_DATA_HEAD_BYTES)
  const authority = new PublicKey(data.subarray(AUTHORITY_OPTION_AT + 1, PROGRAM_DATA_HEAD_BYTES))
  // Validators that have a program in their genesis (--bpf-program) name the zero key, with which nobody can sign.
  const isFinal = data[AUTHORITY_OPTION_AT] === 0 || authority.equals(PublicKey.default)
  return { elf: data.subarray(PROGRAM_DATA_HEAD_BYTES), authority: isFinal ? null : authority }
}

/** Keys of a deployment. The payer can write the buffer, and nobody can replace the program afterwards. */
export interface Deployers {
  readonly payer: SvmKey
  readonly program: SvmKey
  /** A buffer for these bytes alone, so that a deployment that was broken off is gone on with. */
  readonly buffer: SvmKey
}

/**
 * Deploys a program through the upgradeable loader, as `solana program deploy --final` does, or goes on with a deployment that was
 * broken off. Throws an InputError when the chain refuses it.
 */
export async function deployProgram(network: SvmNetwork, deployers: Deployers, elf: Uint8Array): Promise<void> {
  const { payer, program, buffer } = deployers
  await makeBuffer(network, deployers, elf.length)
  await landAll(network, await missingWrites(network, deployers, elf))

  const data = programData(program.address)
  const keys = [
    key(payer.address, 'sw'), key(data, 'w'), key(program.address, 'w'), key(buffer.address, 'w'), key(SYSVAR_RENT_PUBKEY),
    key(SYSVAR_CLOCK_PUBKEY), key(SystemProgram.programId), key(payer.address, 's'),
  ]
  const deploy = instruction(keys, LoaderInstruction.deployWithMaxDataLen, u64(elf.length))
  // The instruction names no new authority, so the program is final.
  const finish = instruction([key(data, 'w'), key(payer.address, 's')], LoaderInstruction.setAuthority)
  const making = await makingOf(network, payer.address, program.address, PROGRAM_ACCOUNT_BYTES)
  await landAll(network, [signedBy(payer, [...making, deploy, finish], program)])
}

async function makeBuffer(network: SvmNetwork, { payer, buffer }: Deployers, elfBytes: number): Promise<void> {
  const [held] = await readAccounts(network, [buffer.address])
  if (held?.owner.equals(LOADER) === true) return
  const making = await makingOf(network, payer.address, buffer.address, BUFFER_HEAD_BYTES + elfBytes)
  const begin = instruction([key(buffer.address, 'w'), key(payer.address)], LoaderInstruction.initializeBuffer)
  await landAll(network, [signedBy(payer, [...making, begin], buffer)])
}

/** The parts of the program that the buffer does not hold. */
async function missingWrites(network: SvmNetwork, { payer, buffer }: Deployers, elf: Uint8Array): Promise<SignedBy[]> {
  const [held] = await readAccounts(network, [buffer.address])
  const written = held?.data.subarray(BUFFER_HEAD_BYTES) ?? Buffer.alloc(0)
  const writes: SignedBy[] = []
  for (let at = 0; at < elf.length; at += WRITE_BYTES) {
    const part = Buffer.from(elf.subarray(at, at + WRITE_BYTES))
    if (written.subarray(at, at + WRITE_BYTES).equals(part)) continue
    const keys = [key(buffer.address, 'w'), key(payer.address, 's')]
    writes.push(signedBy(payer, [instruction(keys, LoaderInstruction.write, u32(at), u64(part.length), part)]))
  }
  return writes
}

/** Makes an account of the loader; lamports that somebody has sent there before count towards its rent. */
async function makingOf(network: SvmNetwork, payer: PublicKey, made: PublicKey, space: number): Promise<TransactionInstruction[]> {
  const lamports = await ask(network, (connection) => connection.getMinimumBalanceForRentExemption(space))
  const [held] = await readAccounts(network, [made])
  if (!held) return [SystemProgram.createAccount({ fromPubkey: payer, newAccountPubkey: made, space, programId: LOADER, lamports })]
  const missing = lamports - held.lamports
  return [
    ...(missing > 0 ? [SystemProgram.transfer({ fromPubkey: payer, toPubkey: made, lamports: missing })] : []),
    SystemProgram.allocate({ accountPubkey: made, space }), SystemProgram.assign({ accountPubkey: made, programId: LOADER }),
  ]
}

function signedBy(payer: SvmKey, instructions: readonly TransactionInstruction[], ...signers: SvmKey[]): SignedBy {
  const draft = new TransactionDraft(payer.address)
  for (const each of instructions) assert(draft.add(each), 'a step of a deployment fits into a transaction')
  return { draft, signers: [payer, ...signers] }
}

const programData = (program: PublicKey): PublicKey => findProgramAddress([program.toBuffer()], LOADER).address
