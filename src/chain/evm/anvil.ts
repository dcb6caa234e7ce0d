import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { InputError } from '../../unit/inputError.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { ChainProcess, freePort } from '../chainProcess.ts'
import { checkParts } from '../../parts/parts.ts'
import { anvilPackage } from './anvilPackage.ts'
import { serveGenesis } from './genesisServer.ts'

const START_LIMIT_MS = 30_000
const POLL_MS = 5

/** A chain of our own that runs beside this process. */
export interface Anvil {
  /** Socket of the JSON-RPC server. */
  readonly ipcPath: string
  /** Address of the JSON-RPC server over HTTP; null unless asked for. */
  readonly httpUrl: string | null
  /** Resolves when the chain has ended, however it did. */
  readonly ended: Promise<void>
  /** Ends the chain. Resolves when it has ended. */
  close(): Promise<void>
}

export interface AnvilOptions {
  /** Unix time of the genesis block, whole seconds. */
  readonly genesisS: number
  /** Serve over HTTP too, on a free port. */
  readonly http?: boolean
  /** Whether each transaction makes a block at once. Otherwise blocks are made on demand. */
  readonly automine?: boolean
  /** Whether blocks have a network's gas limit. Otherwise they have none. */
  readonly limitsBlocks?: boolean
}

/** Path of the anvil that is installed for this platform, or null where there is none. */
export function anvilPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve(`${anvilPackage()}/bin/anvil${process.platform === 'win32' ? '.exe' : ''}`)
  } catch {
    return null
  }
}

const accepts = (ipcPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(ipcPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/**
 * Starts the installed anvil with chain id 999 in a temporary folder. It ends with this process, whatever ends that.
 * Throws InputError when it is not installed or does not start.
 */
export async function startAnvil({ genesisS, http = false, automine = false, limitsBlocks = false }: AnvilOptions): Promise<Anvil> {
  const needed = anvilPackage()
  if (needed === null) {
    throw new InputError(`there is no local EVM chain for ${process.platform}-${process.arch}`, { hint: 'start a chain with id 999 elsewhere and give its URL (chain.rpc.evm)' })
  }
  const binary = anvilPath()
  if (binary === null) checkParts('a local EVM chain', [needed], () => false)
  const port = http ? await freePort() : 0
  const socketIn = (folder: string): string => join(folder, 'ipc')
  const genesis = await serveGenesis(genesisS)
  const anvil = await ChainProcess.start({
    // What it goes on from is on this machine, and behind no proxy.
    environment: { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    name: 'anvil', pollMs: POLL_MS, startLimitMs: START_LIMIT_MS, hint: 'give the URL of a running chain', isReadyIn: (folder) => accepts(socketIn(folder)),
    commandIn: (folder) => [
      binary!, '--chain-id', String(CHAIN_ID), '--timestamp', String(genesisS), '--ipc', socketIn(folder), '--port', String(port), '--cache-path', folder,
      ...(automine ? [] : ['--no-mining']), '--order', 'fifo', '--accounts', '0',
      ...(limitsBlocks ? [] : ['--disable-block-gas-limit']), '--quiet',
      // Without this a state for every block since the start is kept: 360 MB instead of 60 after 300 blocks with 2,400 positions.
      '--prune-history',
      '--fork-url', genesis.url, '--fork-block-number', '0', '--no-storage-caching',
    ],
  }).catch((error: unknown) => {
    genesis.close()
    throw error
  })
  void anvil.ended.then(() => { genesis.close() })
  return { ipcPath: socketIn(anvil.folder), httpUrl: http ? `http://127.0.0.1:${port}` : null, ended: anvil.ended, close: () => anvil.close() }
}
