import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { serve } from '../../src/actions/serve.ts'
import { newFolder } from '../scenario/small.ts'
import { OBJECT } from './small.ts'

it.each(['wall', 'lockstep'] as const)('a function of the caller that throws ends a served session with that, and nothing is left (%s)', async (clock) => {
  const folder = newFolder()
  const scenario = loadScenario({ ...OBJECT, services: { parlay: { profile: 'parlay@2.1', gate: {} } }, makers: [{ external: true, name: 'ours', capital: '50000 USDC' }] })
  const own = new Error('not wanted')
  let credentials: string | null = null
  const served = serve(scenario, {
    out: join(folder, 'out'), pace: clock === 'wall' ? { clock, speed: 1 } : { clock, patienceMs: 60_000 },
    onServing: (serving) => {
      credentials = serving.credentials
      expect(existsSync(credentials)).toBe(true)
      throw own
    },
  })
  await expect(served).rejects.toBe(own)
  expect(credentials).not.toBeNull()
  expect(readdirSync(folder)).toEqual([])
})
