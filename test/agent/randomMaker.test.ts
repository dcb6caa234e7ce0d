import { describe, expect, it } from 'vitest'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { Latency } from '../../src/agent/latency.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import random from '../../src/agent/makers/random.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { CohortEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { ParlayEvent, QuoteFailed } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from '../engine/loggedRow.ts'
import { OutcomeLog } from '../engine/outcomeLog.ts'
import { onOutcome } from '../engine/outcomeWorld.ts'
import { RowLog } from '../engine/rowLog.ts'
import { cohorts, makerEntry, sessionConfig } from '../engine/world.ts'

const [noise, informed] = cohorts as readonly [CohortEntry, CohortEntry]
const latency = (jitterUs: number): Latency => ({
  feedUs: 20_000, broadcast: { baseUs: 5_000, jitterUs }, submit: { baseUs: 20_000, jitterUs }, confirm: { baseUs: 1_000, jitterUs: 0 },
})

interface Play { readonly bettors: readonly CohortEntry[]; readonly jitterUs?: number; readonly isOutcome?: boolean; readonly name?: string }

/** Runs a minute with the maker alone; the mark-up that it quoted, in billionths, for each content (bet and legs), and the service's rows. */
function played({ bettors, jitterUs = 0, isOutcome = false, name = 'tested' }: Play): { markups: Map<string, number>; log: RowLog } {
  const markups = new Map<string, number>()
  const strategy: MakerStrategy = {
    ...(random as unknown as MakerStrategy),
    create(values, seat) {
      const handlers = random.create(values as Parameters<typeof random.create>[0], seat)
      return {
        ...handlers,
        onRequest(request, desk) {
          const { legs } = request
          const content = `${request.betMicros} ${Array.from({ length: legs.count }, (_, i) => `${legs.markets[i]}:${legs.sides[i]}`).join(' ')}`
          const quote: typeof desk.quote = (view, terms) => {
            markups.set(content, Math.round((terms.probability / terms.fair!) * 1e9))
            desk.quote(view, terms)
          }
          handlers.onRequest!(request, new Proxy(desk, {
            get(target, member) {
              const value: unknown = Reflect.get(target, member)
              if (member === 'quote') return quote
              return typeof value === 'function' ? value.bind(target) as unknown : value
            },
          }))
        },
      }
    },
  }
  const maker = { ...makerEntry(name, strategy), values: parameterValues(random.parameters), faults: NO_FAULTS, latency: latency(jitterUs) }
  const config: SessionConfig = sessionConfig(60, { makers: [maker], cohorts: bettors })
  const log = new RowLog()
  if (isOutcome) new Session({ ...onOutcome(config as ReturnType<typeof sessionConfig>), sinks: [new OutcomeLog()] }).runToEnd()
  else new Session({ ...config, sinks: [log] }).runToEnd()
  return { markups, log }
}

describe.each([['parlay', false], ['outcome', true]] as const)('the mark-ups of a random maker on the %s service', (_, isOutcome) => {
  const alone = played({ bettors: [noise], isOutcome }).markups
  /** Contents that both runs quoted, and how many of them at one mark-up. */
  const shared = (other: Map<string, number>): [number, number] => {
    const both = [...alone].filter(([content]) => other.has(content))
    return [both.length, both.filter(([content, markup]) => other.get(content) === markup).length]
  }

  it.each([
    ['another cohort asks besides', { bettors: [noise, informed] }], ['another cohort asks before', { bettors: [informed, noise] }],
    ['its way has a jitter', { bettors: [noise], jitterUs: 50_000 }],
  ])('stay what they are when %s', (__, play) => {
    const [both, same] = shared(played({ ...play, isOutcome }).markups)
    expect(both).toBeGreaterThan(100)
    expect(same).toBe(both)
  })

  it('are others for a maker of another name', () => {
    const [both, same] = shared(played({ bettors: [noise], isOutcome, name: 'other' }).markups)
    expect(both).toBeGreaterThan(100)
    expect(same).toBeLessThan(3)
  })
})

it('a random maker declines no selection, the cheapest of its quotes included', () => {
  const { log: { rows } } = played({ bettors: [noise] })
  expect(ofKind(rows, ParlayEvent.quoteFailed, QuoteFailed).filter(({ isDeclined }) => isDeclined === 1)).toEqual([])
  expect(rows.filter(({ kind }) => kind === ParlayEvent.quoteFilled).length).toBeGreaterThan(20)
})
