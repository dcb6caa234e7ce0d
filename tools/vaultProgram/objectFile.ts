import { assert } from '../../src/unit/assert.ts'

/** A piece of an object file that ends up in the program. */
export interface ObjectSection {
  readonly name: string
  readonly bytes: Buffer
  readonly alignment: number
  readonly relocations: readonly Relocation[]
}

/** A place in a section that has to hold the address of a symbol, or the distance to it. */
export interface Relocation {
  readonly offset: number
  readonly type: number
  readonly symbol: ObjectSymbol
}

export interface ObjectSymbol {
  readonly name: string
  /** Index into the sections, or −1 of a symbol that is not defined here: a syscall. */
  readonly section: number
  readonly value: number
}

/** Relocation types of the BPF ABI: a 64-bit immediate over two instructions, 64 bits of data, a call. */
export const RelocationType = { lddw: 1, data: 2, call: 10 } as const

const MAGIC_64_LITTLE = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
const RELOCATABLE = 1
const MACHINE_BPF = 247
const SHT_PROGBITS = 1
const SHT_SYMTAB = 2
const SHT_RELA = 4
const SHT_NOBITS = 8
const SHT_REL = 9
const SHF_WRITE = 1
const SHF_ALLOC = 2
const SYMBOL_BYTES = 24
const REL_BYTES = 16

interface Header {
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly link: number
  /** The section that relocations are about. */
  readonly info: number
  readonly alignment: number
  readonly bytes: Buffer
}

/** What clang leaves with `-c`: an ELF64 object for BPF. Throws on what a vault program cannot have, such as writable data. */
export function readObjectFile(file: Buffer): { readonly sections: readonly ObjectSection[]; readonly symbols: readonly ObjectSymbol[] } {
  assert(file.subarray(0, 7).equals(MAGIC_64_LITTLE), 'not a little-endian ELF64 file')
  assert(file.readUInt16LE(16) === RELOCATABLE && file.readUInt16LE(18) === MACHINE_BPF, 'not a relocatable object for BPF')
  const headers = readHeaders(file)
  for (const { name, type, flags } of headers) {
    assert(type !== SHT_RELA, `relocations with addends are not known: ${name}`)
    assert((flags & SHF_ALLOC) === 0 || ((flags & SHF_WRITE) === 0 && type !== SHT_NOBITS), `a program has no writable data: ${name}`)
  }

  const kept = headers.filter(({ type, flags }) => type === SHT_PROGBITS && (flags & SHF_ALLOC) !== 0)
  const symbols = readSymbols(headers, kept)
  const sections = kept.map((header) => ({
    name: header.name,
    bytes: header.bytes,
    alignment: header.alignment,
    relocations: headers
      .filter(({ type, info }) => type === SHT_REL && headers[info] === header)
      .flatMap(({ bytes }) => readRelocations(bytes, symbols)),
  }))
  return { sections, symbols }
}

function readHeaders(file: Buffer): Header[] {
  const offset = Number(file.readBigUInt64LE(40))
  const [size, count, namesAt] = [file.readUInt16LE(58), file.readUInt16LE(60), file.readUInt16LE(62)]
  const raw = Array.from({ length: count }, (_, i) => {
    const at = offset + i * size
    const start = Number(file.readBigUInt64LE(at + 24))
    const type = file.readUInt32LE(at + 4)
    return {
      nameAt: file.readUInt32LE(at),
      type,
      flags: Number(file.readBigUInt64LE(at + 8)),
      bytes: type === SHT_NOBITS ? Buffer.alloc(0) : file.subarray(start, start + Number(file.readBigUInt64LE(at + 32))),
      link: file.readUInt32LE(at + 40),
      info: file.readUInt32LE(at + 44),
      alignment: Number(file.readBigUInt64LE(at + 48)),
    }
  })
  const names = raw[namesAt]!.bytes
  return raw.map(({ nameAt, ...header }) => ({ ...header, name: textAt(names, nameAt) }))
}

function readSymbols(headers: readonly Header[], kept: readonly Header[]): ObjectSymbol[] {
  const table = headers.find(({ type }) => type === SHT_SYMTAB)
  assert(table !== undefined, 'an object file has symbols')
  const names = headers[table.link]!.bytes
  return Array.from({ length: table.bytes.length / SYMBOL_BYTES }, (_, i) => {
    const symbol = table.bytes.subarray(i * SYMBOL_BYTES)
    const section = headers[symbol.readUInt16LE(6)]
    return {
      name: textAt(names, symbol.readUInt32LE(0)),
      section: section === undefined ? -1 : kept.indexOf(section),
      value: Number(symbol.readBigUInt64LE(8)),
    }
  })
}

function readRelocations(bytes: Buffer, symbols: readonly ObjectSymbol[]): Relocation[] {
  return Array.from({ length: bytes.length / REL_BYTES }, (_, i) => ({
    offset: Number(bytes.readBigUInt64LE(i * REL_BYTES)),
    type: bytes.readUInt32LE(i * REL_BYTES + 8),
    symbol: symbols[bytes.readUInt32LE(i * REL_BYTES + 12)]!,
  }))
}

const textAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, bytes.indexOf(0, at))
