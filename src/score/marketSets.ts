import { codesIn, Names, type RunTables, type TableRows } from './runTables.ts'

/** The set that a market is in: at most one of its markets comes true, and exactly one of `oneOf` where that is given. */
export interface MarketSet {
  readonly set: number
  readonly oneOf?: number
}

/** What may hang together in a way that the run does not say: thresholds of a ladder, markets of an event, several bets on one game. */
const RELATIONS = ['event', 'game', 'ladder'] as const

/**
 * How the markets of a run hang together, by its table of markets: as its outcomes are drawn. Exactly one market of a partition comes true.
 * At most one does of an event that the history says to be exclusive. Any other market is by itself.
 */
export class MarketSets {
  private readonly sets = new Map<number, MarketSet>()
  /** By market: numbers of its event, its game and its ladder. */
  private readonly relations = new Map<number, readonly number[]>()
  private readonly names = new Names()
  private readonly isSaid: boolean

  /** @param tickers numbers of the run's markets. */
  constructor(tables: RunTables, tickers: Names) {
    for (const set of exclusive(tables)) for (const ticker of set) this.sets.set(tickers.number(ticker), { set: tickers.number(set[0]!) })
    this.isSaid = tables.has('markets') && tables.open('markets').has('redrawn_by')
    if (!this.isSaid) return
    const partitions = new Map<number, number[]>()
    for (const batch of tables.batches('markets')) this.read(batch, tickers.of(batch, 'ticker'), partitions)
    for (const own of partitions.values()) for (const market of own) this.sets.set(market, { set: own[0]!, oneOf: own.length })
  }

  of(market: number): MarketSet {
    return this.sets.get(market) ?? { set: market }
  }

  /** Whether these markets can come true together in every way that their sets leave open: no two sets are about one event, game or ladder. */
  areKnown(markets: Iterable<number>): boolean {
    const setOf = new Map<number, number>()
    for (const market of markets) {
      const { set } = this.of(market)
      // A run that does not say what its markets are about knows of one set alone.
      for (const relation of this.isSaid ? this.relations.get(market) ?? [] : [0]) {
        if ((setOf.get(relation) ?? set) !== set) return false
        setOf.set(relation, set)
      }
    }
    return true
  }

  private read(batch: TableRows, markets: Int32Array, partitions: Map<number, number[]>): void {
    const drawn = codesIn(['partition'], batch, 'redrawn_as')
    const related = RELATIONS.map((name) => batch.column(name))
    const by = batch.column('redrawn_by')
    for (let row = 0; row < batch.rowCount; row++) {
      const market = markets[row]!
      this.relations.set(market, related.flatMap(({ codes, values }, r) => (codes![row]! < 0 ? [] : [this.names.number(`${RELATIONS[r]} ${values![codes![row]!]}`)])))
      if (drawn[row] !== 0) continue
      const source = this.names.number(`partition ${by.values![by.codes![row]!]}`)
      const own = partitions.get(source)
      if (own === undefined) partitions.set(source, [market])
      else own.push(market)
    }
  }
}

/** Tickers of markets of which at most one comes true, by the run's catalogue. */
function exclusive(tables: RunTables): readonly (readonly string[])[] {
  const said = tables.open('positions').metadata['exclusive']
  return said === undefined ? [] : JSON.parse(said) as string[][]
}
