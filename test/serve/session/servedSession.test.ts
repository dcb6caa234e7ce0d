import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../../src/arrow/tableReader.ts'
import { readExternal } from '../../../src/record/externalTable.ts'
import { quietLines } from '../../../src/report/quietMakers.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { prepareScenario, runPlayed } from '../../../src/scenario/run.ts'
import { verifyRun } from '../../../src/proof/verify.ts'
import { type Summary, summariseRun } from '../../../src/score/summary.ts'
import type { Answer, Channel, Exchange } from '../../../src/serve/exchange.ts'
import { playServedInto } from '../../../src/serve/session/playServed.ts'
import type { ServedSession } from '../../../src/serve/session/servedSession.ts'
import { Timers } from '../../../src/serve/session/timers.ts'
import { WallClock } from '../../../src/serve/session/wallClock.ts'
import { WallDriver } from '../../../src/serve/session/wallDriver.ts'
import { newFolder, put, SMALL } from '../../scenario/small.ts'
import { TinyHandler } from './tinyHandler.ts'

const LIVE = SMALL.replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC }\n')
  .replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n')
const SECOND_US = 1_000_000

const exchange = (path: string, body: unknown = null): Exchange => ({
  service: 'parlay', method: 'POST', path, query: '', headers: [], body: new TextEncoder().encode(JSON.stringify(body)), remote: '127.0.0.1',
})

/** Plays a small session with clients into a folder, as `parlor serve` does. */
async function played(
  drive: (served: ServedSession, handler: TinyHandler) => Promise<number | null>, time: { readonly told?: () => void } = {}, folder = newFolder(), scene = LIVE,
) {
  const path = put(folder, 'live.yaml', scene)
  const loaded = loadScenario(path)
  const prepared = await prepareScenario(loaded, () => {}, { isServed: true })
  let handler: TinyHandler | undefined
  const { path: dir, manifest } = await runPlayed(loaded, prepared.store.path, { target: { path: join(folder, 'run'), force: false, numbered: false } }, async (into) => ({
    manifest: await playServedInto(into, prepared, {
      handlers: { parlay: (site) => (handler = new TinyHandler(site)) }, idKey: 'test', speed: 1, shiftUs: 0, ...time, drive: (served) => drive(served, handler!),
    }),
  }))
  return { dir, manifest, handler: handler!, prepared }
}

/** A client that quotes on every request it hears of, and asks for prices now and then. */
async function trades(served: ServedSession, untilUs: number): Promise<string[]> {
  const answers: string[] = []
  const heard: string[] = []
  const channel: Channel = {
    kind: 'socket', refuse: () => {}, accept: () => {}, send: (text) => { heard.push(text) }, close: () => {}, onFrame: () => {}, onClose: () => {},
  }
  served.begin()
  const beginUs = served.nowUs
  served.open(exchange('/socket'), channel)
  for (let atUs = beginUs; atUs < untilUs; atUs += SECOND_US) {
    served.playTo(atUs)
    const answer = ({ body }: Answer): void => { answers.push(body) }
    if ((atUs - beginUs) % (20 * SECOND_US) === 0) served.call(exchange('/ask', [[0, 1], [7, 1]]), answer)
    for (const frame of heard.splice(0)) {
      const { request, version } = JSON.parse(frame) as { request?: number; version: number }
      if (request !== undefined) served.call(exchange('/quote', { request, version, oddsE4: 30_000, validMs: 5000 }), answer)
    }
  }
  return answers
}

