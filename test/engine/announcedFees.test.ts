import { expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { Session } from '../../src/engine/session.ts'
import { ParlayOp, SetFees } from '../../src/venue/parlay/protocol/commands.ts'
import { cohorts, sessionConfig, WORLD_START_US } from './world.ts'

const CHANGED_US = WORLD_START_US + 20_000_000

/** The fee that each bettor knows of as it arrives, and when. */
function known(): [number, number][] {
  const seen: [number, number][] = []
  const strategy = { role: 'bettor', parameters: {}, create: () => ({ onArrival: (_, desk) => void seen.push([desk.nowUs, desk.takerFeeBps]), onDecision: () => {} }) } as BettorStrategy
  const base = sessionConfig(40)
  const session = new Session({
    ...base, operator: [...base.operator, { atUs: CHANGED_US, op: ParlayOp.setFees, market: -1, [SetFees.takerFeeBps]: 250, [SetFees.profitFeeBps]: 0 }].sort((a, b) => a.atUs - b.atUs),
    parlay: { ...base.parlay, profile: { ...base.parlay.profile, takerFeeBps: 100 }, makers: [], cohorts: [{ ...cohorts[0]!, strategy, values: {} }] },
  })
  session.runToEnd()
  return seen
}

it('bettors know the fee of the profile, and another from its announcement on, not before', () => {
  const seen = known()
  const before = seen.filter(([atUs]) => atUs < CHANGED_US)
  const after = seen.filter(([atUs]) => atUs > CHANGED_US)
  expect([before.length > 5, after.length > 5]).toEqual([true, true])
  expect([new Set(before.map(([, bps]) => bps)), new Set(after.map(([, bps]) => bps))]).toEqual([new Set([100]), new Set([250])])
})
