import { InputError } from '../unit/inputError.ts'
import type { Catalogue, Market } from './market.ts'
import { PRICE_ONE_E6 } from './ticks.ts'

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What is wrong with a market by itself, whatever its number, or null. */
function faultOf(market: Omit<Market, 'number'>): string | null {
  const instants = [
    market.openUs, market.scheduledCloseUs, market.scheduledCloseKnownUs, market.actualCloseUs, market.settledUs,
  ]
  if (market.ticker === '') return 'has no ticker'
  if (!instants.every((us) => us === null || Number.isSafeInteger(us))) return 'has an instant that is not whole microseconds'
  if (market.exclusionKeys.length === 0) return 'has no exclusion keys'
  const { exclusionKeys: keys } = market
  if (!keys.every((key, i) => key !== '' && (i === 0 || keys[i - 1]! < key))) return 'has exclusion keys that are empty, unsorted or double'
  if (market.scheduledCloseKnownUs !== null && market.scheduledCloseUs === null) return 'knows when it knew a close that it has not'
  if (market.actualCloseUs !== null && market.actualCloseUs < market.openUs) return 'closes before it opens'
  if (market.outcome === null && market.settledUs !== null) return 'is settled without an outcome'
  if ((market.outcome === 'scalar') !== (market.settlementE6 !== null)) return 'must have a settlement value if and only if it is scalar'
  const value = market.settlementE6
  if (value !== null && !(Number.isInteger(value) && value >= 0 && value <= PRICE_ONE_E6)) return `settles at ${value}, not within 0…1,000,000`
  return null
}

const failOf = (ticker: string, i: number, fault: string, file: string): InputError => new InputError(`market ${ticker === '' ? `number ${i}` : ticker} ${fault}`, { position: { file } })

/**
 * Checks a market by itself, which is number `i` of its file.
 * @throws InputError naming `file` and the ticker.
 */
export function checkMarket(market: Omit<Market, 'number'>, i: number, file: string): void {
  const fault = faultOf(market)
  if (fault !== null) throw failOf(market.ticker, i, fault, file)
}

/**
 * Checks a catalogue: dense numbers in order of ticker, no ticker twice, sorted keys, instants and values in bounds.
 * @throws InputError naming `file` and the ticker.
 */
export function checkCatalogue(catalogue: Catalogue, file: string): void {
  catalogue.markets.forEach((market, i) => {
    const before = catalogue.markets[i - 1]
    const order = before === undefined ? -1 : byText(before.ticker, market.ticker)
    const fault = order === 0 ? 'is there twice'
      : order > 0 || market.number !== i ? 'is not numbered in the order of tickers'
      : faultOf(market)
    if (fault !== null) throw failOf(market.ticker, i, fault, file)
  })
}

/** Looks markets up by what people call them. */
export class CatalogueIndex {
  declare readonly catalogue: Catalogue
  private readonly byTicker = new Map<string, Market>()
  private readonly byEvent = new Map<string, Market[]>()
  private readonly byGame = new Map<string, Market[]>()
  private readonly byLadder = new Map<string, Market[]>()

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue
    for (const market of catalogue.markets) {
      this.byTicker.set(market.ticker, market)
      enlist(this.byEvent, market.event, market)
      enlist(this.byGame, market.game, market)
      enlist(this.byLadder, market.ladder, market)
    }
  }

  ofTicker(ticker: string): Market | undefined {
    return this.byTicker.get(ticker)
  }

  /** Markets of an event, in the order of their numbers; none when there is no such event. */
  ofEvent(event: string): readonly Market[] {
    return this.byEvent.get(event) ?? []
  }

  ofGame(game: string): readonly Market[] {
    return this.byGame.get(game) ?? []
  }

  ofLadder(ladder: string): readonly Market[] {
    return this.byLadder.get(ladder) ?? []
  }
}

function enlist(groups: Map<string, Market[]>, name: string, market: Market): void {
  if (name === '') return
  const group = groups.get(name)
  if (group === undefined) groups.set(name, [market])
  else group.push(market)
}
