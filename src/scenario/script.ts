import { planOperator, type SettlementPolicy } from '../engine/operatorInputs.ts'
import { rootKey } from '../kernel/random.ts'
import { CatalogueIndex } from '../market/catalogue.ts'
import type { Market } from '../market/market.ts'
import { ticksBetween } from '../market/tickWindow.ts'
import { type BetLimits, betLimitsOf } from './betLimits.ts'
import type { LoadedScenario, ScenarioSource } from './load.ts'
import type { Mistake } from './mistakes.ts'
import type { ScenarioHistory, Window } from './resolve.ts'
import type { RequestFile, ScenarioFile } from './schema.ts'
import { instantText, nearestName, quantityText } from './units.ts'

/** One request of a scripted bettor. */
export interface ResolvedRequest {
  readonly atUs: number
  readonly legs: readonly { readonly ticker: string; readonly side: 'yes' | 'no' }[]
  readonly betMicros: number
  /** Lowest odds taken, four decimals. */
  readonly floorOddsE4: number
  /** From the request to the decision. */
  readonly decideUs: number
  readonly cancel: boolean
}

export const settlementOf = ({ settlement: { lag, missing, scalar, outcomes, correlation, within = 'all' } }: ScenarioFile): SettlementPolicy => ({
  lagUs: lag, missing, scalar, ...(outcomes === 'drawn' ? { outcomes } : {}), ...(correlation === undefined ? {} : { correlation: { share: correlation, within } }),
})

/**
 * The requests of the scripted bettors, by their place in the file. What the service, the history or the settlement policy
 * would not let happen is a mistake: a script says what is asked for, so nothing of it may fall away unsaid.
 */
export function resolveScripts(
  { file, source }: Pick<LoadedScenario, 'file' | 'source'>, window: Window | undefined, history: ScenarioHistory, mistakes: Mistake[],
): ReadonlyMap<number, readonly ResolvedRequest[]> {
  const scripts = new Map<number, readonly ResolvedRequest[]>()
  if (file.bettors.every(({ requests }) => requests === undefined)) return scripts
  const index = new CatalogueIndex(history.catalogue)
  const leftOut = leftOutBy(file, window, history)
  for (const [i, { requests, service }] of file.bettors.entries()) {
    if (requests === undefined) continue
    const path = ['bettors', i, 'requests']
    const name = service ?? (file.services.parlay === undefined ? 'outcome' : 'parlay')
    // A service that is not there is a mistake of the cohort's.
    if (file.services[name] === undefined) continue
    const check: Check = { source, mistakes, window, limits: betLimitsOf(file.services, name), keysMatter: name === 'parlay', index, leftOut }
    const script = requests.map((request, j) => requestOf(check, [...path, j], request))
    script.forEach(({ atUs }, j) => {
      const before = script[j - 1]
      if (before === undefined || before.atUs <= atUs) return
      const message = `${instantText(atUs)} is before ${instantText(before.atUs)} of the request above it: requests stand in order of time`
      mistakes.push(source.mistake([...path, j, 'at'], message))
    })
    scripts.set(i, script)
  }
  return scripts
}

interface Check {
  readonly source: ScenarioSource
  readonly mistakes: Mistake[]
  readonly window: Window | undefined
  readonly limits: BetLimits
  /** The outcome service has no exclusion keys. */
  readonly keysMatter: boolean
  readonly index: CatalogueIndex
  /** Why a market cannot be traded in the session, or undefined. */
  readonly leftOut: (market: Market) => string | undefined
}

type Path = readonly PropertyKey[]

function requestOf(check: Check, path: Path, { at, legs, bet, floor, decide, cancel }: RequestFile): ResolvedRequest {
  const { source, mistakes, window, limits: { legsMin, legsMax, betMinMicros, betMaxMicros } } = check
  const fail = (key: string, message: string): void => { mistakes.push(source.mistake([...path, key], message)) }
  const atUs = 'atUs' in at ? at.atUs : (window?.fromUs ?? 0) + at.spanUs
  if (window !== undefined && atUs < window.fromUs) fail('at', `is before the session, which begins at ${instantText(window.fromUs)}`)
  else if (window !== undefined && atUs >= window.untilUs) {
    fail('at', `${instantText(atUs)} is not before ${instantText(window.untilUs)}, from when on nobody arrives`)
  }
  if (legs.length < legsMin || legs.length > legsMax) {
    fail('legs', `${legs.length === 1 ? '1 leg is' : `${legs.length} legs are`} not what the service takes, ${legsMin} to ${legsMax}`)
  }
  if (bet < betMinMicros || bet > betMaxMicros) {
    const [stake, low, high] = [bet, betMinMicros, betMaxMicros].map((micros) => quantityText('money', micros))
    fail('bet', `${stake} is not what the service takes, ${low} to ${high}`)
  }
  checkLegs(check, [...path, 'legs'], legs)
  return { atUs, legs, betMicros: bet, floorOddsE4: floor, decideUs: decide, cancel }
}

function checkLegs({ source, mistakes, index, leftOut, keysMatter }: Check, path: Path, legs: ResolvedRequest['legs']): void {
  const taken: Market[] = []
  for (const [i, { ticker }] of legs.entries()) {
    const fail = (message: string, hint?: string): void => {
      mistakes.push(source.mistake([...path, i], message, hint === undefined ? {} : { hint }))
    }
    const market = index.ofTicker(ticker)
    if (market === undefined) {
      const near = nearestName(ticker, index.catalogue.markets.map((other) => other.ticker))
      fail(`no market ${ticker} in the store${near === undefined ? '' : `; did you mean ${near}?`}`, 'expected a ticker of its catalogue')
      continue
    }
    const why = leftOut(market)
    if (why !== undefined) fail(`${ticker} cannot be traded: ${why}`)
    for (const other of taken) {
      const shared = market.exclusionKeys.filter((key) => other.exclusionKeys.includes(key))
      if (other === market) fail(`${ticker} stands in the parlay twice`)
      else if (keysMatter && shared.length > 0) {
        fail(`${other.ticker} and ${ticker} share the exclusion ${shared.length === 1 ? 'key' : 'keys'} ${shared.join(', ')}`,
          'expected markets without a common key: the service refuses others in one parlay (PQ-065)')
      }
    }
    taken.push(market)
  }
}

function leftOutBy(file: ScenarioFile, window: Window | undefined, { catalogue: { markets }, ticks }: ScenarioHistory): Check['leftOut'] {
  if (window === undefined) return () => undefined
  const { fromUs, toUs } = window
  const policy = settlementOf(file)
  const { outcomes } = planOperator(markets, ticksBetween(ticks, -Infinity, toUs), fromUs, toUs, policy, rootKey(file.seed))
  return ({ number, outcome }) => {
    if (outcomes.atUs[number] !== Infinity) return undefined
    if (outcome === null && policy.missing === 'exclude' && policy.outcomes !== 'drawn') return 'it has no outcome, and settlement.missing leaves such markets out'
    if (outcome === 'scalar' && policy.scalar === 'exclude') return 'it settled between yes and no, and settlement.scalar leaves such markets out'
    return `it has no price from ${instantText(fromUs)} to ${instantText(toUs)}, or only after its close`
  }
}
