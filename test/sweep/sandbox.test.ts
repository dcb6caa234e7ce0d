import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { moduleGraph } from '../../src/scenario/moduleGraph.ts'
import { DEFAULT_CALL_LIMITS } from '../../src/scenario/strategyLimits.ts'
import { checkEnclosure, enclosed } from '../../src/sweep/sandbox/enclosure.ts'
import { filesOf, Sandbox, type SandboxOptions } from '../../src/sweep/sandbox/sandbox.ts'
import { parlorHere } from '../cli/parlor.ts'
import { PATIENCE_MS } from '../patience.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { odd, Oddity, ODD_STRATEGY, oddScenario } from './odd.ts'
import { keptIn, newPool, outcomesOf, tasksOf } from './pools.ts'

const hasBwrap = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0
if (!hasBwrap) {
  if (process.env['PARLOR_BWRAP'] === 'required') throw new Error('PARLOR_BWRAP=required, and bwrap makes no namespaces here')
  console.warn('no bwrap that works: strict sandboxes are not tested')
}

/**
 * What a strategy that has left its room, or any program in the sandbox, may try, as the body of an async function that gives the names of what it
 * could do. `process.env` is asked for what the test put there.
 */
const attempts = ({ port, udpPort, socket, secret, folder }: Targets): string => `
const [net, dgram, dns, fs, child] = await Promise.all(['net', 'dgram', 'dns/promises', 'fs', 'child_process'].map((name) => import('node:' + name)))
const done = []
const attempt = async (name, act) => { try { if (await act() !== false) done.push(name) } catch {} }
const connected = (where) => new Promise((resolve, reject) => {
  const client = net.connect(where, () => { client.destroy(); resolve() })
  client.on('error', reject).setTimeout(2000, () => { client.destroy(); reject(new Error('late')) })
})
await attempt('tcp', () => connected({ host: '127.0.0.1', port: ${port} }))
await attempt('unix', () => connected({ path: ${JSON.stringify(socket)} }))
await attempt('udp', () => new Promise((resolve) => { const one = dgram.createSocket('udp4'); one.send('hello', ${udpPort}, '127.0.0.1', () => { one.close(); resolve(false) }) }))
await attempt('dns', () => dns.lookup('localhost.localdomain', { family: 4 }).then(({ address }) => address !== '', () => false))
await attempt('interfaces', () => Object.values((process.getBuiltinModule('os')).networkInterfaces()).flat().some(({ internal }) => !internal))
await attempt('read', () => fs.readFileSync(${JSON.stringify(secret)}))
await attempt('passwd', () => fs.readFileSync('/etc/passwd'))
await attempt('write', () => fs.writeFileSync(${JSON.stringify(join(folder, 'left.txt'))}, 'left'))
await attempt('beside', () => { fs.writeFileSync(${JSON.stringify(besideOf(folder))}, 'left'); return false })
await attempt('spawn', () => child.spawnSync('/bin/true').status === 0)
await attempt('environment', () => process.env.PARLOR_TEST_SECRET !== undefined || process.env.PATH !== undefined)
await attempt('kill', () => process.kill(${process.pid}, 0))
return done
`

/** A place beside a folder. In a sandbox it may be in a memory of its own. */
const besideOf = (folder: string): string => `${folder}-left.txt`
const leftBy = (folder: string): string[] => [join(folder, 'left.txt'), besideOf(folder)].filter((path) => existsSync(path))

interface Targets {
  readonly port: number
  readonly udpPort: number
  readonly socket: string
  readonly secret: string
  readonly folder: string
}

const heard: string[] = []
const [tcp, unix, udp] = [createServer((one) => { heard.push('tcp'); one.destroy() }), createServer((one) => { heard.push('unix'); one.destroy() }), createSocket('udp4', () => { heard.push('udp') })]
let targets: Omit<Targets, 'folder'>

