import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { CompressionType, compressionRegistry } from 'apache-arrow'
import { asOwnWork } from '../unit/ownWork.ts'

/** How the bodies of record batches are compressed: as the format names it. */
export const ZSTD = CompressionType.ZSTD

/** More than a record batch of ours has in one column. There is no room made for a damaged or malicious body that has more. */
const MOST_BYTES = 2 ** 31 - 1
const ALIGNMENT = 8
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 2 }

export const compressed = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => asOwnWork(() => zstdCompressSync(bytes, { params: PARAMS }))

function decompressed(bytes: Uint8Array): Uint8Array {
  const found = asOwnWork(() => zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES }))
  // arrow-js makes views of words of it.
  return found.byteOffset % ALIGNMENT === 0 ? found : found.slice()
}

let isKnown = false

/** Teaches arrow-js to write and to read bodies that are compressed by ZSTD. It tries what it is taught, also where nothing is written. */
export function knowCompression(): void {
  if (isKnown) return
  compressionRegistry.set(ZSTD, { encode: compressed, decode: decompressed })
  isKnown = true
}
