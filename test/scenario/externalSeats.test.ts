import { describe, expect, it } from 'vitest'
import { Session } from '../../src/engine/session.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario } from '../../src/scenario/run.ts'
import { mistakes, newFolder, put, SMALL } from './small.ts'

const WITH_CLIENTS = SMALL.replace('makers:\n', 'makers:\n  - { external: true, name: ours, capital: 5000 USDC }\n')
  .replace('bettors:\n', 'bettors:\n  - { external: true, name: me, account: ours }\n  - { external: true, bankroll: 100 USDC }\n')

const served = (text: string) => prepareScenario(loadScenario(put(newFolder(), 'small.yaml', text)), () => {}, { isServed: true })

describe('a seat that a client holds', () => {
  it('stands among the others, and alone says that it is external', async () => {
    const { resolved } = await served(WITH_CLIENTS)
    expect(resolved.makers.map(({ name, strategy, external }) => [name, strategy, external])).toEqual([
      ['ours', 'external', true], ['fixed-margin', 'fixed-margin', undefined], ['shade', 'shade', undefined], ['shade-2', 'shade', undefined],
    ])
    expect(resolved.bettors.slice(0, 2)).toMatchObject([
      { name: 'me', external: true, bettors: 1, account: 'ours' }, { name: 'external', external: true, bettors: 1, bankrollMicros: 100_000_000 },
    ])
    expect(resolved.makers.slice(1).every((seat) => !Object.hasOwn(seat, 'external'))).toBe(true)
  })

  it('is told what a maker is told, as soon as it happens when the clock is the wall’s, and after its way in lockstep', async () => {
    const prepared = await served(WITH_CLIENTS)
    const firstOf = (clock: 'wall' | 'lockstep') => {
      const kinds = new Set<string>()
      let firstUs = 0
      const { config } = buildSession(prepared.resolved, prepared.strategies, prepared.store, {
        clock, hear: (seat, message) => {
          kinds.add(message.kind)
          expect(seat.name).toBe('ours')
          if (firstUs === 0 && message.kind === 'onRequest') firstUs = message.view.deliveredAtUs
        },
      })
      const session = new Session({ ...config, sinks: [] })
      session.runToEnd()
      expect(session.counts.arrivals).toBeGreaterThan(100)
      return { firstUs, kinds: [...kinds].toSorted() }
    }
    const wall = firstOf('wall')
    expect(wall.kinds).toEqual(['onBest', 'onRequest'])
    // 25 ms is the default way from the service to a participant.
    expect(firstOf('lockstep')).toEqual({ firstUs: wall.firstUs + 25_000, kinds: wall.kinds })
  })

  it('is reached behind a gate in lockstep without its client, and by the wall’s clock not before the client has opened a stream', async () => {
    const prepared = await served(WITH_CLIENTS.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }'))
    const deliveredTo = (clock: 'wall' | 'lockstep') => {
      const { config } = buildSession(prepared.resolved, prepared.strategies, prepared.store, { clock, hear: () => {} })
      const session = new Session({ ...config, sinks: [] })
      session.runToEnd()
      return Object.fromEntries(session.deliveredRequests().map(({ name, requests }) => [name, requests]))
    }
    const [wall, lockstep] = [deliveredTo('wall'), deliveredTo('lockstep')]
    expect(lockstep['ours']).toBeGreaterThan(100)
    expect(wall).toEqual({ ...lockstep, ours: 0 })
  })

  it('is a mistake where no client can come', async () => {
    expect(await mistakes(SMALL, WITH_CLIENTS)).toEqual([
      '8 bettors.0.external: a client holds this seat, and none can come', '9 bettors.1.external: a client holds this seat, and none can come',
      '13 makers.0.external: a client holds this seat, and none can come',
    ])
  })

  it('is no strategy’s too, and has no part that its client has', async () => {
    const maker = (entry: string) => mistakes('{ use: fixed-margin, capital: 50000 USDC }', `{ ${entry} }`)
    expect(await maker('external: true, use: shade')).toEqual(['11 makers.0.use: a seat is a strategy\'s or a client\'s: expected use, or external: true'])
    expect(await maker('use: external')).toEqual(['11 makers.0.use: is no strategy; the seat of a client is external: true'])
    expect(await maker('name: nobody')).toEqual(['11 makers.0: expected use: a strategy, or external: true for the seat of a client'])
    expect(await maker('external: false')).toEqual(['11 makers.0.external: expected true, or no such key, got false'])
    expect(await maker('external: true, params: { margin: 1% }')).toEqual(['11 makers.0.params: the seat of a client has no strategy, and no parameters'])
    expect(await maker('external: true, layOff: {}')).toEqual(['11 makers.0.layOff: the client of a seat lays off as it likes'])
    expect(await maker('external: true, faults: { ignore: 5% }')).toEqual(['11 makers.0.faults: the client of a seat has faults of its own'])
    expect(await maker('external: true, faults: { missConfirm: 5% }')).toEqual(['11 makers.0.faults: the client of a seat has faults of its own'])
    const bettor = (entry: string) => mistakes('{ kind: noise, n: 100, every: 10m }', `{ ${entry} }`)
    expect(await bettor('external: true, n: 2')).toEqual(['8 bettors.0: unknown key n; did you mean name?'])
    expect(await bettor('external: false')).toEqual(['8 bettors.0.external: expected true, or no such key'])
  })
})
