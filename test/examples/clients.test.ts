import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
if (PYTHON === undefined) console.warn('left out: no Python with examples/requirements.txt, so its maker and bettor do NOT trade (test/python/clients)')

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

/** Serves scenarios/live.yaml with bettors who ask twenty times as often, lets clients trade until each has said its word, ends the session and returns its folder. */
async function trade(...clients: readonly (readonly [command: string, file: string, seat: string, until: RegExp])[]): Promise<string> {
  const folder = newFolder()
  const { child, ended, path: keys } = await serve(folder, join(ROOT, 'scenarios', 'live.yaml'), '--speed', '2', '--set', 'bettors.0.every=1m')
  try {
    const trading = clients.map(([command, name, seat, until]) => {
      const client = spawn(command, [file(name), keys, seat], { stdio: ['ignore', 'pipe', 'pipe'] })
      return { ended: endOf(client), said: said(client, until) }
    })
    await Promise.all(trading.map(({ said: word }) => word))
    child.kill('SIGTERM')
    for (const { code, out, err } of await Promise.all(trading.map((client) => client.ended))) {
      expect({ code, err, last: out.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, err: '', last: 'the session is over' })
    }
    expect(await ended).toMatchObject({ code: 0 })
  } finally {
    child.kill('SIGKILL')
  }
  expect(await parlor(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  return join(folder, 'run')
}

/** Acceptances of a run that were confirmed, by cohort of the bettor and by maker. */
function confirmed(run: string): { readonly cohort: string; readonly maker: string }[] {
  const rows = tableFromIPC(readFileSync(join(run, 'tables', 'acceptances.arrow'))).toArray() as { toJSON: () => Record<string, unknown> }[]
  return rows.map((row) => row.toJSON()).filter(({ outcome }) => outcome === 'confirmed').map(({ cohort, maker }) => ({ cohort: String(cohort), maker: String(maker) }))
}

describe.concurrent('clients of a served session trade', () => {
  it('a maker in TypeScript', async ({ expect }) => {
    const run = await trade([process.execPath, 'maker.ts', 'our-maker', /^confirm \w+: 200$/m])
    expect(confirmed(run).map(({ maker }) => maker)).toContain('our-maker')
  })

  it.skipIf(PYTHON === undefined)('a maker and a bettor in Python', async ({ expect }) => {
    const run = await trade([PYTHON!, 'maker.py', 'our-maker', /^confirm \w+: 200$/m], [PYTHON!, 'bettor.py', 'our-bettor', /: committed at [\d.]+$/m])
    expect(confirmed(run).map(({ maker }) => maker)).toContain('our-maker')
    expect(confirmed(run).map(({ cohort }) => cohort)).toContain('our-bettor')
  })
})