const listening = (server: Server, where: object): Promise<void> => new Promise((resolve) => { server.listen(where, resolve) })
beforeAll(async () => {
  vi.stubEnv('PARLOR_TEST_SECRET', 'known')
  const outside = newFolder()
  await Promise.all([listening(tcp, { host: '127.0.0.1', port: 0 }), listening(unix, { path: join(outside, 'socket') }), new Promise<void>((resolve) => { udp.bind(0, '127.0.0.1', resolve) })])
  targets = { port: (tcp.address() as { port: number }).port, udpPort: udp.address().port, socket: join(outside, 'socket'), secret: put(outside, 'secret.txt', 'secret') }
})
afterAll(() => {
  vi.unstubAllEnvs()
  for (const one of [tcp, unix, udp]) one.close()
})

/** Plays a strategy that runs as any program, as if it had left its room, and tells what it could do. */
async function escaped(sandbox: 'strict' | 'weak'): Promise<string[]> {
  heard.length = 0
  const scenario = oddScenario()
  const folder = dirname(scenario)
  put(folder, 'odd.ts', ODD_STRATEGY.replace('export default', `const done = await (async () => {${attempts({ ...targets, folder })}})()\nexport default`).replace("throw new Error('boom')", 'throw new Error(JSON.stringify(done))'))
  const [outcome] = await outcomesOf(newPool({ tasksDir: newFolder(), sandbox }), tasksOf(scenario, 1, odd(Oddity.throws)))
  const { failure } = outcome as { failure: { kind: string; message: string } }
  expect(failure.kind).toBe('strategy')
  expect(leftBy(folder)).toEqual([])
  return JSON.parse(/\[.*?\]/.exec(failure.message)![0]) as string[]
}

