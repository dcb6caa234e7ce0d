import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { parlor } from '../cli/parlor.ts'
import { redisVersion } from './redis.ts'
import { planOf, planText, play, playWhole, SESSIONS, TROUBLES, type Whole } from './troubles/world.ts'

// The soak plays more of them, from other seeds (bench/soak.ts).
const ROUNDS = Number(process.env['PARLOR_TROUBLES'] ?? 1)
/** The command is killed, the server too and loses what it had, a worker stands still, connections are cut, and a disk is full. */
const SEED = Number(process.env['PARLOR_TROUBLES_SEED'] ?? 9)

const hasBwrap = spawnSync('bwrap', ['--dev-bind', '/', '/', '--size', '65536', '--tmpfs', '/tmp', 'true']).status === 0
if (!hasBwrap && process.env['PARLOR_BWRAP'] === 'required') throw new Error('PARLOR_BWRAP=required, and bwrap makes no small disk here')
if (!hasBwrap) console.warn('NOT TESTED: full disks of a fleet, since no bwrap makes a small one here')
const troubles = TROUBLES.filter((trouble) => hasBwrap || trouble !== 'a disk is full')

describe.skipIf(redisVersion() === null)('a fleet in trouble', () => {
  let whole: Whole
  beforeAll(async () => { whole = await playWhole(parlor) })

  it.each(Array.from({ length: ROUNDS }, (_, round) => planOf(SEED + round, troubles)).map((plan) => [planText(plan), plan] as const))('leaves what one machine leaves: %s', async (_, plan) => {
    const { ended, bytes, sessions, failures, unmeant } = await play(plan, whole)
    expect([ended, unmeant]).toMatchObject([{ code: 1 }, []])
    const { played, kept, failed } = JSON.parse(ended.out) as Record<'played' | 'kept' | 'failed', number>
    expect({ total: played + kept + failed, sessions, failures }).toEqual({ total: SESSIONS, sessions: 8, failures: 4 })
    expect(bytes).toEqual(whole.bytes)
  })
})
