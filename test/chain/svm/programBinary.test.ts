import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PublicKey } from '@solana/web3.js'
import { LiteSvm } from 'litesvm/dist/internal.js'
import { describe, expect, it } from 'vitest'
import {
  CONFIG_TAG, POSITION_TAG, TOKEN_PROGRAM, USDC_MINT, USER_TAG, VAULT_ERRORS, vaultRefusal, VaultInstruction,
} from '../../../src/chain/svm/layout.ts'
import { buildProgram, COMPILER, COMPILER_VERSION, PROGRAM_FOLDER, sha256Hex } from '../../../tools/vaultProgram/build.ts'
import { key, PROGRAM_FILE } from './programHarness.ts'

const source = (name: string): string => readFileSync(join(PROGRAM_FOLDER, name), 'utf8')
const binary = readFileSync(PROGRAM_FILE)

describe('the binary in the repository', () => {
  it('is the one of the written hash', () => {
    expect(source('vault.so.sha256')).toBe(`${sha256Hex(binary)}  vault.so\n`)
  })

  it.each(['BPFLoaderUpgradeab1e11111111111111111111111', 'BPFLoader2111111111111111111111111111111111'])('is loaded by %s', (loader) => {
    const svm = new LiteSvm()
    svm.addProgramWithLoader(key('program').toBytes(), binary, new PublicKey(loader).toBytes())
    expect(svm.getAccount(key('program').toBytes())!.executable()).toBe(true)
  })
})

const finalRefusal = (line: string): string => line.trim().split(/\s+/).at(-1)!

describe('the C sources and their names in TypeScript', () => {
  it('number the same errors', () => {
    const errors = Object.fromEntries([...source('errors.h').matchAll(/^ {2}([A-Z_]+) = (\d+),$/gm)].map(([, name, code]) =>
      [code, name!.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]))
    expect(errors).toEqual(VAULT_ERRORS)
    expect(vaultRefusal(152)).toEqual({ name: 'sequenceDone', done: true })
    expect(vaultRefusal(130)).toEqual({ name: 'positionEndedOtherwise', done: false })
    expect(vaultRefusal(1)).toBeNull()
  })

  it('number the same instructions', () => {
    const names = /enum InstructionTag \{([^}]+)\}/.exec(source('vault.c'))![1]!.split(',').map((name) => name.replace('= 0', '').trim())
    expect(names).toEqual([
      'INITIALIZE', 'CREATE_USER', 'SET_DELEGATION', 'DEPOSIT', 'WITHDRAW', 'OPEN_POSITION', 'SETTLE', 'BUYBACK', 'TRANSFER', 'COLLECT',
    ])
    expect(Object.values(VaultInstruction)).toEqual(names.map((_, i) => i))
  })

  it('mean the same mint, token program and tags', () => {
    const keyNamed = (name: string): PublicKey => {
      const body = new RegExp(`${name} = \\{\\{([^}]+)\\}\\}`).exec(source('token.h'))![1]!
      return new PublicKey(body.split(',').map((byte) => byte.trim()).filter((byte) => byte !== '').map(Number))
    }
    expect(keyNamed('USDC_MINT')).toEqual(USDC_MINT)
    expect(keyNamed('TOKEN_PROGRAM')).toEqual(TOKEN_PROGRAM)
    for (const [name, tag] of [['CONFIG', CONFIG_TAG], ['USER', USER_TAG], ['POSITION', POSITION_TAG]] as const) {
      const hex = finalRefusal(new RegExp(`#define ${name}_TAG.*`).exec(source('state.h'))![0]).replace('ull', '')
      expect(BigInt(hex)).toBe(tag.readBigUInt64LE(0))
    }
  })
})

/** Version of the compiler on this machine, or null. */
function compilerVersion(): string | null {
  try {
    return /version (\S+)/.exec(execFileSync(COMPILER, ['--version'], { encoding: 'utf8' }))?.[1] ?? null
  } catch {
    return null
  }
}

const version = compilerVersion()
const hasCompiler = version === COMPILER_VERSION
if (!hasCompiler) {
  console.warn(`NOT CHECKED: whether vault.so is what its sources compile to. It takes ${COMPILER} ${COMPILER_VERSION}; here is ${version ?? 'none'}.`)
}

describe.skipIf(!hasCompiler)(`the compiler${hasCompiler ? '' : ` (NOT CHECKED: no ${COMPILER} ${COMPILER_VERSION} here)`}`, () => {
  /** A copy of the sources with something exchanged. */
  function changed(from: string, to: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'vault-source-'))
    cpSync(PROGRAM_FOLDER, folder, { recursive: true })
    const text = readFileSync(join(folder, 'vault.c'), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(folder, 'vault.c'), text.replace(from, to))
    return folder
  }

  it('makes the binary of the repository from the sources, byte for byte, wherever they lie', () => {
    expect(sha256Hex(buildProgram(PROGRAM_FOLDER))).toBe(sha256Hex(binary))
    expect(buildProgram(changed('// The vault', '// A vault')).equals(binary)).toBe(true)
  })

  it('and the linker refuse what the virtual machine has not', () => {
    expect(() => buildProgram(changed('static u64 settle', 'u64 counter = 1;\nstatic u64 settle'))).toThrow('no writable data: .data')
    expect(() => buildProgram(changed('  attempt(expect(input, 5, sizeof(Order)));', '  extern u64 puts(void);\n  attempt(puts());')))
      .toThrow('puts is neither defined nor a syscall')
  })
})
