import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LeasedFolder } from '../../result/leasedFolder.ts'
import { InputError } from '../../unit/inputError.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'

const BINARY = '@foundry-rs/anvil-linux-amd64/bin/anvil'
const START_LIMIT_MS = 30_000
const POLL_MS = 5
const ERROR_CHARS = 2000

/**
 * Runs as long as its standard input is open. That is a pipe from this process, which closes when the process ends in any way. Then the
 * chain is killed and its folder removed. A handler of this process could not do that after a SIGKILL.
 */
const WATCH = `
exec 3<&0
folder=$1; shift
"$@" </dev/null 3<&- & chain=$!
(cat <&3 >/dev/null; kill -9 $chain) 2>/dev/null & watch=$!
wait $chain 2>/dev/null; code=$?
rm -rf "$folder"
kill $watch 2>/dev/null
exit $code`

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

/** Path of the bundled anvil, or null where there is none for this platform. */
export function anvilPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve(BINARY)
  } catch {
    return null
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
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

/** Waits until the chain answers at its socket; throws InputError with what it wrote when it ends before. */
async function untilReady(child: ChildProcess, ipcPath: string): Promise<void> {
  let said = ''
  child.stderr!.on('data', (bytes: Buffer) => { said = (said + bytes.toString()).slice(-ERROR_CHARS) })
  for (let waitedMs = 0; !await accepts(ipcPath); waitedMs += POLL_MS) {
    if (child.exitCode !== null || child.signalCode !== null || waitedMs > START_LIMIT_MS) {
      throw new InputError(`anvil did not start: ${said.trim() || 'it said nothing'}`, { hint: 'give the URL of a running chain' })
    }
    await sleep(POLL_MS)
  }
}

/**
 * Starts the bundled anvil with chain id 999 in a temporary folder. It ends with this process, whatever ends that.
 * Throws InputError when it is not installed or does not start.
 */
export async function startAnvil({ genesisS, http = false, automine = false, limitsBlocks = false }: AnvilOptions): Promise<Anvil> {
  const binary = anvilPath()
  if (binary === null) {
    throw new InputError(`there is no local EVM chain for ${process.platform}-${process.arch}: @foundry-rs/anvil-linux-amd64 is not installed`, {
      hint: 'npm ci installs it on linux-x64; elsewhere start a chain with id 999 and give its URL',
    })
  }
  // The folder of a chain whose watch was killed as well, as with a container, goes when the lease in it is stale.
  const room = new LeasedFolder(tmpdir(), 'parlor-anvil-')
  room.make()
  const folder = room.path
  const ipcPath = join(folder, 'ipc')
  const port = http ? await freePort() : 0
  const child = spawn('/bin/sh', ['-c', WATCH, 'parlor-anvil', folder, binary,
    '--chain-id', String(CHAIN_ID), '--timestamp', String(genesisS), '--ipc', ipcPath, '--port', String(port), '--cache-path', folder,
    ...(automine ? [] : ['--no-mining']), '--order', 'fifo', '--accounts', '0',
    ...(limitsBlocks ? [] : ['--disable-block-gas-limit']), '--quiet',
    // Without this a state for every block since the start is kept: 360 MB instead of 60 after 300 blocks with 2,400 positions.
    '--prune-history',
  ], { stdio: ['pipe', 'ignore', 'pipe'], detached: true })
  const ended = new Promise<void>((resolve) => { child.once('close', () => resolve()) })
  const close = async (): Promise<void> => {
    child.stdin!.end()
    await ended
    room.remove()
  }
  try {
    await untilReady(child, ipcPath)
  } catch (error) {
    await close()
    throw error
  }
  return { ipcPath, httpUrl: http ? `http://127.0.0.1:${port}` : null, ended, close }
}
