import { ladderOf, NO_LADDER, Runner, VIRTUAL_LADDER } from './betfairRunner.ts'
import { isItem, type Item, type RowShape, type ShapeOut, textOf } from './shape.ts'

const SIGNS = [['op', 'mc', 'pt']]
/** A runner that was withdrawn has no result of its own: bets on it are returned. */
const RESULTS: ReadonlyMap<string, string> = new Map([['WINNER', 'yes'], ['LOSER', 'no'], ['REMOVED', 'void']])

const marketsOf = (message: Item, out: ShapeOut): readonly Item[] | undefined => {
  if (textOf(message['op']) !== 'mcm') return void out.note('other message', `op ${textOf(message['op'])}`)
  return Array.isArray(message['mc']) ? (message['mc'] as unknown[]).filter(isItem) : []
}

const tickerOf = (market: string, { id, hc }: Item): string => `${market}:${textOf(id)}${typeof hc === 'number' && hc !== 0 ? `:${hc}` : ''}`
const definitionOf = (market: Item): Item | undefined => (isItem(market['marketDefinition']) ? market['marketDefinition'] : undefined)
/** Betting types whose prices are lines, and no odds. */
const isLine = (definition: Item | undefined): boolean => ['LINE', 'RANGE'].includes(textOf(definition?.['bettingType']))
/** Half of a bet on such a handicap may be returned. */
const isQuarter = ({ hc }: Item): boolean => typeof hc === 'number' && !Number.isInteger(hc * 2)
const listed = (list: unknown): readonly Item[] => (Array.isArray(list) ? (list as unknown[]).filter(isItem) : [])

/** What a file has said of a market so far. */
class Market {
  readonly runners = new Map<string, Runner>()
  isOpen = true
  isLine = false
  /** Whether it is known what the books were before a change. */
  hasBooks = false
  /** Whether they are taken to have been empty. */
  isTakenForNew = false
  /** The ladder that gives its prices. */
  ladder: number = NO_LADDER
  private isMet = false

  /** Takes a change, and gives a row for each runner of which it changes what is shown. */
  take(id: string, change: Item, time: unknown, out: ShapeOut): void {
    const definition = definitionOf(change)
    const changed = this.open(definition?.['status'])
    if (change['img'] === true) this.clear().forEach((ticker) => changed.add(ticker))
    else if (!this.isMet && isOfHistory(definition)) this.hasBooks = this.isTakenForNew = true
    this.isMet = true
    const changes = listed(change['rc'])
    // Of one image some runners may have virtual prices alone.
    if (this.hasBooks) this.ladder = this.ladderOf(changes, id, out)
    for (const one of changes) {
      const ticker = tickerOf(id, one)
      if (textOf(one['id']) === '') out.bad('no market', 'a change of a runner without id')
      else if (this.takeRunner(ticker, one, out)) changed.add(ticker)
    }
    for (const ticker of changed) {
      const runner = this.runners.get(ticker)!
      runner.isTold = true
      out.row({ market: ticker, time, ...(this.isOpen ? runner.top(this.ladder) : { ltp: runner.ltp }) })
    }
  }

  /** Returns the runners that a suspension closes. When the market opens again, prices of before are hidden until new ones come. */
  private open(status: unknown): Set<string> {
    const wasOpen = this.isOpen
    if (status !== undefined) this.isOpen = status === 'OPEN'
    if (!wasOpen && this.isOpen) for (const runner of this.runners.values()) runner.hide()
    return new Set(wasOpen && !this.isOpen ? this.told() : [])
  }

  /** An image takes the place of all that was known. Returns the runners of which something was. */
  private clear(): string[] {
    for (const runner of this.runners.values()) runner.clear()
    this.hasBooks = true
    this.isTakenForNew = false
    this.ladder = NO_LADDER
    return this.told()
  }

  private told(): string[] {
    return [...this.runners].flatMap(([ticker, { isTold }]) => (isTold ? [ticker] : []))
  }

  private ladderOf(changes: readonly Item[], id: string, out: ShapeOut): number {
    const ladder = Math.min(this.ladder, ...changes.map(ladderOf))
    if (ladder === NO_LADDER || ladder === this.ladder) return ladder
    if (this.isTakenForNew && this.ladder === NO_LADDER) {
      out.note('book without an image', `${id}: it is taken to begin empty with the market's first definition`)
    }
    if (ladder === VIRTUAL_LADDER) out.note('virtual prices', `${id}: bdatb and bdatl alone`)
    return ladder
  }

  /** Whether the change says prices that hold. */
  private takeRunner(ticker: string, change: Item, out: ShapeOut): boolean {
    if (!this.hasBooks && ladderOf(change) < NO_LADDER) {
      out.bad('change before snapshot', `${ticker}: the file has no image of the market before it`)
      return false
    }
    const runner = this.runners.get(ticker) ?? new Runner()
    this.runners.set(ticker, runner)
    const said = runner.take(change, this.ladder, ticker, out)
    if (said === 'nothing') out.note('change without prices', 'neither levels nor last odds')
    return said === 'prices'
  }
}