function weakSandbox(options: Partial<SandboxOptions>): Sandbox {
  const sandbox = new Sandbox({ level: 'weak', limitMs: 600_000, limits: DEFAULT_CALL_LIMITS, isTrusted: true, signal: undefined, say: () => {}, ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

describe.skipIf(!hasBwrap)('a sandbox by bubblewrap', () => {
  it('plays what is played without one, for one process and two, and keeps everything from a strategy that has left its room', async () => {
    const scenario = oddScenario()
    const [plain, shut] = [newFolder(), newFolder()]
    const specs = tasksOf(scenario, 3)
    const outcomes = await outcomesOf(newPool({ tasksDir: plain }), specs)
    expect(await outcomesOf(newPool({ tasksDir: shut, sandbox: 'strict', workers: 2 }), specs)).toEqual(outcomes)
    for (const name of keptIn(plain)) expect(readFileSync(join(shut, name)).equals(readFileSync(join(plain, name)))).toBe(true)
    expect(await escaped('strict')).toEqual([])
    expect(heard).toEqual([])
  })

  it('alone keeps a program from the network, other processes, and files but those that it is given', () => {
    const folder = newFolder()
    const script = put(folder, 'program.mjs', `const done = await (async () => {${attempts({ ...targets, folder })}})()\nconsole.log(JSON.stringify(done))`)
    const { command, args } = enclosed('strict', script, [folder])
    const own = args.filter((arg) => !/^--(?:permission|allow-)/.test(arg))
    const { stdout, stderr } = spawnSync(command, own, { env: {}, encoding: 'utf8' })
    // It may start what it sees, and a process of its own has the number that is asked for only by chance.
    expect([stderr, (JSON.parse(stdout) as string[]).filter((name) => name !== 'kill')]).toEqual(['', []])
    expect(leftBy(folder)).toEqual([])
  })
})

describe('a sandbox by Node alone', () => {
  it('keeps files, programs and the environment from a strategy that has left its room, and not the network', async () => {
    const could = await escaped('weak')
    expect(could).toEqual(expect.arrayContaining(['tcp', 'unix']))
    for (const kept of ['read', 'passwd', 'write', 'spawn', 'environment']) expect(could).not.toContain(kept)
  })

  it('is begun anew where its process ends, and a session that ends three of them is told of, while others are played', async () => {
    const scenario = oddScenario({ strategy: ODD_STRATEGY.replace("throw new Error('boom')", "process.kill(process.pid, 'SIGKILL')") })
    const outcomes = await outcomesOf(newPool({ tasksDir: newFolder(), sandbox: 'weak', workers: 2 }), [...tasksOf(scenario, 1, odd(Oddity.throws)), ...tasksOf(scenario, 2, odd(Oddity.none))])
    expect(outcomes.map((outcome) => ('failure' in outcome ? [outcome.failure.kind, outcome.failure.message] : 'played'))).toEqual([
      ['worker', 'its worker died 3 times, at last: its process ended (SIGKILL)'], 'played', 'played',
    ])
  })

  it.each([
    ['a bug of parlor', '{"number":1,"bug":"forged"}', ['bug', 'forged']],
    ['a file that it should play', '{"number":1,"read":{"message":"forged"}}', ['worker', 'its worker died 3 times, at last: what its process says is no answer to what it was asked']],
  ])('in which a strategy forges an answer, of %s, fails by its session', async (_, line, failed) => {
    const scenario = oddScenario({ strategy: ODD_STRATEGY.replace("throw new Error('boom')", `{ writeSync(1, ${JSON.stringify(`${line}\n`)}); loop() }`).replace('import { existsSync,', 'import { writeSync, existsSync,').replace("writeFileSync(endless, '')", '') })
    const [outcome] = await outcomesOf(newPool({ tasksDir: newFolder(), sandbox: 'weak' }), tasksOf(scenario, 1, odd(Oddity.throws)))
    const { failure: { kind, message } } = outcome as { failure: { kind: string; message: string } }
    expect([kind, message]).toEqual(failed)
  })

  it('has one process for the sessions of the same files, and others for those of others', async () => {
    const telling = ODD_STRATEGY.replace("throw new Error('boom')", 'throw new Error(`played by ${process.pid}`)')
    const scenario = oddScenario({ strategy: telling })
    put(dirname(scenario), 'other.ts', telling)
    const [first] = tasksOf(scenario, 1, odd(Oddity.throws))
    const others = tasksOf(scenario, 1, 'makers.0.use=./other.ts', odd(Oddity.throws))
    const outcomes = await outcomesOf(newPool({ tasksDir: newFolder(), sandbox: 'weak' }), [first!, ...others, { ...first!, seed: '7/2' }])
    const [own, other, again] = outcomes.map((outcome) => /played by \d+/.exec((outcome as { failure: { message: string } }).failure.message)![0])
    expect([own === again, own === other]).toEqual([true, false])
  })

  it('keeps as many processes as are wanted for what is to come', async () => {
    const folder = newFolder()
    const sandbox = weakSandbox({ freeMax: 1 })
    const telling = "export default { role: 'maker', parameters: {}, about: String(process.pid), create: () => ({}) }"
    const [one, two] = ['one.ts', 'two.ts'].map((name) => put(folder, name, telling))
    const numbers: number[] = []
    for (const file of [one!, two!, two!]) numbers.push(Number((await sandbox.read(file, 'maker')).about))
    const [first, second, again] = numbers
    expect([second === first, again === second]).toEqual([false, true])
    await vi.waitFor(() => { expect(() => process.kill(first!, 0)).toThrow('ESRCH') }, { timeout: PATIENCE_MS })
  })

  it('shows what strategies print up to 1,048,576 letters', async () => {
    let shown = 0
    const sandbox = weakSandbox({ say: (line) => { shown += line.length - 'a strategy prints: '.length } })
    await sandbox.read(put(newFolder(), 'loud.ts', `for (let i = 0; i < 4000; i++) console.log('x'.repeat(299))\n${ODD_STRATEGY}`), 'maker')
    // 3,495 lines of 300 with what ends them, and 76 letters of the next.
    await vi.waitFor(() => { expect(shown).toBeGreaterThanOrEqual(3495 * 299 + 76) }, { timeout: PATIENCE_MS })
    await sandbox.close()
    expect(shown).toBe(3495 * 299 + 76)
  })

  it('is given up by the signal while it reads a file that never ends', async () => {
    const scenario = oddScenario({ strategy: `for (;;) {}\n${ODD_STRATEGY}` })
    const stop = new AbortController()
    const playing = outcomesOf(newPool({ tasksDir: newFolder(), sandbox: 'weak', signal: stop.signal }), tasksOf(scenario, 1))
    setTimeout(() => { stop.abort() }, 200)
    await expect(playing).rejects.toThrow('interrupted')
  })

  it('is what there is where bubblewrap is not to be had', () => {
    vi.stubEnv('PATH', newFolder())
    try {
      expect(() => { checkEnclosure('strict') }).toThrow('--sandbox: there is no bwrap')
      expect(() => { checkEnclosure('weak') }).not.toThrow()
    } finally {
      vi.unstubAllEnvs()
      vi.stubEnv('PARLOR_TEST_SECRET', 'known')
    }
  })
})

describe('what a sandbox shows', () => {
  it('is nothing that a strategy names outside of its folder, by a path, a URL or a link', () => {
    const [folder, outside] = [newFolder(), newFolder()]
    const secret = put(outside, 'secret.mjs', 'export default 1\n')
    symlinkSync(secret, join(folder, 'linked.mjs'))
    const strategy = (specifier: string): string => put(folder, 'mine.mjs', `export default () => import(${JSON.stringify(specifier)})\n`)
    for (const specifier of [secret, `../${basename(outside)}/secret.mjs`, pathToFileURL(secret).href, './linked.mjs']) {
      const path = strategy(specifier)
      expect(() => filesOf(path, moduleGraph(path))).toThrow('in a sandbox a strategy imports nothing from outside of its folder')
    }
    put(folder, 'below/part.mjs', 'export default 2\n')
    const path = strategy('./below/part.mjs')
    expect(filesOf(path, moduleGraph(path)).toSorted()).toEqual([join(folder, 'below', 'part.mjs'), path].toSorted())
  })

  it('is not the machine, nor what processes say of themselves, also through a link', () => {
    const folder = newFolder()
    symlinkSync('/', join(folder, 'all'))
    for (const path of ['/', '/proc/self', '/dev', '/tmp', join(folder, 'all'), '/sys']) expect(() => enclosed('strict', 'x.js', [path])).toThrow('a sandbox would open the machine by this folder')
    expect(() => enclosed('weak', 'x.js', [put(newFolder(), 'a*.ts', '')])).toThrow('a sandbox has no paths with *')
    expect(enclosed('strict', 'x.js', [folder]).args).toContain(folder)
  })
})

describe('sweep --sandbox', () => {
  const SWEEP = ['sweep', 'small.yaml', '--axis', 'makers.0.params.margin=2%,6%', '--replications', '1', '--workers', '1']

  it('leaves the bytes of a sweep without it, and knows two levels', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 20'))
    expect(await parlorHere(folder, ...SWEEP, '--tasks', 'own', '--out', 'plain')).toMatchObject({ code: 0, err: '' })
    expect(await parlorHere(folder, ...SWEEP, '--tasks', 'other', '--out', 'shut', '--sandbox=weak')).toMatchObject({ code: 0, err: '' })
    for (const name of ['manifest.json', 'sweep.json', 'sweep.arrow', 'report.html']) expect(readFileSync(join(folder, 'shut', name)).equals(readFileSync(join(folder, 'plain', name)))).toBe(true)
    expect(await parlorHere(folder, ...SWEEP, '--sandbox=odd')).toMatchObject({ code: 2, err: expect.stringContaining('expected --sandbox strict or weak, got odd') })
  })
})
