import { NONE } from '../../../src/unit/none.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { LIMB } from '../../../src/venue/outcome/protocol/outcomeId.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { type Fields, flawOf, OPERATOR, pickOf, type Scene, unresolvedOutcomes } from './scene.ts'
import { isUnresolved, itemsOf, type Leg } from './state.ts'
import { Resolve, SetFault } from '../../../src/venue/contract.ts'

/** Operator commands that intents become. */

/** An outcome_id of one to three limbs that does not rise with the outcome's number. */
export const idOf = (number: number): number[] => {
  const last = (number * 7_919) % 1_000
  return number % 3 === 0 ? [last + 1] : number % 3 === 1 ? [1 + (number % 2), last] : [1, LIMB - 1 - number, last]
}

export function listOutcome(intent: Intent, { state, nowUs }: Scene): Fields {
  const known = itemsOf(state.outcomes).map((outcome) => outcome.number)
  const open = unresolvedOutcomes(state).map((outcome) => outcome.number)
  const isFresh = open.length < 6 || intent.flaw < 30
  const below = known.filter((number) => number < 1_000)
  const outcome = isFresh ? Math.max(-1, ...below) + 1 : pickOf(intent.flaw < 80 && open.length > 0 ? open : known, intent.pick) ?? 0
  const lifeUs = intent.amount % 7 === 6 ? intent.amount : 30_000_000 + intent.amount * 300
  const fields = { outcome, closeUs: nowUs + 1 + lifeUs, list: idOf(outcome) }
  const flaws: Partial<ModelCommand>[] = [
    { outcome: NONE }, { outcome: 1_048_576 }, { outcome: 0.5 }, { outcome: -0 }, { closeUs: 0 }, { closeUs: -1 }, { closeUs: nowUs + 0.5 },
    { closeUs: NaN }, { closeUs: 1 }, { listCount: Infinity }, { listCount: 3e8 }, { listCount: NaN }, { listCount: 0 }, { listCount: 0.5 },
    { list: [0, 1] }, { list: [LIMB] }, { list: [-1] }, { list: idOf(pickOf(known, intent.amount) ?? 0) }, { list: [...idOf(outcome), 1] },
    { list: Array.from({ length: 17 }, () => 1) },
  ]
  const flaw = flawOf(intent, 88, flaws)
  return [OutcomeOp.listOutcome, OPERATOR, { ...fields, ...(flaw.list === undefined ? flaw : { ...flaw, listCount: flaw.list.length }) }]
}

export function resolveOutcome(intent: Intent, scene: Scene): Fields {
  const { state } = scene
  const isUnknown = (leg: Leg) => state.outcomes.get(leg.outcome)!.result === NONE
  const positions = itemsOf(state.positions)
  const traded = [...positions, ...itemsOf(state.rfqs, (rfq) => isUnresolved(rfq))]
  const legsOf = (items: readonly { readonly legs: readonly Leg[] }[]): Leg[] => items.flatMap(({ legs }) => legs).filter(isUnknown)
  // The other legs of a position that a void leg decided: one more may be lost before its batch.
  const late = pickOf(legsOf(positions.filter((position) => position.settlesAtUs !== null)), intent.pick)
  if (late !== undefined && intent.flaw < 30) return [OutcomeOp.resolveOutcome, OPERATOR, { outcome: late.outcome, [Resolve.result]: 1 - late.side }]
  const leg = pickOf(legsOf(traded), intent.pick)
  if (leg !== undefined && intent.flaw < 70) {
    const value = intent.amount % 10 < 6 ? leg.side : intent.amount % 10 < 8 ? 1 - leg.side : 2
    return [OutcomeOp.resolveOutcome, OPERATOR, { outcome: leg.outcome, [Resolve.result]: value === 0 && intent.amount % 3 === 0 ? -0 : value }]
  }
  const value = intent.flaw >= 92 && intent.flaw < 96 ? [-1, 3, 0.5, NaN][intent.pick % 4]! : intent.amount % 3
  return [OutcomeOp.resolveOutcome, OPERATOR, { outcome: outcomeFor(intent, scene), value }]
}

export const haltOutcome = (intent: Intent, scene: Scene): Fields =>
  [OutcomeOp.haltOutcome, OPERATOR, { outcome: outcomeFor(intent, scene) }]

export function resumeOutcome(intent: Intent, scene: Scene): Fields {
  const isHalted = (number: number) => scene.state.outcomes.get(number)!.halted
  return [OutcomeOp.resumeOutcome, OPERATOR, { outcome: outcomeFor(intent, scene, isHalted) }]
}

export const delistOutcome = (intent: Intent, scene: Scene): Fields =>
  [OutcomeOp.delistOutcome, OPERATOR, { outcome: outcomeFor(intent, scene) }]

export function setFees(intent: Intent): Fields {
  const rates = [20, 0, -0, 37, 250, 10_000, 100, 333]
  const bad = [-1, 10_001, 0.5, NaN]
  // An entry fee of everything leaves nothing to trade: rare.
  const value = rates[intent.pick % (intent.amount % 8 === 7 ? rates.length : 5)]!
  const value2 = rates[intent.who % rates.length]!
  const wrong = bad[intent.pick % bad.length]!
  const rateFields = intent.flaw < 90 ? { value, value2 } : intent.flaw < 95 ? { value, value2: wrong } : { value: wrong, value2 }
  return [OutcomeOp.setFees, OPERATOR, rateFields]
}

/** Switches off what is on more often than on what is not. */
export function setFault(intent: Intent, { state }: Scene): Fields {
  if (intent.flaw >= 95) {
    const bad = [[0, 0], [6, 1], [1.5, 0], [1, 2], [2, NaN], [-1, 1]] as const
    const [value, value2] = bad[intent.pick % bad.length]!
    return [OutcomeOp.setFault, OPERATOR, { value, value2 }]
  }
  const on = pickOf(state.faults, intent.pick)
  if (on !== undefined && intent.flaw < 75) return [OutcomeOp.setFault, OPERATOR, { [SetFault.fault]: on, [SetFault.isOn]: intent.flaw < 40 ? 0 : -0 }]
  return [OutcomeOp.setFault, OPERATOR, { [SetFault.fault]: 1 + (intent.pick % 5), [SetFault.isOn]: intent.flaw < 92 ? 1 : 0 }]
}

function outcomeFor(intent: Intent, { state }: Scene, isWanted: (number: number) => boolean = () => true): number {
  if (intent.flaw >= 96) return [NONE, 500_000, 0.5, NaN, 1_048_576][intent.pick % 5]!
  const open = unresolvedOutcomes(state).filter((outcome) => outcome.listed).map((outcome) => outcome.number)
  const wanted = open.filter(isWanted)
  const all = itemsOf(state.outcomes).map((outcome) => outcome.number)
  return pickOf(intent.flaw >= 80 ? all : wanted.length > 0 ? wanted : open, intent.pick) ?? 0
}
