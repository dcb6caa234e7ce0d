import { accessSync, constants, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, isAbsolute, join } from 'node:path'
import type { PublicKey } from '@solana/web3.js'
import { InputError } from '../../unit/inputError.ts'
import { ChainProcess, freePort } from '../chainProcess.ts'
import { writeAccounts, type GenesisAccount } from './genesisAccounts.ts'

export const TEST_VALIDATOR = 'solana-test-validator'

/** A validator that is ready two seconds after its start, on a machine that other programs load too. */
const START_LIMIT_MS = 90_000
const POLL_MS = 50
const PROBE_LIMIT_MS = 1_000
/** A slot of 50 ms instead of 400: a tick is 6.25 ms. */
const TICKS_PER_SLOT = 8
/** RPC, its WebSocket on the next port, and the faucet. */
const NAMED_PORTS = 3
/** Ports for the validator's other sockets, of which it wants 25 at least. */
const RANGE_PORTS = 100
const PORT_MAX = 65_535

export interface TestValidatorOptions {
  /** Gets the SOL of the genesis. */
  readonly sponsor: PublicKey
  /** The program that stands at an address, for good. */
  readonly program: { readonly address: PublicKey; readonly file: string }
  readonly accounts: readonly GenesisAccount[]
  /** How long it may take to answer. */
  readonly startLimitMs?: number
}

/** Where an executable file of this name is in an absolute folder of a search path (that of this process), or null. */
export function executableOnPath(name: string, path = process.env['PATH'] ?? ''): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    if (isAbsolute(folder) && isExecutable(file)) return file
  }
  return null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** A Solana validator of our own. */
export interface TestValidator {
  readonly url: string
  readonly process: ChainProcess
}

/**
 * Starts the `solana-test-validator` on PATH, with these accounts and the program in its genesis, in a temporary folder and on free ports.
 * It ends with this process, whatever ends that. Throws InputError when it is not there or does not start.
 */
export async function startTestValidator({ sponsor, program, accounts, startLimitMs = START_LIMIT_MS }: TestValidatorOptions): Promise<TestValidator> {
  const binary = executableOnPath(TEST_VALIDATOR)
  if (binary === null) {
    throw new InputError(`there is no ${TEST_VALIDATOR} on PATH`, {
      hint: 'docs/chain-svm.md says how it is built; without chain.start the chain runs inside the process',
    })
  }
  const port = await firstOfFreePorts()
  const url = `http://127.0.0.1:${port}`
  const validator = await ChainProcess.start({
    name: TEST_VALIDATOR, pollMs: POLL_MS, startLimitMs, isReadyIn: () => isHealthy(url),
    hint: `does ${binary} --version run? Without chain.start the chain runs inside the process`,
    // With --log it writes to standard error, where only what goes wrong is worth its time.
    environment: { RUST_LOG: 'error' },
    commandIn: (folder) => {
      const [ledger, genesis] = [join(folder, 'ledger'), join(folder, 'accounts')]
      writeAccounts(genesis, accounts)
      return [binary, ...validatorArguments({ ledger, genesis, port, sponsor, program })]
    },
  })
  return { url, process: validator }
}

interface Places extends Pick<TestValidatorOptions, 'sponsor' | 'program'> {
  /** A folder that is not there, and one with account files. */
  readonly ledger: string
  readonly genesis: string
  /** The first of its ports. */
  readonly port: number
}

const validatorArguments = ({ ledger, genesis, port, sponsor, program }: Places): string[] => [
  '--ledger', ledger, '--account-dir', genesis, '--mint', sponsor.toBase58(), '--bpf-program', program.address.toBase58(), program.file,
  '--rpc-port', String(port), '--faucet-port', String(port + 2),
  '--gossip-port', '0', '--dynamic-port-range', `${port + NAMED_PORTS}-${port + NAMED_PORTS + RANGE_PORTS}`,
  '--ticks-per-slot', String(TICKS_PER_SLOT), '--log',
]

/** A free port, those after it free too where the validator takes none but them, and room for a range. */
async function firstOfFreePorts(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port + NAMED_PORTS + RANGE_PORTS > PORT_MAX) continue
    const areFree = await Promise.all(Array.from({ length: NAMED_PORTS }, (_, i) => isFree(port + i)))
    if (areFree.every(Boolean)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => { resolve(false) })
    server.listen(port, () => { server.close(() => { resolve(true) }) })
  })

async function isHealthy(url: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' })
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal: AbortSignal.timeout(PROBE_LIMIT_MS) })
    return (await response.json() as { result?: unknown }).result === 'ok'
  } catch {
    return false
  }
}
