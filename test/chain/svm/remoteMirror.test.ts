import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configAddress } from '../../../src/chain/svm/instructions.ts'
import { tokenAccount, tokenAddress } from '../../../src/chain/svm/splToken.ts'
import { openSvmChain } from '../../../src/chain/svm/svmChain.ts'
import { drawsOf } from '../../draws.ts'
import { walk } from '../mirror/mirrorWalk.ts'
import { mirrorOf } from '../mirror/parlayMirror.ts'
import { complaint, RemoteStage, USDC } from './remoteStage.ts'
import { serveRpc, type RpcServer } from './rpcServer.ts'

const SEED = 'mirrored by url'
/** The accounts of the walk. */
const ACCOUNTS = [10, 11, 20, 21, 22]

let stage: RemoteStage
let server: RpcServer
let requests = 0
let failing = 0

beforeEach(async () => {
  stage = new RemoteStage(SEED)
  stage.makeEmpty()
  // Nobody knows beforehand what a session will need.
  for (const account of ACCOUNTS) stage.fund(account, 1_000_000 * USDC)
  requests = failing = 0
  server = await serveRpc((request) => {
    if (++requests % failing !== 0) return stage.validator.answer(request)
    return JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(request) as { id: string }).id, error: { code: -32005, message: 'Node is behind' } })
  })
})

afterEach(() => server.close())

/** A session from its deposits to its last wallet, on the validator; how many of its positions were settled, bought back or transferred. */
async function mirrored(): Promise<number> {
  const chain = await openSvmChain({ seed: SEED, rpcUrl: server.url, patienceMs: 0, profitFeeOnTransfer: true })
  const sink = mirrorOf(chain)
  walk((batch) => { sink.flush(batch) }, drawsOf(7), 100, { hasSelfFills: false })
  sink.finish()
  await sink.settled()
  const { won, lost, void: voided, boughtBack, transferred } = sink.summary().positions
  return won + lost + voided + boughtBack + transferred
}

describe('a session that is mirrored to a validator by URL', () => {
  it('comes to the ledger from wallets that hold more than it needs, and beside tokens that a stranger has sent', async () => {
    const config = configAddress(stage.keys.program.address)
    stage.validator.setAccount(tokenAddress(config), tokenAccount(config, 1n, 2_039_280n))
    expect(await mirrored()).toBeGreaterThan(5)
  })

  it('comes to the ledger though every 20th request is refused', async () => {
    failing = 20
    expect(await mirrored()).toBeGreaterThan(5)
  })

  it('is not played there twice', async () => {
    await mirrored()
    expect(await complaint(mirrored())).toContain('has settled before')
  })
})
