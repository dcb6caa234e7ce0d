import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runPlayed } from '../../src/scenario/run.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { Transport } from '../../src/serve/http/transport.ts'
import { lineToSession } from '../../src/serve/packedMessages.ts'
import { type Pace, playForClients, servable, type Serving } from '../../src/serve/session/serveThread.ts'
import type { Seat } from '../../src/trade/credentials.ts'
import { trade, type TradeSummary } from '../../src/trade/trade.ts'
import { newFolder, put } from '../scenario/small.ts'

/** A client of the session: whose seat it holds, and with what. */
export interface TradingSeat {
  readonly name: string
  readonly strategy: MakerStrategy | BettorStrategy
}

export interface ServedTrade {
  /** What each client did, in their order. */
  readonly summaries: readonly TradeSummary[]
  /** What clients said to whoever runs them. */
  readonly said: readonly string[]
  /** What the run says of it all. */
  readonly run: Summary
  /** Checks of `parlor verify` that did not pass. */
  readonly faults: readonly unknown[]
}

/** Plays a scenario of one service as `parlor serve` does, with `parlor trade` in its seats, in this process and over real sockets. */
export async function servedTrade(text: string, pace: Pace, seats: readonly TradingSeat[], stop = new AbortController().signal): Promise<ServedTrade> {
  const folder = newFolder()
  const path = put(folder, 'live.yaml', text)
  const loaded = loadScenario(path)
  const prepared = await prepareScenario(loaded, () => {}, { isServed: true })
  const session = servable(prepared, path, { allowsLocalWebhooks: false })
  const [lines, looks] = [new MessageChannel(), new MessageChannel()]
  const transport = new Transport(lineToSession(lines.port1), { tokenOf: () => Promise.resolve(undefined) })
  const urls = new Map<string, string>()
  for (const service of ['parlay', 'outcome', 'control'] as const) {
    if (service === 'control' ? pace.clock === 'lockstep' : prepared.resolved.services[service] !== undefined) urls.set(service, (await transport.open(service, '127.0.0.1', 0)).url)
  }
  const serving = Promise.withResolvers<Serving>()
  const playing = runPlayed(loaded, prepared.store.path, { target: { path: join(folder, 'run'), force: false, numbered: false } }, async (into) => ({
    manifest: await playForClients(into, prepared, session, { port: lines.port2, livePort: looks.port2, pace, shift: 'none', allowsLocalWebhooks: false }, {
      signal: stop, serving: serving.resolve, say: () => {}, ended: () => {},
    }),
  }))
  const said: string[] = []
  const held = await serving.promise
  const trading = seats.map(({ name, strategy }) => {
    const { seat: { service, role }, credentials } = held.seats.find(({ seat }) => seat.name === name)!
    const seat: Seat = { service, role, name, url: urls.get(service)!, controlUrl: urls.get('control')?.replace('http', 'ws') ?? null, held: credentials }
    const values = parameterValues(strategy.parameters, {})
    return trade({ seat, strategy, values, seed: prepared.resolved.seed, ratePerHour: 3600, betsMax: 20, say: (line) => { said.push(line) } }, new AbortController().signal)
  })
  const [{ path: dir }, ...summaries] = await Promise.all([playing, ...trading])
  await transport.close()
  for (const port of [lines.port1, looks.port1]) port.close()
  const { checks } = await verifyRun(dir)
  return { summaries, said, run: await summarise(dir), faults: checks.filter(({ ok }) => !ok) }
}
