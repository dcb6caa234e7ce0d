import { nearestName } from '../../unit/nearestName.ts'
import type { Fail, Path } from '../mistakes.ts'
import type { ResolvedDelisting, ResolvedHalt, ResolvedStops } from '../resolved.ts'
import type { ScenarioFile } from '../schema.ts'
import { instantText } from '../../unit/time.ts'
import type { Check } from './draft.ts'
import { checkStart } from './services.ts'
import type { TradingPlan } from './tradingPlan.ts'
import { instantOf, type Window } from './window.ts'

interface HaltDraft extends ResolvedHalt {
  /** The halt's place in the file. */
  readonly i: number
}

/** The halts of a scenario in order of time; one whose market is over or delisted before it ends has no end. */
function haltsOf({ halts, delist }: ScenarioFile, window: Window, plan: TradingPlan): HaltDraft[] {
  return halts.map(({ market: ticker, from, for: lengthUs }, i) => {
    const fromUs = instantOf(from, window)
    const market = plan.index.ofTicker(ticker)
    const delisted = delist.find((other) => other.market === ticker)
    const endUs = market === undefined ? 0 : plan.tradingOf(market)?.endUs ?? 0
    const overUs = Math.min(endUs, delisted === undefined ? Infinity : instantOf(delisted.at, window))
    const untilUs = fromUs + lengthUs
    return { market: ticker, fromUs, untilUs: untilUs < overUs ? untilUs : null, i }
  }).toSorted((a, b) => a.fromUs - b.fromUs)
}

/** Fills in the halts and delistings of a scenario. */
export function stopsOf(file: ScenarioFile, window: Window, plan: TradingPlan): ResolvedStops {
  const halts = haltsOf(file, window, plan).map(({ market, fromUs, untilUs }): ResolvedHalt => ({ market, fromUs, untilUs }))
  const delistings = file.delist.map(({ market, at }): ResolvedDelisting => ({ market, atUs: instantOf(at, window) }))
  return { ...(halts.length === 0 ? {} : { halts }), ...(delistings.length === 0 ? {} : { delistings }) }
}

/** Markets that stop are there, are traded at that time, and do not stop twice. */
export const checkStops: Check = ({ file, window, plan }, fail) => {
  if (window === undefined) return
  for (const [i, { market, at }] of file.delist.entries()) {
    const path = ['delist', i]
    checkStart([...path, 'at'], at, window, fail)
    checkTraded(plan, path, 'at', market, instantOf(at, window), fail)
    if (file.delist.findIndex((other) => other.market === market) < i) fail([...path, 'market'], `${market} is delisted twice`)
  }
  for (const [i, { market, from }] of file.halts.entries()) {
    const path = ['halts', i]
    const fromUs = instantOf(from, window)
    checkStart([...path, 'from'], from, window, fail)
    checkTraded(plan, path, 'from', market, fromUs, fail)
    const delisted = file.delist.find((other) => other.market === market)
    if (delisted !== undefined && fromUs >= instantOf(delisted.at, window)) fail([...path, 'from'], `${market} is delisted by then`)
  }
  const haltedUntilUs = new Map<string, number>()
  for (const { market, fromUs, i } of haltsOf(file, window, plan)) {
    if (fromUs < (haltedUntilUs.get(market) ?? -Infinity)) fail(['halts', i, 'from'], `${market} is halted at that time already`)
    haltedUntilUs.set(market, fromUs + file.halts[i]!.for)
  }
}

function checkTraded(plan: TradingPlan, path: Path, key: string, ticker: string, atUs: number, fail: Fail): void {
  const market = plan.index.ofTicker(ticker)
  if (market === undefined) {
    const near = nearestName(ticker, plan.index.catalogue.markets.map((other) => other.ticker))
    const message = `no market ${ticker} in the store${near === undefined ? '' : `; did you mean ${near}?`}`
    return fail([...path, 'market'], message, { hint: 'expected a ticker of its catalogue' })
  }
  const trading = plan.tradingOf(market)
  if (trading === undefined) return fail([...path, 'market'], `${ticker} is not traded in the session`)
  if (atUs >= trading.listedUs && atUs < trading.endUs) return
  const span = `${instantText(trading.listedUs)} to ${instantText(trading.endUs)}`
  fail([...path, key], `${instantText(atUs)} is not within the trading of ${ticker}, ${span}`)
}
