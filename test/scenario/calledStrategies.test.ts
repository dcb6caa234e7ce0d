import { basename } from 'node:path'
import { expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { type Called, calledIn, calledStrategy } from '../../src/agent/calledStrategy.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { Session } from '../../src/engine/session.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { prepareScenario } from '../../src/scenario/run.ts'
import type { Strategy } from '../../src/scenario/strategies.ts'
import { newFolder, put, SMALL } from './small.ts'

const SCENE = SMALL.replace('{ kind: noise, n', '{ name: seer, use: ./seer.ts, n').replace('{ use: fixed-margin, capital', '{ name: checked, use: ./checked.ts, count: 2, capital')

/** Two participants whose strategies say of each call by whose name a watching thread would see it. */
function strategies(seen: string[], horizonUs = (): number => 1000) {
  let names: readonly string[] = []
  const see = (): void => {
    const { who, handler }: Called = calledIn(calledStrategy.cell, names)
    seen.push(`${handler} of ${who}`)
  }
  const checked: MakerStrategy = { role: 'maker', parameters: {}, create: () => { see(); return {} }, check: () => { see(); return undefined } }
  const seer: BettorStrategy = {
    role: 'bettor', parameters: {}, create: () => { see(); return { onArrival() {}, onDecision() {} } },
    horizonUs: () => { see(); return horizonUs() },
  }
  const files: Readonly<Record<string, Strategy>> = { 'checked.ts': checked, 'seer.ts': seer }
  const begins = (all: readonly string[]): void => {
    names = all
    calledStrategy.listen(all)
  }
  return { files, begins }
}

async function prepared({ files, begins }: ReturnType<typeof strategies>) {
  const folder = newFolder()
  for (const name of Object.keys(files)) put(folder, name, '')
  const importFile = (path: string): Promise<Strategy> => Promise.resolve(files[basename(path)]!)
  return prepareScenario(loadScenario(put(folder, 'small.yaml', SCENE)), undefined, { importFile, begins })
}

it('every call of a strategy is announced with its participant: the check, how far it sees, and what makes handlers', async () => {
  const seen: string[] = []
  const { resolved, strategies: set, store } = await prepared(strategies(seen))
  expect(seen.splice(0)).toEqual(['check of checked', 'horizonUs of seer'])
  expect(resolved.oracles).toContainEqual({ cohort: 'seer', horizonUs: 1000 })
  const session = new Session({ ...buildSession(resolved, set, store).config, sinks: [] })
  expect(session.counts.arrivals).toBe(0)
  expect(seen).toEqual(['create of seer', 'create of checked', 'create of checked-2'])
  expect(calledIn(calledStrategy.cell, ['checked']).who).toBeNull()
})

it.each([-5.5, -1, 0.5, NaN, Infinity, 2 ** 53])('a bettor that says it sees %d µs ahead is a mistake where the scenario names it', async (aheadUs) => {
  const failure: unknown = await prepared(strategies([], () => aheadUs)).catch((error: unknown) => error)
  expect((failure as ScenarioMistakes).mistakes).toMatchObject([{ path: 'bettors.0.use', message: `the strategy's horizonUs returns ${aheadUs}, which is no whole number from 0 on` }])
})

it('a bettor sees nothing ahead, or as far as a number says', async () => {
  for (const aheadUs of [0, 1, 2 ** 53 - 1]) expect((await prepared(strategies([], () => aheadUs))).resolved.oracles).toContainEqual({ cohort: 'seer', horizonUs: aheadUs })
})

it('a bettor that cannot say how far it sees is a mistake where the scenario names it', async () => {
  const failure: unknown = await prepared(strategies([], () => { throw new TypeError('no horizon') })).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ScenarioMistakes)
  expect((failure as ScenarioMistakes).mistakes).toMatchObject([{ path: 'bettors.0.use', message: "the strategy's horizonUs throws TypeError: no horizon", hint: 'expected it to return how far ahead it sees, in µs' }])
  expect(calledIn(calledStrategy.cell, ['checked']).who).toBeNull()
})
