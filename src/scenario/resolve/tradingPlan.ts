import { MARKET_CLOSES } from '../../engine/config.ts'
import { type OperatorPlan, planOperator, type SettlementPolicy } from '../../engine/operatorInputs.ts'
import type { DepthHistory } from '../../feed/history/depthHistory.ts'
import { rootKey } from '../../kernel/random.ts'
import { seedOfPart } from '../../kernel/seeds.ts'
import { CatalogueIndex } from '../../market/catalogue.ts'
import type { Catalogue, Market } from '../../market/market.ts'
import { sourceOf, type TickHistory } from '../../market/tickSource.ts'
import { sourceBefore } from '../../market/tickWindow.ts'
import { MarketOp } from '../../venue/contract.ts'
import type { ScenarioFile } from '../schema.ts'
import { instantText } from '../../unit/time.ts'
import type { Window } from './window.ts'

/** What a scenario needs to know of its history. */
export interface ScenarioHistory {
  readonly catalogue: Catalogue
  readonly ticks: TickHistory
  /** Absent or null where nothing is known below the best prices of books. */
  readonly depth?: DepthHistory | null
}

/** When a market is traded, as history has it, µs. */
export interface Trading {
  readonly listedUs: number
  /** The first instant at which its trading is over. */
  readonly endUs: number
}

export const settlementOf = ({ settlement: { lag, missing, scalar, outcomes, correlation, within = 'all' } }: ScenarioFile): SettlementPolicy => ({
  lagUs: lag, missing, scalar, ...(outcomes === 'drawn' ? { outcomes } : {}), ...(correlation === undefined ? {} : { correlation: { share: correlation, within } }),
})

/** What the operator will do with the markets of a history, planned when it is first asked for: most scenarios name no market. */
export class TradingPlan {
  private readonly catalogue: Catalogue
  private readonly policy: SettlementPolicy
  private readonly window: Window | undefined
  private readonly plan: (window: Window) => OperatorPlan
  private planned: OperatorPlan | undefined
  private indexed: CatalogueIndex | undefined

  constructor(file: ScenarioFile, { catalogue, ticks }: ScenarioHistory, window: Window | undefined) {
    this.catalogue = catalogue
    this.policy = settlementOf(file)
    this.window = window
    this.plan = ({ fromUs, toUs }) =>
      (this.planned ??= planOperator(catalogue.markets, sourceBefore(sourceOf(ticks), toUs), fromUs, toUs, this.policy, rootKey(seedOfPart(file, 'outcomes'))))
  }

  get index(): CatalogueIndex {
    return (this.indexed ??= new CatalogueIndex(this.catalogue))
  }

  /** Undefined for a market that is not traded in the session. */
  tradingOf({ number }: Market): Trading | undefined {
    if (this.window === undefined) return undefined
    const own = this.plan(this.window).inputs.filter((input) => input.market === number)
    const listed = own.find(({ op }) => op === MarketOp.list)
    const end = own.find(({ op }) => op === MARKET_CLOSES || op === MarketOp.halt || op === MarketOp.resolve)
    return listed === undefined || end === undefined ? undefined : { listedUs: listed.atUs, endUs: end.atUs }
  }

  /** Why a market cannot be traded in the session; undefined when it can. */
  leftOut({ number, outcome }: Market): string | undefined {
    const { window, policy } = this
    if (window === undefined || this.plan(window).outcomes.atUs[number] !== Infinity) return undefined
    if (outcome === null && policy.missing === 'exclude' && policy.outcomes !== 'drawn') return 'it has no outcome, and settlement.missing leaves such markets out'
    if (outcome === 'scalar' && policy.scalar === 'exclude') return 'it settled between yes and no, and settlement.scalar leaves such markets out'
    return `it has no price from ${instantText(window.fromUs)} to ${instantText(window.toUs)}, or only after its close`
  }
}
