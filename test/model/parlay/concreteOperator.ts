import { NONE } from '../../../src/unit/none.ts'
import { ParlayFault, ParlayOp, SetWallet } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { activeAuctions } from './concreteCashOut.ts'
import { ACCOUNTS, type Fields, flawOf, OPERATOR, pickOf, type Scene } from './scene.ts'
import { bestBidOf, type Leg, openPositions, pendingRequests } from './state.ts'
import { Resolve, SetFault } from '../../../src/venue/contract.ts'

/** Operator commands that intents become. */
export function listMarket(intent: Intent, { state, nowUs }: Scene): Fields {
  const known = [...state.markets.keys()]
  const open = [...state.markets.values()].filter((market) => market.result === NONE)
  const isFresh = open.length < 6 || intent.flaw < 30
  const listedBefore = intent.flaw < 80 && open.length > 0 ? open.map((one) => one.number) : known
  const market = isFresh ? Math.max(-1, ...known) + 1 : pickOf(listedBefore, intent.pick)!
  const lifeUs = intent.amount % 7 === 6 ? intent.amount : 30_000_000 + intent.amount * 300
  const fields = { market, closeUs: nowUs + 1 + lifeUs, list: keysOf(intent) }
  const flaws: Partial<ModelCommand>[] = [
    { market: NONE }, { market: 1_048_576 }, { market: 0.5 }, { market: -0 }, { closeUs: 0 }, { closeUs: -1 },
    { closeUs: nowUs + 0.5 }, { closeUs: NaN }, { closeUs: 1 }, { listCount: Infinity }, { listCount: 3e8 }, { listCount: NaN },
  ]
  return [ParlayOp.listMarket, OPERATOR, { ...fields, ...flawOf(intent, 90, flaws) }]
}

export function resolveMarket(intent: Intent, scene: Scene): Fields {
  const unresolved = (leg: Leg) => scene.state.markets.get(leg.market)!.result === NONE
  const traded = [...openPositions(scene.state), ...pendingRequests(scene.state)]
  const legs = traded.flatMap(({ legs }) => legs).filter(unresolved)
  const leg = pickOf(legs, intent.pick)
  if (leg !== undefined && intent.flaw < 70) {
    const value = intent.amount % 10 < 7 ? leg.side : intent.amount % 10 < 9 ? 1 - leg.side : 2
    return [ParlayOp.resolveMarket, OPERATOR, { market: leg.market, [Resolve.result]: value === 0 && intent.amount % 3 === 0 ? -0 : value }]
  }
  const value = intent.flaw >= 92 ? [-1, 3, 0.5, NaN][intent.pick % 4]! : intent.amount % 3
  return [ParlayOp.resolveMarket, OPERATOR, { market: marketFor(intent, scene), value }]
}

/** Exclusion keys from a small set, so that markets often share one. */
function keysOf(intent: Intent): number[] {
  const keys = [intent.who % 9, intent.pick % 9, intent.who % 9]
  return keys.slice(0, intent.amount % 4)
}

export const haltMarket = (intent: Intent, scene: Scene): Fields => [ParlayOp.haltMarket, OPERATOR, { market: marketFor(intent, scene) }]

export function resumeMarket(intent: Intent, scene: Scene): Fields {
  const isHalted = (number: number) => scene.state.markets.get(number)!.halted
  return [ParlayOp.resumeMarket, OPERATOR, { market: marketFor(intent, scene, isHalted) }]
}

export const delistMarket = (intent: Intent, scene: Scene): Fields => [ParlayOp.delistMarket, OPERATOR, { market: marketFor(intent, scene) }]

export function setFees(intent: Intent): Fields {
  const rates = [100, 0, -0, 37, 250, 10_000, 100, 333]
  const bad = [-1, 10_001, 0.5, NaN]
  const value = rates[intent.pick % rates.length]!
  const value2 = rates[intent.who % rates.length]!
  const wrong = bad[intent.pick % bad.length]!
  const rateFields = intent.flaw < 90 ? { value, value2 } : intent.flaw < 95 ? { value, value2: wrong } : { value: wrong, value2 }
  return [ParlayOp.setFees, OPERATOR, rateFields]
}

/** Switches off what is on more often than on what is not. */
export function setFault(intent: Intent, { state }: Scene): Fields {
  if (intent.flaw >= 95) {
    const bad = [[0, 0], [9, 1], [1.5, 0], [1, 2], [2, NaN], [-1, 1]] as const
    const [value, value2] = bad[intent.pick % bad.length]!
    return [ParlayOp.setFault, OPERATOR, { value, value2 }]
  }
  const on = pickOf(state.faults, intent.pick)
  if (on !== undefined && intent.flaw < 60) return [ParlayOp.setFault, OPERATOR, { [SetFault.fault]: on, [SetFault.isOn]: intent.flaw < 30 ? 0 : -0 }]
  const { chainUnclear, chainDropped, mirrorBehind } = ParlayFault
  const value = [1, 2, chainUnclear, chainDropped, mirrorBehind, 6, 7, 8, chainUnclear, chainDropped, mirrorBehind][intent.pick % 11]!
  return [ParlayOp.setFault, OPERATOR, { value, [SetFault.isOn]: intent.flaw < 92 ? 1 : 0 }]
}

/** Takes wallets off, backers' with the best bid above all, and puts them back. */
export function setWallet(intent: Intent, { state }: Scene): Fields {
  const backers = activeAuctions(state).flatMap((auction) => {
    const { backer } = state.positions.get(auction.position)!
    return bestBidOf(state, auction.number)?.maker === backer ? [backer] : []
  })
  const isBack = state.walletsOff.length > 0 && intent.flaw < 50
  const value = isBack ? pickOf(state.walletsOff, intent.pick)! : pickOf(backers, intent.pick) ?? pickOf(ACCOUNTS, intent.who)!
  const flaws: Partial<ModelCommand>[] = [
    { value: -1 }, { value: 16_777_216 }, { value: -0 }, { value: 0.5 }, { value: NaN }, { value2: 2 }, { value2: NaN }, { value2: NONE },
    { value: 16_777_215 },
  ]
  return [ParlayOp.setWallet, OPERATOR, { value, [SetWallet.isOnRecord]: isBack ? 1 : 0, ...flawOf(intent, 90, flaws) }]
}

function marketFor(intent: Intent, { state }: Scene, isWanted: (number: number) => boolean = () => true): number {
  if (intent.flaw >= 96) return [NONE, 500_000, 0.5, NaN][intent.pick % 4]!
  const all = [...state.markets.keys()]
  const open = all.filter((number) => state.markets.get(number)!.listed && state.markets.get(number)!.result === NONE)
  const wanted = open.filter(isWanted)
  return pickOf(intent.flaw >= 80 ? all : wanted.length > 0 ? wanted : open, intent.pick) ?? 0
}
