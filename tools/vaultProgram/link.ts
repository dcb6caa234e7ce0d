import { assert } from '../../src/unit/assert.ts'
import { type ObjectSection, type ObjectSymbol, readObjectFile, type Relocation, RelocationType } from './objectFile.ts'
import { FILE_HEADER_BYTES, type ImageSection, type Segment, writeImage } from './programImage.ts'

/** Where the virtual machine maps the file: an address in the program is this plus the offset in the file. */
const PROGRAM_ADDRESS = 2n ** 32n
const INSTRUCTION_BYTES = 8
const SYMBOL_BYTES = 24
const REL_BYTES = 16
const CALL_LOCAL_REGISTER = 1 << 4
/** ELF numbers of sections, of symbols and of the dynamic table. */
const SectionType = { progbits: 1, strtab: 3, dynamic: 6, rel: 9, dynsym: 11 } as const
const GLOBAL_NOTYPE = 0x10
const DynamicTag = { none: 0, strtab: 5, symtab: 6, strsz: 10, syment: 11, rel: 17, relsz: 18, relent: 19, textrel: 22 } as const
const SegmentType = { load: 1, dynamic: 2 } as const
const Access = { x: 1, r: 4 } as const
const Flag = { alloc: 2, execute: 4 } as const
const SEGMENTS = 3

/** A section of the object with its offset in the program. */
interface Placed extends ObjectSection {
  readonly at: number
}

/** A syscall in the code: the loader puts the hash of its name there. */
interface SyscallSite {
  readonly offset: number
  readonly name: string
}

/**
 * Links one object file of clang's BPF target into a program that the Solana virtual machine loads (SBF version 0): code and constants are
 * at the addresses that they have in the file, and syscalls go by name. The same object gives the same bytes.
 */
export function linkProgram(object: Buffer, entry = 'entrypoint'): Buffer {
  const { sections, symbols } = readObjectFile(object)
  const entrySymbol = symbols.find(({ name }) => name === entry)
  assert(entrySymbol !== undefined && entrySymbol.section >= 0, `no function ${entry}`)
  const { placed, order } = place(sections)
  const syscalls = placed.flatMap((section) => section.relocations.flatMap((relocation) => relocate(placed, section, relocation)))
  const text = placed.find(({ name }) => name === '.text')!
  const constants = order.filter((section) => section !== text)

  const out: ImageSection[] = [section('.text', SectionType.progbits, text.at, text.bytes, Flag.alloc | Flag.execute)]
  let end = text.at + text.bytes.length
  if (constants.length > 0) {
    const bytes = joined(constants)
    out.push(section('.rodata', SectionType.progbits, constants[0]!.at, bytes, Flag.alloc))
    end = constants[0]!.at + bytes.length
  }
  const dynamicAt = aligned(end, 8)
  const tables = dynamicTables(dynamicAt, out.length + 1, syscalls)
  const segments: Segment[] = [
    { type: SegmentType.load, access: Access.r | Access.x, at: text.at, length: end - text.at },
    { type: SegmentType.load, access: Access.r, at: dynamicAt, length: tables.end - dynamicAt },
    { type: SegmentType.dynamic, access: Access.r, at: dynamicAt, length: tables.sections[0]!.bytes.length },
  ]
  return writeImage(addressOf(placed, entrySymbol), segments, [...out, ...tables.sections])
}

/** Code first, then constants, each at its alignment. */
function place(sections: readonly ObjectSection[]): { placed: Placed[]; order: Placed[] } {
  const unknown = sections.find(({ name }) => name !== '.text' && !name.startsWith('.rodata'))
  assert(unknown === undefined, `a program has code and constants only: ${unknown?.name}`)
  const indices = sections.map((_, i) => i).sort((a, b) => Number(sections[b]!.name === '.text') - Number(sections[a]!.name === '.text') || a - b)
  let at = FILE_HEADER_BYTES + SEGMENTS * 56
  const placed: Placed[] = []
  for (const i of indices) {
    const { bytes, alignment } = sections[i]!
    at = aligned(at, Math.max(8, alignment))
    placed[i] = { ...sections[i]!, bytes: Buffer.from(bytes), at }
    at += bytes.length
  }
  return { placed, order: indices.map((i) => placed[i]!) }
}

/** Constants with the gaps between them. */
function joined(order: readonly Placed[]): Buffer {
  const start = order[0]!.at
  const last = order.at(-1)!
  const bytes = Buffer.alloc(last.at + last.bytes.length - start)
  for (const section of order) section.bytes.copy(bytes, section.at - start)
  return bytes
}

const addressOf = (placed: readonly Placed[], symbol: ObjectSymbol): number => placed[symbol.section]!.at + symbol.value

