import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { endOf, parlor } from '../cli/parlor.ts'
import { serve } from '../cli/serving.ts'
import { newFolder } from '../scenario/small.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const file = (name: string): string => join(ROOT, 'examples', name)
/** An interpreter with what `examples/requirements.txt` names. `test/python/clients` makes one. */
const PYTHON = process.env.PARLOR_CLIENTS_PYTHON
if (PYTHON === undefined) console.warn('left out: no Python with examples/requirements.txt, so its makers and its bettor do NOT trade (test/python/clients)')

/** Until a process has said something; what it said until then. */
function said(child: ChildProcess, what: RegExp): Promise<string> {
  let out = ''
  return new Promise((done, failed) => {
    const hear = (data: Buffer): void => {
      out += data.toString()
      if (what.test(out)) done(out)
    }
    child.stdout!.on('data', hear)
    child.stderr!.on('data', hear)
    child.on('close', () => { failed(new Error(`it ended without having said ${String(what)}: ${out}`)) })
  })
}

type Client = readonly [command: string, file: string, seat: string, until: RegExp]

/** Serves a scenario with bettors who ask more often, lets clients trade until each has said its word, ends the session and returns its folder. */
async function trade(scenario: string, every: string, clients: readonly Client[], through: (keys: string) => Promise<Broken | null> = () => Promise.resolve(null)): Promise<string> {
  const folder = newFolder()
  const { child, ended, path: keys } = await serve(folder, join(ROOT, 'scenarios', scenario), '--speed', '2', '--set', `bettors.0.every=${every}`)
  const broken = await through(keys)
  try {
    const trading = clients.map(([command, name, seat, until]) => {
      const client = spawn(command, [file(name), broken?.keys ?? keys, seat], { stdio: ['ignore', 'pipe', 'pipe'] })
      // Whose stream breaks says its word afterwards. Who ends before that fails at once.
      const word = broken === null ? said(client, until) : Promise.race([broken.resumed, said(client, NOTHING)]).then(() => said(client, until))
      return { ended: endOf(client), said: word }
    })
    await Promise.all(trading.map(({ said: word }) => word))
    child.kill('SIGTERM')
    for (const { code, out, err } of await Promise.all(trading.map((client) => client.ended))) {
      expect({ code, err, last: out.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, err: '', last: 'the session is over' })
    }
    expect(await ended).toMatchObject({ code: 0 })
  } finally {
    child.kill('SIGKILL')
    broken?.close()
  }
  expect(await parlor(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  return join(folder, 'run')
}

/** A way to the outcome service on which the first stream breaks at an RFQ, of which it does not tell. */
interface Broken {
  /** Credentials that lead this way. */
  readonly keys: string
  /** The id of that RFQ, and what the second stream tells first. */
  readonly resumed: Promise<readonly [lost: string, first: string]>
  readonly close: () => void
}

const NOTHING = /(?!)/

async function brokenOnce(keys: string): Promise<Broken> {
  const text = readFileSync(keys, 'utf8')
  const { url } = (JSON.parse(text) as { outcome: { url: string } }).outcome
  let streams = 0
  let lost = ''
  let resume = (_first: string): void => {}
  const resumed = new Promise<readonly [string, string]>((resolve) => { resume = (first) => { resolve([lost, first]) } })
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1')
    let stream = 0
    let hasBegun = false
    near.on('data', (data) => {
      if (stream === 0 && data.includes('GET /v1/stream')) stream = ++streams
      far.write(data)
    })
    far.on('data', (data) => {
      // A server does not mask its frames, and none of them is compressed.
      const text = String(data)
      if (stream === 1 && hasBegun && text.includes('RFQ_CREATED')) {
        lost = /"rfq_id":"([^"]+)"/.exec(text)![1]!
        near.end()
        return void far.destroy()
      }
      if (text.includes('"cursor"')) hasBegun = true
      if (stream === 2 && hasBegun) resume(text)
      return void near.write(data)
    })
    near.on('error', () => { far.destroy() }).on('close', () => { far.destroy() })
    far.on('error', () => { near.destroy() }).on('close', () => { near.end() })
  })
  await new Promise<void>((listening) => { proxy.listen(0, '127.0.0.1', listening) })
  const path = `${keys}.broken`
  writeFileSync(path, text.replaceAll(url, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`))
  return { keys: path, resumed, close: () => { proxy.close() } }
}

/** Acceptances of a run that were confirmed, by cohort of the bettor and by maker. */
function confirmed(run: string): { readonly cohort: string; readonly maker: string }[] {
  const rows = tableFromIPC(readFileSync(join(run, 'tables', 'acceptances.arrow'))).toArray() as { toJSON: () => Record<string, unknown> }[]
  return rows.map((row) => row.toJSON()).filter(({ outcome }) => outcome === 'confirmed').map(({ cohort, maker }) => ({ cohort: String(cohort), maker: String(maker) }))
}

const CONFIRMED = /^confirm \w+: 200$/m

describe.concurrent('clients of a served session trade', () => {
  it('a maker in TypeScript', async ({ expect }) => {
    const run = await trade('live.yaml', '1m', [[process.execPath, 'maker.ts', 'our-maker', CONFIRMED]])
    expect(confirmed(run).map(({ maker }) => maker)).toContain('our-maker')
  })

  it.skipIf(PYTHON === undefined)('a maker and a bettor in Python', async ({ expect }) => {
    const run = await trade('live.yaml', '1m', [[PYTHON!, 'maker.py', 'our-maker', CONFIRMED], [PYTHON!, 'bettor.py', 'our-bettor', /: committed at [\d.]+$/m]])
    expect(confirmed(run).map(({ maker }) => maker)).toContain('our-maker')
    expect(confirmed(run).map(({ cohort }) => cohort)).toContain('our-bettor')
  })

  it.for([
    ['TypeScript', process.execPath, 'outcomeMaker.ts'],
    ['Python', PYTHON, 'outcome_maker.py'],
  ] as const)('a maker of the outcome service in %s, whose stream breaks and goes on', async ([, command, name], { expect, skip }) => {
    if (command === undefined) return skip()
    let broken: Broken | null = null
    const run = await trade('live-outcome.yaml', '2m', [[command, name, 'our-maker', CONFIRMED]], async (keys) => (broken = await brokenOnce(keys)))
    const [lost, first] = await broken!.resumed
    // A stream that does not go on behind a frame begins with a snapshot, which tells of no RFQ.
    expect(first).toContain(`"rfq_id":"${lost}"`)
    expect(first).not.toContain('"type":"snapshot"')
    expect(await parlor('.', 'explain', run, lost)).toMatchObject({ code: 0, out: expect.stringMatching(/^RFQ \d+ of /) })
    expect(confirmed(run).map(({ maker }) => maker)).toContain('our-maker')
  })
})
