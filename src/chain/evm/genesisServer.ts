import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`
const quantity = (value: number): string => `0x${value.toString(16)}`

const ZERO = word(0)
const NOBODY = `0x${'0'.repeat(40)}`
const BLOCK_GAS = 30_000_000
const BASE_FEE_WEI = 1_000_000_000
/** keccak256 of the RLP of an empty list. */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const BLOOM = `0x${'0'.repeat(512)}`

interface Request {
  readonly id: unknown
  readonly method: string
}

/** A chain of one block, from which an anvil goes on. */
export interface GenesisServer {
  readonly url: string
  close(): void
}

/**
 * Serves a chain with id 999 that has one block and no account, on a free port of this machine. An anvil that begins by itself computes the root of
 * all of its state for each block, which was two thirds of its time in a session. One that goes on from another chain computes none: it could not
 * know all of the state. It asks here once for each address, and never for what contracts of its own store.
 */
export async function serveGenesis(genesisS: number): Promise<GenesisServer> {
  const answers = answersOf(genesisS)
  const answer = ({ id, method }: Request): object =>
    (answers.has(method) ? { jsonrpc: '2.0', id, result: answers.get(method) } : { jsonrpc: '2.0', id, error: { code: -32601, message: `no method ${method}` } })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= REQUEST_BYTES_MAX) chunks.push(chunk)
    })
    request.on('end', () => {
      const asked = bytes <= REQUEST_BYTES_MAX ? requestsIn(Buffer.concat(chunks).toString('utf8')) : null
      response.writeHead(asked === null ? 400 : 200, { 'content-type': 'application/json' })
      response.end(asked === null ? '' : JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked as Request)))
    })
  })
  // Neither it nor a connection keeps a process that is done.
  server.on('connection', (socket) => { socket.unref() })
  await listening(server)
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** What anvil asks is far smaller. */
const REQUEST_BYTES_MAX = 1 << 20

/** Null for what is no request: other programs of this machine may knock at the port. */
function requestsIn(text: string): Request | readonly Request[] | null {
  try {
    const asked: unknown = JSON.parse(text)
    const isRequest = (one: unknown): boolean => typeof one === 'object' && one !== null && typeof (one as Partial<Request>).method === 'string'
    return (Array.isArray(asked) ? asked.every(isRequest) : isRequest(asked)) ? asked as Request | readonly Request[] : null
  } catch {
    return null
  }
}

const listening = (server: Server): Promise<void> => new Promise((resolve, reject) => {
  server.once('error', reject)
  server.listen(0, '127.0.0.1', resolve)
})

/** What is answered to each method, whatever it asks for. */
function answersOf(genesisS: number): ReadonlyMap<string, unknown> {
  const block = {
    number: quantity(0), hash: word(1), parentHash: ZERO, sha3Uncles: NO_UNCLES, miner: NOBODY, stateRoot: ZERO, transactionsRoot: ZERO, receiptsRoot: ZERO, logsBloom: BLOOM,
    difficulty: quantity(0), gasLimit: quantity(BLOCK_GAS), gasUsed: quantity(0), timestamp: quantity(genesisS), extraData: '0x', mixHash: ZERO, nonce: '0x0000000000000000',
    baseFeePerGas: quantity(BASE_FEE_WEI), withdrawalsRoot: ZERO, blobGasUsed: quantity(0), excessBlobGas: quantity(0), parentBeaconBlockRoot: ZERO,
    size: quantity(512), uncles: [], transactions: [], withdrawals: [],
  }
  return new Map<string, unknown>([
    ['eth_chainId', quantity(CHAIN_ID)], ['net_version', String(CHAIN_ID)], ['eth_blockNumber', quantity(0)], ['eth_gasPrice', quantity(BASE_FEE_WEI)],
    ['eth_getBlockByNumber', block], ['eth_getBlockByHash', block],
    // Of addresses that the chain has never met.
    ['eth_getBalance', quantity(0)], ['eth_getTransactionCount', quantity(0)], ['eth_getCode', '0x'], ['eth_getStorageAt', ZERO],
    // Of transactions that it does not have.
    ['eth_getTransactionByHash', null], ['eth_getTransactionReceipt', null], ['debug_traceTransaction', null],
  ])
}