/** Writes what a relocation asks for. A call of something undefined is a syscall, which the loader fills in. */
function relocate(placed: readonly Placed[], inSection: Placed, { offset, type, symbol }: Relocation): SyscallSite[] {
  const { bytes, at } = inSection
  const isDefined = symbol.section >= 0
  if (type === RelocationType.call) {
    if (!isDefined) {
      assert(symbol.name.startsWith('sol_'), `${symbol.name} is neither defined nor a syscall`)
      bytes[offset + 1] = 0
      bytes.writeInt32LE(-1, offset + 4)
      return [{ offset: at + offset, name: symbol.name }]
    }
    // The immediate counts from the instruction that follows the symbol's, so that −1 is the symbol itself.
    const target = addressOf(placed, symbol) + (bytes.readInt32LE(offset + 4) + 1) * INSTRUCTION_BYTES
    bytes[offset + 1] = CALL_LOCAL_REGISTER
    bytes.writeInt32LE((target - (at + offset)) / INSTRUCTION_BYTES - 1, offset + 4)
    return []
  }
  assert(isDefined, `the address of ${symbol.name} is not known`)
  const address = PROGRAM_ADDRESS + BigInt(addressOf(placed, symbol))
  if (type === RelocationType.lddw) {
    const value = address + BigInt(bytes.readUInt32LE(offset + 4))
    bytes.writeUInt32LE(Number(value & 0xffffffffn), offset + 4)
    bytes.writeUInt32LE(Number(value >> 32n), offset + INSTRUCTION_BYTES + 4)
  } else {
    assert(type === RelocationType.data, `unknown relocation ${type}`)
    bytes.writeBigUInt64LE(address + bytes.readBigUInt64LE(offset), offset)
  }
  return []
}

/** The tables by which the loader finds syscalls: .dynamic, .dynsym, .dynstr, .rel.dyn, in this order from offset `at`. */
function dynamicTables(at: number, firstIndex: number, syscalls: readonly SyscallSite[]): { sections: ImageSection[]; end: number } {
  const names = [...new Set(syscalls.map(({ name }) => name))]
  const strings = Buffer.from(['', ...names, ''].join('\0'), 'latin1')
  const symbols = Buffer.alloc((names.length + 1) * SYMBOL_BYTES)
  names.forEach((name, i) => {
    symbols.writeUInt32LE(strings.indexOf(`\0${name}\0`) + 1, (i + 1) * SYMBOL_BYTES)
    symbols[(i + 1) * SYMBOL_BYTES + 4] = GLOBAL_NOTYPE
  })
  const relocations = Buffer.alloc(syscalls.length * REL_BYTES)
  syscalls.forEach(({ offset, name }, i) => {
    relocations.writeBigUInt64LE(BigInt(offset), i * REL_BYTES)
    relocations.writeUInt32LE(RelocationType.call, i * REL_BYTES + 8)
    relocations.writeUInt32LE(names.indexOf(name) + 1, i * REL_BYTES + 12)
  })

  const ENTRIES = 9
  const symbolsAt = at + ENTRIES * 16
  const stringsAt = symbolsAt + symbols.length
  const relocationsAt = aligned(stringsAt + strings.length, 8)
  const entries = [
    [DynamicTag.textrel, 0], [DynamicTag.rel, relocationsAt], [DynamicTag.relsz, relocations.length], [DynamicTag.relent, REL_BYTES],
    [DynamicTag.symtab, symbolsAt], [DynamicTag.syment, SYMBOL_BYTES], [DynamicTag.strtab, stringsAt], [DynamicTag.strsz, strings.length],
    [DynamicTag.none, 0],
  ] as const
  const dynamic = Buffer.alloc(ENTRIES * 16)
  entries.forEach(([tag, value], i) => {
    dynamic.writeBigUInt64LE(BigInt(tag), i * 16)
    dynamic.writeBigUInt64LE(BigInt(value), i * 16 + 8)
  })
  const [symbolsIndex, stringsIndex] = [firstIndex + 1, firstIndex + 2]
  const sections: ImageSection[] = [
    { ...section('.dynamic', SectionType.dynamic, at, dynamic, Flag.alloc), link: stringsIndex, entryBytes: 16 },
    { ...section('.dynsym', SectionType.dynsym, symbolsAt, symbols, Flag.alloc), link: stringsIndex, info: 1, entryBytes: SYMBOL_BYTES },
    { ...section('.dynstr', SectionType.strtab, stringsAt, strings, Flag.alloc), alignment: 1 },
    { ...section('.rel.dyn', SectionType.rel, relocationsAt, relocations, Flag.alloc), link: symbolsIndex, entryBytes: REL_BYTES },
  ]
  return { sections, end: relocationsAt + relocations.length }
}

const section = (name: string, type: number, at: number, bytes: Buffer, flags: number): ImageSection =>
  ({ name, type, at, bytes, flags, link: 0, info: 0, alignment: 8, entryBytes: 0 })

const aligned = (at: number, alignment: number): number => Math.ceil(at / alignment) * alignment
