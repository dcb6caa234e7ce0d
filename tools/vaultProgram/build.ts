import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkProgram } from './link.ts'
import { isProgram } from '../bundle/isProgram.ts'

/** `vault.c`, what it includes, and what it compiles to. */
export const PROGRAM_FOLDER = fileURLToPath(new URL('../../src/chain/svm/program/', import.meta.url))

/** The version in Debian. Another version gives other bytes. */
export const COMPILER = 'clang-19'
export const COMPILER_VERSION = '19.1.7'
const FLAGS = [
  '-target', 'bpf', '-mcpu=v2', '-O2', '-std=c17', '-Wall', '-Wextra', '-Werror', '-ffreestanding', '-fno-builtin', '-fno-strict-aliasing',
  '-fno-jump-tables', '-fno-unwind-tables', '-mllvm', '-bpf-stack-size=4096',
]

/** Compiles and links the `vault.c` of a folder, with flags besides those of the binary in the repository. */
export function buildProgram(folder: string, flags: readonly string[] = []): Buffer {
  const scratch = mkdtempSync(join(tmpdir(), 'vault-program-'))
  try {
    const object = join(scratch, 'vault.o')
    execFileSync(COMPILER, [...FLAGS, ...flags, '-c', 'vault.c', '-o', object], { cwd: folder })
    return linkProgram(readFileSync(object))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

if (isProgram(import.meta.url)) {
  const program = buildProgram(PROGRAM_FOLDER)
  writeFileSync(join(PROGRAM_FOLDER, 'vault.so'), program)
  writeFileSync(join(PROGRAM_FOLDER, 'vault.so.sha256'), `${sha256Hex(program)}  vault.so\n`)
  process.stdout.write(`vault.so: ${program.length} bytes, SHA-256 ${sha256Hex(program)}\n`)
}
