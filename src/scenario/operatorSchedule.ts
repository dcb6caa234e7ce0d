import { type OperatorInput, type ServiceName, WITHDRAWS, Withdraws } from '../engine/config.ts'
import { MarketOp, SetFault } from '../venue/contract.ts'
import { ChannelBit } from '../venue/outcome/protocol/access.ts'
import { OutcomeOp, Resnapshot } from '../venue/outcome/protocol/commands.ts'
import { ParlayFault, ParlayOp, SetDeliveries, SetWallet } from '../venue/parlay/protocol/commands.ts'
import { OUTCOME_FAULTS } from './outcomeSchema.ts'
import type { ResolvedFault, ResolvedServices, ResolvedStops, ResolvedWithdrawal } from './resolved.ts'

/**
 * The operator's inputs: those of history, with the faults, halts and delistings of a scenario among them. An announcement
 * would put a market back on the list, so that of a halted one waits for its resumption, and a delisted one has none.
 */
export function operatorWith(
  inputs: readonly OperatorInput[], { parlay, outcome }: ResolvedServices, { halts = [], delistings = [] }: ResolvedStops, parts: {
    fromUs: number; marketOf: (ticker: string) => number; accountsOf: (name: string) => readonly number[]
  },
): readonly OperatorInput[] {
  const { fromUs, marketOf, accountsOf } = parts
  const added = [
    ...(parlay?.walletsOff ?? []).flatMap(accountsOf)
      .map((account): OperatorInput => ({ atUs: fromUs, op: ParlayOp.setWallet, service: 'parlay', market: -1, [SetWallet.walletOf]: account, [SetWallet.isOnRecord]: 0 })),
    ...(parlay?.deliveriesOff ?? []).flatMap(accountsOf)
      .map((account): OperatorInput => ({ atUs: fromUs, op: ParlayOp.setDeliveries, service: 'parlay', market: -1, [SetDeliveries.deliveriesOf]: account, [SetDeliveries.isOn]: 0 })),
    ...(parlay?.faults ?? []).flatMap((fault) => switches('parlay', ParlayOp.setFault, ParlayFault[fault.fault], fault)),
    ...(outcome?.faults ?? []).flatMap((fault) => switches('outcome', OutcomeOp.setFault, OUTCOME_FAULTS[fault.fault], fault)),
    ...(outcome?.resnapshots ?? [])
      .map(({ channel, atUs }): OperatorInput => ({ atUs, op: OutcomeOp.resnapshot, service: 'outcome', market: -1, [Resnapshot.channel]: ChannelBit[channel] })),
  ]
  if (added.length + halts.length + delistings.length === 0) return inputs
  const offUs = new Map(delistings.map(({ market, atUs }) => [marketOf(market), atUs]))
  const stops = halts.map(({ market, fromUs: atUs, untilUs }) => ({ market: marketOf(market), fromUs: atUs, untilUs }))
  const listing: ReadonlySet<number> = new Set([MarketOp.list, MarketOp.halt])
  const kept = inputs.flatMap((input): OperatorInput[] => {
    if (listing.has(input.op) && input.atUs >= (offUs.get(input.market) ?? Infinity)) return []
    if (input.op !== MarketOp.list) return [input]
    const stop = stops.find((halt) => halt.market === input.market && input.atUs > halt.fromUs && input.atUs < (halt.untilUs ?? Infinity))
    if (stop === undefined) return [input]
    return stop.untilUs === null ? [] : [{ ...input, atUs: stop.untilUs }]
  })
  const stopped: OperatorInput[] = [
    ...stops.flatMap(({ market, fromUs: atUs, untilUs }) => [
      { atUs, op: MarketOp.halt, market },
      ...(untilUs === null ? [] : [{ atUs: untilUs, op: MarketOp.resume, market }]),
    ]),
    ...delistings.map(({ market, atUs }) => ({ atUs, op: MarketOp.delist, market: marketOf(market) })),
  ]
  // Array.prototype.sort is stable: at equal instants what history has comes first.
  return [...kept, ...added, ...stopped].sort((a, b) => a.atUs - b.atUs)
}

/** A fault that goes on and off. */
const switches = (service: ServiceName, op: number, fault: number, { fromUs, untilUs }: Pick<ResolvedFault<string>, 'fromUs' | 'untilUs'>): OperatorInput[] => [
  { atUs: fromUs, op, service, market: -1, [SetFault.fault]: fault, [SetFault.isOn]: 1 },
  { atUs: untilUs, op, service, market: -1, [SetFault.fault]: fault, [SetFault.isOn]: 0 },
]

/** The operator's inputs with withdrawals among them, after what is there at the same instant. */
export function withWithdrawals(
  inputs: readonly OperatorInput[], withdrawals: readonly ResolvedWithdrawal[], accountsOf: (name: string) => readonly number[],
): readonly OperatorInput[] {
  if (withdrawals.length === 0) return inputs
  const added = withdrawals.flatMap(({ of, service, first, atUs, amountMicros }) => accountsOf(of).slice(0, first)
    .map((account): OperatorInput => ({ atUs, op: WITHDRAWS, service, market: -1, [Withdraws.from]: account, [Withdraws.amountMicros]: amountMicros })))
  // Array.prototype.sort is stable.
  return [...inputs, ...added].sort((a, b) => a.atUs - b.atUs)
}
