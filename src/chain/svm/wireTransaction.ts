import { toBase58 } from './base58.ts'

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** What stands in the bytes of a signed legacy transaction besides its instructions. */
export interface WireTransaction {
  /** The transaction's first signature, in base 58. */
  readonly id: string
  /** 32 bytes. */
  readonly blockhash: Buffer
  /** Keys that it may change, 32 bytes each. */
  readonly writable: readonly Buffer[]
}

/** Throws an Error when the bytes are no legacy transaction. */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { signatures, keysAt, keys, signers, readonlySigners, readonlyOthers } = readHead(buffer)
  const writable: Buffer[] = []
  for (let k = 0; k < keys; k++) {
    const isWritable = k < signers ? k < signers - readonlySigners : k < keys - readonlyOthers
    if (isWritable) writable.push(buffer.subarray(keysAt + k * KEY_BYTES, keysAt + (k + 1) * KEY_BYTES))
  }
  const blockhashAt = keysAt + keys * KEY_BYTES
  if (signatures < 1 || blockhashAt + KEY_BYTES > buffer.length) throw new Error('the bytes end within the transaction')
  return {
    id: transactionId(buffer),
    blockhash: buffer.subarray(blockhashAt, blockhashAt + KEY_BYTES),
    writable,
  }
}

/** The first signature of a transaction's bytes, in base 58. */
export const transactionId = (bytes: Uint8Array): string => toBase58(bytes.subarray(1, 1 + SIGNATURE_BYTES))

function readHead(buffer: Buffer) {
  const signatures = buffer.readUInt8(0)
  const messageAt = 1 + signatures * SIGNATURE_BYTES
  const signers = buffer.readUInt8(messageAt)
  if (signatures > 0x7f || signers > 0x7f) throw new Error('only legacy transactions are read')
  const keys = buffer.readUInt8(messageAt + 3)
  return {
    signatures, keysAt: messageAt + 4, keys, signers,
    readonlySigners: buffer.readUInt8(messageAt + 1), readonlyOthers: buffer.readUInt8(messageAt + 2),
  }
}