/**
 * Betfair's historic data begin with the market, and not all with an image. Their definitions have the market's name, which those of the live stream
 * do not have. What is played already is no beginning.
 */
const isOfHistory = (definition: Item | undefined): boolean => textOf(definition?.['name']) !== '' && definition?.['inPlay'] !== true

/**
 * What can be backed and laid of each runner after each message. A row is a runner that a message changes (`rc`), that an image leaves
 * out, or that a suspension closes. While a market is not open nothing can be backed or laid.
 */
export const betfairPrices: RowShape = {
  columns: ['market', 'time', 'back', 'back_size', 'lay', 'lay_size', 'ltp'],
  signs: SIGNS,
  begin() {
    const markets = new Map<string, Market>()
    return {
      take(message, out) {
        for (const change of marketsOf(message, out) ?? []) {
          const id = textOf(change['id'])
          if (id === '') {
            out.bad('no market', 'a change of a market without id')
            continue
          }
          const market = markets.get(id) ?? new Market()
          markets.set(id, market)
          if (isLine(definitionOf(change))) market.isLine = true
          if (market.isLine) out.bad('lines, no odds', `${id}: its betting type is LINE or RANGE`)
          else market.take(id, change, message['pt'], out)
        }
      },
    }
  },
}

/** What a message says of markets whose runners are sides of a bet. */
const definitionsOf = (message: Item): { readonly id: string; readonly definition: Item }[] => (marketsOf(message, SILENT) ?? []).flatMap((change) => {
  const definition = definitionOf(change)
  return definition === undefined || isLine(definition) ? [] : [{ id: textOf(change['id']), definition }]
})

/** The runners of each market, by the first definition that a file has of it. */
export const betfairDefinitions: RowShape = {
  columns: ['market', 'title', 'event', 'game', 'event_title', 'exclusive', 'open', 'close'],
  signs: [['op', 'mc', 'marketDefinition']],
  begin() {
    const told = new Set<string>()
    return {
      take(message, out) {
        for (const { id, definition } of definitionsOf(message)) {
          const { name, eventName, eventId, marketTime, turnInPlayEnabled, numberOfWinners, bettingType, runners } = definition
          for (const runner of listed(runners)) {
            const ticker = tickerOf(id, runner)
            if (told.has(ticker)) continue
            told.add(ticker)
            out.row({
              market: ticker, title: [textOf(eventName), textOf(name), textOf(runner['name']) || textOf(runner['id'])].filter((text) => text !== '').join(': '), event: id, game: textOf(eventId),
              event_title: textOf(name), open: message['pt'], close: turnInPlayEnabled === false ? marketTime : undefined,
              exclusive: numberOfWinners === 1 && (bettingType === undefined || bettingType === 'ODDS') ? 'yes' : undefined,
            })
          }
        }
      },
    }
  },
}

/** What became of each runner, by the first definition that says it. */
export const betfairResults: RowShape = {
  columns: ['market', 'result', 'closed', 'settled'],
  signs: [['op', 'mc', 'marketDefinition']],
  begin() {
    const told = new Set<string>()
    const suspendedAt = new Map<string, unknown>()
    return {
      take(message, out) {
        for (const { id, definition } of definitionsOf(message)) {
          const status = textOf(definition['status'])
          if (status === 'OPEN') suspendedAt.delete(id)
          else if (!suspendedAt.has(id)) suspendedAt.set(id, message['pt'])
          const runners = listed(definition['runners'])
          const winners = runners.filter((runner) => runner['status'] === 'WINNER').length
          const isDeadHeat = typeof definition['numberOfWinners'] === 'number' && definition['numberOfWinners'] > 0 && winners > definition['numberOfWinners']
          for (const runner of runners) {
            const result = RESULTS.get(textOf(runner['status']))
            const ticker = tickerOf(id, runner)
            if ((status !== 'CLOSED' && result !== 'void') || told.has(ticker)) continue
            told.add(ticker)
            if (result === 'yes' && isDeadHeat) out.note('dead heat', `${ticker}: it won a part, which nobody says`)
            else if (result !== 'void' && isQuarter(runner)) out.note('quarter handicap', `${ticker}: it may have won or lost a half`)
            else if (result === undefined) out.bad('unknown result', `${ticker}: status '${textOf(runner['status'])}'`)
            else out.row({ market: ticker, result, closed: status === 'CLOSED' ? suspendedAt.get(id) : undefined, settled: status === 'CLOSED' ? definition['settledTime'] : undefined })
          }
        }
      },
    }
  },
}

/** What one shape says of other messages, the others need not say again. */
const SILENT: ShapeOut = { row() {}, note() {}, bad() {} }
