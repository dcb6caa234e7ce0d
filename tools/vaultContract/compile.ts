import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { assert } from '../../src/unit/assert.ts'
import { isProgram } from '../bundle/isProgram.ts'

/** Sources, and what they compile to. */
const FOLDER = new URL('../../src/chain/evm/contract/', import.meta.url)

/** A compiled contract, as it lies beside its source in `src/chain/evm/contract`. Equal sources give equal artifacts, because the compiler is a package. */
export interface Artifact {
  readonly contract: string
  readonly compiler: string
  readonly settings: typeof SETTINGS
  /** SHA-256 of the standard input that the compiler is given: sources and settings. */
  readonly sourceHash: string
  readonly abi: readonly unknown[]
  /** Hex of the code that deploys; constructor arguments follow it. */
  readonly bytecode: string
}

/** Cancun is what chain 999 runs. There is no metadata hash, so that a comment changes no byte. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const

/** Contracts that are deployed, and the files that each consists of. */
const CONTRACTS = {
  Vault: ['Vault.sol', 'Positions.sol', 'Accounts.sol', 'Terms.sol', 'Token.sol'],
  TestUsdc: ['TestUsdc.sol'],
} as const
export type ContractName = keyof typeof CONTRACTS
export const CONTRACT_NAMES = Object.keys(CONTRACTS) as ContractName[]

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly errorCode: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>>>
}

interface Compiler {
  version(): string
  compile(input: string): string
}

/** Compiles the contract of the first file, which imports the others by name. Throws Bug with the compiler's words on any warning. */
export function compile(contract: string, files: readonly URL[]): Artifact {
  const solc = createRequire(import.meta.url)('solc') as Compiler
  const sources = Object.fromEntries(files.map((file) => [basename(file.pathname), { content: readFileSync(file, 'utf8') }]))
  const outputSelection = { '*': { [contract]: ['abi', 'evm.bytecode.object'] } }
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { ...SETTINGS, outputSelection } })
  const { errors = [], contracts = {} } = JSON.parse(solc.compile(input)) as CompilerOutput
  const objections = errors.filter(({ errorCode }) => errorCode !== TRANSIENT_STORAGE_NOTE)
  assert(objections.length === 0, objections.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const { abi, evm } = contracts[basename(files[0]!.pathname)]![contract]!
  return {
    contract,
    compiler: solc.version(),
    settings: SETTINGS,
    sourceHash: createHash('sha256').update(input).digest('hex'),
    abi,
    bytecode: `0x${evm.bytecode.object}`,
  }
}

/** The compiler's one warning: transient storage must be cleared for a contract to be composable. The guard clears it. */
const TRANSIENT_STORAGE_NOTE = '2394'

export const compileNamed = (name: ContractName): Artifact => compile(name, CONTRACTS[name].map(sourceUrl))

export const sourceUrl = (file: string): URL => new URL(file, FOLDER)

/** Where the artifact of a contract lies. */
export const artifactUrl = (name: string): URL => new URL(`${name}.json`, FOLDER)

export const artifactText = (artifact: Artifact): string => `${JSON.stringify(artifact, null, 1)}\n`

if (isProgram(import.meta.url)) {
  for (const name of CONTRACT_NAMES) {
    const artifact = compileNamed(name)
    writeFileSync(artifactUrl(name), artifactText(artifact))
    console.log(`${name}: ${(artifact.bytecode.length - 2) / 2} bytes, compiled by solc ${artifact.compiler}`)
  }
}
