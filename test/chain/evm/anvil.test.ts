import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startAnvil } from '../../../src/chain/evm/anvil.ts'
import { EvmRpc } from '../../../src/chain/evm/rpc.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'

const GENESIS_S = 1_750_291_200
// Tests of processes may take long on a busy machine.
const LONG_MS = 300_000

const answers = (ipcPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(ipcPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** A process of its own that does `before`, starts a chain, says where, and then does `next`. */
async function chainOf(next: string, before = ''): Promise<{ child: ChildProcess, ipcPath: string }> {
  const source = fileURLToPath(new URL('../../../src/chain/evm/anvil.ts', import.meta.url))
  const child = spawn(process.execPath, ['--input-type=module', '-e', `
    ${before}
    const { startAnvil } = await import(${JSON.stringify(source)})
    const { ipcPath } = await startAnvil({ genesisS: ${GENESIS_S} })
    await new Promise((resolve) => process.stdout.write(ipcPath + '\\n', resolve))
    ${next}`], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  const [said] = await once(child.stdout!, 'data') as [Buffer]
  return { child, ipcPath: said.toString().trim() }
}

/** Waits until all threads of a process stand still, where the system says so: one that runs on another core may still answer. */
async function standsStill(pid: number): Promise<void> {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return
  await expect.poll(() => readdirSync(tasks).every((task) => / T /.test(readFileSync(join(tasks, task, 'stat'), 'utf8').replace(/^.*\)/, ''))), { timeout: LONG_MS, interval: 1 }).toBe(true)
}

/** Waits until nobody answers at the socket and its folder is gone. */
async function expectGone(ipcPath: string): Promise<void> {
  await expect.poll(() => existsSync(dirname(ipcPath)), { timeout: LONG_MS }).toBe(false)
  expect(await answers(ipcPath)).toBe(false)
}

describe.skipIf(noAnvil)(`a local EVM chain${skipped}`, () => {
  it('is missed at once when it is killed, by a request that is under way too', async () => {
    const anvil = await startAnvil({ genesisS: GENESIS_S })
    const rpc = new EvmRpc(anvil.ipcPath, anvil.ended)
    expect(await rpc.hex('eth_chainId')).toBe('0x3e7')
    const pattern = `^[^ ]*anvil .*${anvil.ipcPath}`
    const signal = (name: string): void => { expect(spawnSync('pkill', [`-${name}`, '-f', pattern]).status).toBe(0) }
    signal('STOP')
    await standsStill(Number(spawnSync('pgrep', ['-f', pattern], { encoding: 'utf8' }).stdout))
    const underWay = rpc.hex('eth_chainId').catch((error: unknown) => error)
    signal('KILL')
    expect(await underWay).toMatchObject({ message: `the chain at ${anvil.ipcPath} has ended: its process is gone` })
    await expect(rpc.hex('eth_chainId')).rejects.toThrow('has ended: its process is gone')
    await rpc.close()
  })

  it('has chain id 999 and the genesis time that it was given, and makes no block by itself', async () => {
    const anvil = await startAnvil({ genesisS: GENESIS_S, http: true })
    const rpcs = [new EvmRpc(anvil.ipcPath), new EvmRpc(anvil.httpUrl!)]
    for (const rpc of rpcs) {
      expect(await rpc.hex('eth_chainId')).toBe('0x3e7')
      expect(await rpc.call('eth_getBlockByNumber', ['latest', false])).toMatchObject({ number: '0x0', timestamp: `0x${GENESIS_S.toString(16)}` })
      await rpc.close()
    }
    await anvil.close()
    await expectGone(anvil.ipcPath)
  })

  it('removes the folder of a chain that was killed with its watch, when nobody has renewed its lease', async () => {
    const [dead, alive] = ['dead000000000000', 'a11fe00000000000'].map((name) => join(tmpdir(), `parlor-anvil-${name}`)) as [string, string]
    const longAgo = Date.now() / 1000 - 3600
    for (const folder of [dead, alive]) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'lease'), '0123456789abcdef')
    }
    utimesSync(join(dead, 'lease'), longAgo, longAgo)
    await (await startAnvil({ genesisS: GENESIS_S })).close()
    expect([existsSync(dead), existsSync(alive)]).toEqual([false, true])
    rmSync(alive, { recursive: true })
  })

  it('answers a batch in order, refusals among results', async () => {
    const anvil = await startAnvil({ genesisS: GENESIS_S, http: true })
    for (const place of [anvil.ipcPath, anvil.httpUrl!]) {
      const rpc = new EvmRpc(place)
      const calls = Array.from({ length: 600 }, (_, i) => (i % 3 === 2
        ? { method: 'eth_sendRawTransaction', params: ['0x00'] }
        : { method: 'web3_sha3', params: [`0x${i.toString(16).padStart(4, '0')}`] }))
      const got = await rpc.batch(calls)
      expect(got.map((answer) => ('refusal' in answer ? 'refused' : 'result'))).toEqual(calls.map((_, i) => (i % 3 === 2 ? 'refused' : 'result')))
      expect(new Set(got.map((answer) => ('result' in answer ? answer.result : null))).size).toBe(401)
      // keccak256 of the two bytes 0x0000, by any other implementation.
      expect(got[0]).toEqual({ result: '0x54a8c0ab653c15bfb48b47fd011ba2b9617af01cb45cab344acd57c924d56798' })
      await rpc.close()
    }
    await anvil.close()
  })

  it('answers more at once than fits into one body of HTTP', async () => {
    const anvil = await startAnvil({ genesisS: GENESIS_S, http: true })
    const rpc = new EvmRpc(anvil.httpUrl!)
    const calls = Array.from({ length: 30 }, (_, i) => ({ method: 'web3_sha3', params: [`0x${'00'.repeat(100_000)}${i.toString(16).padStart(2, '0')}`] }))
    const got = await rpc.batch(calls)
    expect(new Set(got.map((answer) => ('result' in answer ? answer.result : null))).size).toBe(30)
    expect(await rpc.call('web3_sha3', calls[29]!.params)).toEqual((got[29] as { result: unknown }).result)
    await rpc.close()
    await anvil.close()
  })

  it.each([
    ['is killed', '', 'SIGKILL'],
    ['gets Ctrl-C', '', 'SIGINT'],
    ['ends without closing it', 'process.exit(0)', null],
    ['throws', 'throw new Error("broken")', null],
  ] as const)('leaves no orphan when the process %s', async (_, next, signal) => {
    const { child, ipcPath } = await chainOf(next === '' ? 'setInterval(() => {}, 1000)' : next)
    if (signal !== null) {
      expect(await answers(ipcPath)).toBe(true)
      // The terminal sends Ctrl-C to the whole group.
      process.kill(-child.pid!, signal)
    }
    await expectGone(ipcPath)
  })

  it('lets the process end by itself once it is closed', async () => {
    const source = fileURLToPath(new URL('../../../src/chain/evm/evmNode.ts', import.meta.url))
    const child = spawn(process.execPath, ['--input-type=module', '-e', `
      const { EvmNode } = await import(${JSON.stringify(source)})
      const node = await EvmNode.start(${GENESIS_S})
      await node.nonceOf('0x000000000000000000000000000000000000dEaD')
      await node.close()
    `], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), LONG_MS)
    expect(await once(child, 'exit')).toEqual([0, null])
    clearTimeout(timer)
  })

  it('survives a Ctrl-C that the process handles, until it is closed', async () => {
    const { child, ipcPath } = await chainOf('setInterval(() => {}, 1000)', `process.on('SIGINT', () => {})`)
    process.kill(-child.pid!, 'SIGINT')
    await sleep(200)
    expect(await answers(ipcPath)).toBe(true)
    child.kill('SIGKILL')
    await expectGone(ipcPath)
  })
})

describe('a chain that is not there', () => {
  it('is a mistake of the user', async () => {
    for (const place of ['http://127.0.0.1:1', '/nowhere/ipc']) {
      const rpc = new EvmRpc(place)
      await expect(rpc.call('eth_chainId')).rejects.toThrow(InputError)
      await rpc.close()
    }
  })
})
