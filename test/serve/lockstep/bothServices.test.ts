import { describe, expect, it } from 'vitest'
import { Session } from '../../../src/engine/session.ts'
import { Digest } from '../../../src/record/digest.ts'
import type { ExternalRow } from '../../../src/record/externalTable.ts'
import { buildSession } from '../../../src/scenario/build.ts'
import type { PreparedScenario } from '../../../src/scenario/run.ts'
import { SMALL } from '../../scenario/small.ts'
import { outcomeTraders, traders } from '../../trade/tradePlay.ts'
import { OUTCOME_WIRE_MAKERS, outcomeHandlers, outcomeWireClients } from './outcomeWirePlay.ts'
import { digestAgain, type Doors, playedOutside, type PlayedMaker, preparedOf } from './served.ts'
import { VALUES, WAYS, WIRE_MAKERS, wireClients, wireHandlers } from './wirePlay.ts'

type Makers = Readonly<Record<'parlay' | 'outcome', readonly PlayedMaker[]>>

const makersOf = (ways: keyof typeof WAYS): Makers => ({
  parlay: WIRE_MAKERS(WAYS[ways]).map((maker) => ({ ...maker, name: `p${maker.name}` })), outcome: OUTCOME_WIRE_MAKERS(WAYS[ways]),
})

const linesOf = (service: keyof Makers, makers: Makers, isOutside: boolean): string => makers[service].map(({ name, use, latency, parameters = '' }) => (isOutside
  ? `  - { external: true, service: ${service}, name: ${name}, capital: 1000000 USDC, latency: ${latency} }\n`
  : `  - { use: ${use}, service: ${service}, name: ${name}, capital: 1000000 USDC, latency: ${latency}${parameters} }\n`)).join('')

/** Both services with bettors and a rival on each, and so many requests on the two together. */
const bothOf = (makers: Makers, isOutside: boolean, requests: number): string => SMALL
  .replace('parlay: { profile: parlay@2.1 }', 'parlay: { profile: parlay@2.1, gate: {} }, outcome: { profile: outcome@1, gate: { retries: { most: 0 } } }')
  .replace('max: 200', `max: ${requests}`)
  .replace(/bettors:\n[^]*$/, `bettors:
  - { kind: noise, name: askers, service: parlay, n: 60, every: 10m }
  - { kind: impatient, name: sellers, service: parlay, n: 20, every: 4m }
  - { kind: noise, name: takers, service: outcome, n: 60, every: 10m }
  - { kind: impatient, name: leavers, service: outcome, n: 20, every: 4m }
makers:
${linesOf('parlay', makers, isOutside)}${linesOf('outcome', makers, isOutside)}  - { use: fixed-margin, name: rival, service: parlay, capital: 50000 USDC }
  - { use: fixed-margin, name: street, service: outcome, capital: 50000 USDC }
`)

async function insideOf(makers: Makers, requests: number): Promise<string> {
  const { resolved, strategies, store } = await preparedOf(bothOf(makers, false, requests))
  const digest = new Digest()
  new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }).runToEnd()
  return digest.hex()
}

const clientsOf = (prepared: PreparedScenario, { parlay, outcome }: Makers) => async (doors: Doors) => [
  ...await wireClients(prepared, parlay)({ ...doors, ...doors.services.get('parlay')! }),
  ...await outcomeWireClients(prepared, outcome)({ ...doors, ...doors.services.get('outcome')! }),
]
const handlersOf = (prepared: PreparedScenario) => ({ ...wireHandlers(prepared), ...outcomeHandlers(prepared) })

/** `parlor trade` for each maker. */
const tradersOf = (prepared: PreparedScenario, { parlay, outcome }: Makers) => async (doors: Doors) => {
  const traded = (makers: readonly PlayedMaker[]) => makers.map((maker) => ({ ...maker, values: VALUES[maker.use] ?? {} }))
  return [
    ...await traders(prepared, traded(parlay))({ ...doors, ...doors.services.get('parlay')! }),
    ...await outcomeTraders(prepared, traded(outcome))({ ...doors, ...doors.services.get('outcome')! }),
  ]
}

describe('a session of both services, whose virtual time waits for makers of both, leaves the rows of the same makers inside', () => {
  it('with drawn ways', async () => {
    const makers = makersOf('drawn')
    const prepared = await preparedOf(bothOf(makers, true, 50))
    const { digest, rows } = await playedOutside(prepared, clientsOf(prepared, makers), { handlers: handlersOf(prepared) })
    const count = (service: keyof Makers, kind: ExternalRow['kind']): number => rows.filter((row) => row.service === service && row.kind === kind).length
    const counts = [count('parlay', 'turn'), count('outcome', 'turn'), count('parlay', undefined), count('outcome', undefined)]
    expect(counts.filter((times) => times < 50)).toEqual([])
    expect(digest).toBe(await insideOf(makers, 50))
    expect(digestAgain(prepared, rows)).toBe(digest)
  })

  it('with equal ways, played by parlor trade behind a proxy that holds up and reorders connections', async () => {
    const makers = makersOf('equal')
    const prepared = await preparedOf(bothOf(makers, true, 12))
    const { digest, rows } = await playedOutside(prepared, tradersOf(prepared, makers), { handlers: handlersOf(prepared), spread: { mostMs: 3, seed: 3 } })
    expect(new Set(rows.filter(({ kind }) => kind === undefined).map(({ service }) => service)).size).toBe(2)
    expect(digest).toBe(await insideOf(makers, 12))
  })
})