describe('a session with clients', () => {
  it('says why a built-in maker passed, and nothing of passes of a client', async () => {
    const folder = newFolder()
    put(folder, 'mine.ts', "import { maker } from 'parlor'\nexport default maker({}, () => ({ onRequest(request, desk) { desk.log('seen'); desk.pass('shy') } }))\n")
    const scene = LIVE.replace('makers:\n', 'makers:\n  - { name: mine, use: ./mine.ts, capital: 50000 USDC }\n')
    const { dir } = await played(async (served) => {
      served.begin()
      served.playTo(served.nowUs + 60 * SECOND_US)
      return null
    }, {}, folder, scene)
    const { quiet } = await summariseRun(dir) as Summary
    const [mine, ours] = ['mine', 'ours'].map((name) => quiet!.find((one) => one.name === name)!)
    const { delivered } = mine!
    expect(delivered).toBeGreaterThan(10)
    expect(mine).toMatchObject({ why: 'never quoted', passes: delivered, most: { reason: 'shy', count: delivered } })
    expect(readTable(join(dir, 'tables', 'logs.arrow')).rowCount).toBe(delivered)
    expect(ours).toMatchObject({ why: 'never quoted', passes: null })
    expect(quietLines({ quiet: [ours!] } as unknown as Summary)[0]).not.toMatch(/pass/)
    expect((await verifyRun(dir)).checks.filter(({ ok }) => !ok)).toEqual([])
    rmSync(join(dir, 'tables', 'passes.arrow'))
    expect((await summariseRun(dir) as Summary).quiet!.find(({ name }) => name === 'mine')).toMatchObject({ passes: null, most: null })
  })

  it('is verified from what came in: its digest, its journal and its tables', async () => {
    let answers: string[] = []
    const { dir, manifest, handler } = await played(async (served) => {
      answers = await trades(served, served.nowUs + 600 * SECOND_US)
      return null
    })
    expect(answers.filter((answer) => answer.startsWith('0 ')).length).toBeGreaterThan(20)
    const rows = readExternal(join(dir, 'tables', 'external.arrow'))
    expect(rows).toHaveLength(answers.length)
    expect(rows[0]).toMatchObject({ service: 'parlay', fields: { betMicros: 5_000_000 }, legs: [[0, 1], [7, 1]], list: [], credential: undefined })
    expect(manifest.served).toEqual({ clock: 'wall', speed: 1, shiftUs: 0, stoppedUs: null, idKey: 'test' })
    // It throws at a row that comes twice or out of its order.
    expect(handler.rows).toBeGreaterThan(1000)
    const { ok, checks } = await verifyRun(dir)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['table external', 'journal', 'rerun']))
    expect(ok).toBe(true)
  })

  it('is verified where it was stopped before its end', async () => {
    const { dir, manifest } = await played(async (served) => {
      await trades(served, served.nowUs + 100 * SECOND_US)
      served.playTo(served.nowUs + SECOND_US / 2)
      return served.nowUs
    })
    expect(manifest.served!.stoppedUs).toBe(1_750_372_200_000_000 + 99_500_000)
    expect(manifest.counts['endUs']).toBeLessThanOrEqual(manifest.served!.stoppedUs!)
    const { ok, checks } = await verifyRun(dir)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
  })

  it('keeps no secret of a client in its folder, and names each seat’s credentials once', async () => {
    await played(async (served) => {
      expect(served.begin()).toEqual([
        { seat: { service: 'parlay', role: 'maker', name: 'ours', account: expect.any(Number) as number }, credentials: { apiKey: 'key-of-ours' } },
        { seat: { service: 'parlay', role: 'bettor', name: 'me', account: expect.any(Number) as number }, credentials: { apiKey: 'key-of-me' } },
      ])
      return served.nowUs
    })
  })

  it('takes a command in at once between turns of time that waits, and not any more after something between turns has failed', async () => {
    await played(async (served) => {
      served.begin()
      const answers: string[] = []
      const ask = (): void => { served.call(exchange('/ask', [[0, 1], [7, 1]]), ({ body }) => { answers.push(body) }) }
      served.enterBetween(ask)
      expect(answers).toHaveLength(1)
      expect(() => { served.enterBetween(() => { throw new Error('at fault') }) }).toThrow('at fault')
      ask()
      expect(answers).toHaveLength(1)
      return served.nowUs
    }, { told: () => {} })
  })

  it('calls a handler back at the instants it asked for', async () => {
    await played(async (served) => {
      served.begin()
      const answers: string[] = []
      const beginUs = served.nowUs
      served.playTo(beginUs + 5)
      served.call(exchange('/later'), ({ body }) => { answers.push(body) })
      served.playTo(beginUs + 5 + SECOND_US - 1)
      expect(answers).toEqual([])
      served.playTo(beginUs + 5 + SECOND_US)
      expect(answers).toEqual([String(beginUs + 5 + SECOND_US)])
      return served.nowUs
    })
  })
})

describe('a session on the wall’s clock', () => {
  it('lets in what came at its mapped instant, first in first out, each later than the one before, and never passes the wall', async () => {
    await played(async (served) => {
      served.begin()
      const beginUs = served.nowUs
      let nowMs = 1000
      const driver = new WallDriver(served, 10, () => nowMs)
      const entered: number[] = []
      const enter = (): void => { entered.push(served.nowUs) }
      const stop = new AbortController()
      // Two were read at one time, and the third was read before them in another connection.
      nowMs = 1003
      for (const readMs of [1002, 1002, 1001]) driver.arrived({ readMs, enter })
      const playing = driver.play(stop.signal, () => {
        expect(served.session.reachedUs).toBeLessThanOrEqual(beginUs + (nowMs - 1000) * 10_000)
        nowMs += 100
        if (nowMs === 1503) driver.arrived({ readMs: 1450, enter })
        if (nowMs > 2000) stop.abort()
      })
      const stoppedUs = await playing
      expect(entered).toEqual([beginUs + 20_000, beginUs + 20_001, beginUs + 20_002, expect.any(Number)])
      expect(entered[3]).toBeGreaterThanOrEqual(beginUs + 4_500_000)
      expect(stoppedUs).toBe(beginUs + (nowMs - 1000) * 10_000)
      expect(driver.lag.arrivals).toBe(4)
      return stoppedUs
    })
  })

  it('maps the wall to virtual time by its speed, and back', () => {
    const clock = new WallClock(5_000_000, 20, 100)
    expect([99, 100, 100.5, 101].map((ms) => clock.virtualUs(ms))).toEqual([5_000_000, 5_000_000, 5_010_000, 5_020_000])
    expect([clock.msUntil(5_020_000, 100), clock.msUntil(5_020_000, 100.75), clock.msUntil(5_020_000, 102)]).toEqual([1, 0.25, 0])
  })
})

describe('timers', () => {
  it('are due in the order of their instants, and of one instant in the order asked for', () => {
    const timers = new Timers()
    const rung: string[] = []
    for (const [atUs, name] of [[5, 'b'], [3, 'a'], [5, 'c'], [9, 'd']] as const) timers.add(atUs, () => { rung.push(name) })
    expect(timers.nextUs).toBe(3)
    for (const run of timers.take(5)) run()
    expect(rung).toEqual(['a', 'b', 'c'])
    expect(timers.nextUs).toBe(9)
  })
})
