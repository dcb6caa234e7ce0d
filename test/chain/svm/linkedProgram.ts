import { FILE_HEADER_BYTES, writeImage } from '../../../tools/vaultProgram/programImage.ts'

const SEGMENT_HEADER_BYTES = 56

/** A program of nothing but code that calls nothing. */
export function linkedProgram(code: Buffer): Buffer {
  const at = FILE_HEADER_BYTES + SEGMENT_HEADER_BYTES
  return writeImage(at, [{ type: 1, access: 5, at, length: code.length }], [
    { name: '.text', type: 1, flags: 6, at, bytes: code, link: 0, info: 0, alignment: 8, entryBytes: 0 },
  ])
}
