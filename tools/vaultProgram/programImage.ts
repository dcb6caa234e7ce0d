/** A section of the finished program. */
export interface ImageSection {
  readonly name: string
  readonly type: number
  readonly flags: number
  /** Offset in the file, and address. */
  readonly at: number
  readonly bytes: Buffer
  readonly link: number
  readonly info: number
  readonly alignment: number
  readonly entryBytes: number
}

/** What the loader maps. */
export interface Segment {
  readonly type: number
  readonly access: number
  readonly at: number
  readonly length: number
}

export const FILE_HEADER_BYTES = 64
const SEGMENT_BYTES = 56
const SECTION_BYTES = 64
const SHARED_OBJECT = 3
const MACHINE_BPF = 247
const STRING_TABLE = 3

/** Writes an ELF64 shared object: file header, segments, sections at their offsets, section names, section headers. */
export function writeImage(entry: number, segments: readonly Segment[], sections: readonly ImageSection[]): Buffer {
  const names = Buffer.from(['', ...sections.map(({ name }) => name), '.shstrtab', ''].join('\0'), 'latin1')
  const nameAt = (name: string): number => names.indexOf(`\0${name}\0`) + 1
  const last = sections.at(-1)!
  const namesAt = last.at + last.bytes.length
  const headersAt = Math.ceil((namesAt + names.length) / 8) * 8
  const headerCount = sections.length + 2
  const file = Buffer.alloc(headersAt + headerCount * SECTION_BYTES)

  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file)
  file.writeUInt16LE(SHARED_OBJECT, 16)
  file.writeUInt16LE(MACHINE_BPF, 18)
  file.writeUInt32LE(1, 20)
  file.writeBigUInt64LE(BigInt(entry), 24)
  file.writeBigUInt64LE(BigInt(FILE_HEADER_BYTES), 32)
  file.writeBigUInt64LE(BigInt(headersAt), 40)
  for (const [value, at] of [
    [FILE_HEADER_BYTES, 52], [SEGMENT_BYTES, 54], [segments.length, 56], [SECTION_BYTES, 58], [headerCount, 60], [headerCount - 1, 62],
  ] as const) file.writeUInt16LE(value, at)

  segments.forEach((segment, i) => writeSegment(file, FILE_HEADER_BYTES + i * SEGMENT_BYTES, segment))
  sections.forEach((section, i) => {
    section.bytes.copy(file, section.at)
    writeSection(file, headersAt + (i + 1) * SECTION_BYTES, nameAt(section.name), section)
  })
  names.copy(file, namesAt)
  writeSection(file, headersAt + (headerCount - 1) * SECTION_BYTES, nameAt('.shstrtab'), {
    name: '.shstrtab', type: STRING_TABLE, flags: 0, at: namesAt, bytes: names, link: 0, info: 0, alignment: 1, entryBytes: 0,
  }, 0)
  return file
}

function writeSegment(file: Buffer, at: number, segment: Segment): void {
  file.writeUInt32LE(segment.type, at)
  file.writeUInt32LE(segment.access, at + 4)
  const [offset, length] = [BigInt(segment.at), BigInt(segment.length)]
  for (const [i, value] of [offset, offset, offset, length, length, 8n].entries()) file.writeBigUInt64LE(value, at + 8 + i * 8)
}

function writeSection(file: Buffer, at: number, nameAt: number, section: ImageSection, address = section.at): void {
  file.writeUInt32LE(nameAt, at)
  file.writeUInt32LE(section.type, at + 4)
  for (const [i, value] of [section.flags, address, section.at, section.bytes.length].entries()) {
    file.writeBigUInt64LE(BigInt(value), at + 8 + i * 8)
  }
  file.writeUInt32LE(section.link, at + 40)
  file.writeUInt32LE(section.info, at + 44)
  file.writeBigUInt64LE(BigInt(section.alignment), at + 48)
  file.writeBigUInt64LE(BigInt(section.entryBytes), at + 56)
}
