import { PublicKey, SYSVAR_CLOCK_PUBKEY, SYSVAR_RENT_PUBKEY, SystemProgram, TransactionInstruction, type AccountMeta } from '@solana/web3.js'
import type { SvmKey } from './keys.ts'
import { findProgramAddress } from './programAddress.ts'
import { TransactionDraft } from './transactionDraft.ts'
import { landAll, type SignedBy, type SvmNetwork } from './transactionWatch.ts'

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111')
const LoaderInstruction = { initializeBuffer: 0, write: 1, deployWithMaxDataLen: 2 } as const
/** Heads of the loader's accounts. */
const BUFFER_HEAD_BYTES = 37
const PROGRAM_ACCOUNT_BYTES = 36
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

/** Keys of a deployment: the payer can upgrade the program; the buffer's is needed no more afterwards. */
export interface Deployers {
  readonly payer: SvmKey
  readonly program: SvmKey
  readonly buffer: SvmKey
}

/** Deploys a program through the upgradeable loader, as `solana program deploy` does; throws an Error when that fails. */
export async function deployProgram(network: SvmNetwork, { payer, program, buffer }: Deployers, elf: Uint8Array): Promise<void> {
  const { connection } = network
  const signedBy = (instructions: readonly TransactionInstruction[], ...signers: SvmKey[]): SignedBy => {
    const draft = new TransactionDraft(payer.address)
    for (const each of instructions) draft.add(each)
    return { draft, signers: [payer, ...signers] }
  }
  const account = async (made: SvmKey, space: number): Promise<TransactionInstruction> => SystemProgram.createAccount({
    fromPubkey: payer.address, newAccountPubkey: made.address, space, programId: LOADER,
    lamports: await connection.getMinimumBalanceForRentExemption(space),
  })

  const begin = instruction([key(buffer.address, 'w'), key(payer.address)], LoaderInstruction.initializeBuffer)
  await landAll(network, [signedBy([await account(buffer, BUFFER_HEAD_BYTES + elf.length), begin], buffer)])

  const writes: SignedBy[] = []
  for (let at = 0; at < elf.length; at += WRITE_BYTES) {
    const part = elf.slice(at, at + WRITE_BYTES)
    const keys = [key(buffer.address, 'w'), key(payer.address, 's')]
    writes.push(signedBy([instruction(keys, LoaderInstruction.write, u32(at), u64(part.length), Buffer.from(part))]))
  }
  await landAll(network, writes)

  const { address: data } = findProgramAddress([program.address.toBuffer()], LOADER)
  const keys = [
    key(payer.address, 'sw'), key(data, 'w'), key(program.address, 'w'), key(buffer.address, 'w'), key(SYSVAR_RENT_PUBKEY),
    key(SYSVAR_CLOCK_PUBKEY), key(SystemProgram.programId), key(payer.address, 's'),
  ]
  const deploy = instruction(keys, LoaderInstruction.deployWithMaxDataLen, u64(elf.length))
  await landAll(network, [signedBy([await account(program, PROGRAM_ACCOUNT_BYTES), deploy], program)])
}
