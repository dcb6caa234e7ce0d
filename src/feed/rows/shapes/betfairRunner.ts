import type { Item, ShapeOut } from './shape.ts'

/** The least odds that Betfair has. */
const ODDS_MIN = 1.01

/**
 * Ladders of what can be backed and laid. The first one that a market has gives its prices: the best offers (by place), all offers (by odds), and the
 * best ones with virtual bets, which follow the real ones by some 150 ms.
 */
const LADDERS = [
  { back: 'batb', lay: 'batl', isByPlace: true }, { back: 'atb', lay: 'atl', isByPlace: false }, { back: 'bdatb', lay: 'bdatl', isByPlace: true },
] as const
const SIDES = ['back', 'lay'] as const
type Side = (typeof SIDES)[number]

export const NO_LADDER = LADDERS.length
export const VIRTUAL_LADDER = 2

/** The first ladder of which a change has levels, by its place. An empty list says that something changed below the levels that were asked for. */
export const ladderOf = (change: Item): number => {
  const at = LADDERS.findIndex((names) => SIDES.some((side) => isFilled(change[names[side]])))
  return at < 0 ? NO_LADDER : at
}

const isFilled = (levels: unknown): boolean => levels !== undefined && levels !== null && !(Array.isArray(levels) && levels.length === 0)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 60)

/** Levels by place or by odds. */
type Levels = Map<number, readonly [odds: number, stake: number]>

/** What can be backed and laid of a runner, as far as its changes say. */
export class Runner {
  ltp: number | undefined = undefined
  /** Whether a row told of it. */
  isTold = false
  private readonly back: readonly Levels[] = LADDERS.map((): Levels => new Map())
  private readonly lay: readonly Levels[] = LADDERS.map((): Levels => new Map())
  private readonly isHidden = { back: false, lay: false }

  /**
   * Returns whether the change has prices, or only what is none, which is set aside one by one. `ladder`: the one that gives the prices.
   */
  take(change: Item, ladder: number, ticker: string, out: ShapeOut): 'prices' | 'bad' | 'nothing' {
    const { ltp } = change
    let hasPrices = isNumber(ltp) && ltp >= ODDS_MIN
    let isBad = false
    const bad = (kind: string, about: string): void => {
      isBad = true
      out.bad(kind, `${ticker}: ${about}`)
    }
    if (hasPrices) this.ltp = ltp as number
    else if (ltp !== undefined && ltp !== null) bad('bad odds', `ltp ${shown(ltp)}`)
    for (const [at, names] of LADDERS.entries()) {
      for (const side of SIDES) {
        const tell = (fault: string, level: string): void => { bad(fault, `${names[side]} ${level}`) }
        const { isChanged, hasNew } = takeLevels(change[names[side]], this[side][at]!, names.isByPlace, tell)
        hasPrices ||= isChanged
        if (hasNew && at === ladder) this.isHidden[side] = false
      }
    }
    return hasPrices ? 'prices' : isBad ? 'bad' : 'nothing'
  }

  /** Takes what an image leaves. */
  clear(): void {
    this.ltp = undefined
    for (const levels of [...this.back, ...this.lay]) levels.clear()
    this.isHidden.back = this.isHidden.lay = false
  }

  /** Hides a side until levels of it come. */
  hide(): void {
    this.isHidden.back = this.isHidden.lay = true
  }

  /** The highest odds that one can back at, and the lowest that one can lay at, with what a winning bet of that stake returns. */
  top(ladder: number): Item {
    const back = this.best('back', ladder, Math.max)
    const lay = this.best('lay', ladder, Math.min)
    return { back: back?.[0], back_size: back && returned(back), lay: lay?.[0], lay_size: lay && returned(lay), ltp: this.ltp }
  }

  private best(side: Side, ladder: number, best: (...odds: number[]) => number): readonly [number, number] | undefined {
    const levels = this[side][ladder]
    if (levels === undefined || levels.size === 0 || this.isHidden[side]) return undefined
    const at = best(...[...levels.values()].map(([odds]) => odds))
    return [...levels.values()].find(([odds]) => odds === at)
  }
}

const returned = ([odds, stake]: readonly [number, number]): number => Math.floor(Math.round(odds * stake * 1e4) / 1e4)

/** Takes a list of levels. `hasNew`: among them are some that somebody offers. */
function takeLevels(list: unknown, into: Levels, isByPlace: boolean, bad: (fault: string, level: string) => void) {
  let isChanged = false
  let hasNew = false
  if (isFilled(list) && !Array.isArray(list)) bad('bad level', shown(list))
  for (const level of Array.isArray(list) ? list as unknown[] : []) {
    const fault = faultOf(level, isByPlace)
    if (fault !== undefined) bad(fault, shown(level))
    const became = fault === undefined ? setLevel(into, level as number[]) : forget(into, level)
    isChanged ||= became !== 'same'
    hasNew ||= became === 'new'
  }
  return { isChanged, hasNew }
}

/** What is wrong with a level: `[place, odds, stake]` or `[odds, stake]`. Where the stake is 0 the odds may be, too. */
function faultOf(level: unknown, isByPlace: boolean): 'bad level' | 'bad odds' | undefined {
  const isWhole = Array.isArray(level) && level.length === (isByPlace ? 3 : 2) && level.every((one) => isNumber(one) && one >= 0)
  if (!isWhole || (isByPlace && !Number.isInteger(level[0]))) return 'bad level'
  const [odds, stake] = (level as number[]).slice(-2)
  return stake! > 0 && odds! < ODDS_MIN ? 'bad odds' : undefined
}

/** A stake of 0 takes the level away. */
function setLevel(into: Levels, level: readonly number[]): 'new' | 'gone' {
  const [odds, stake] = level.slice(-2)
  if (stake! > 0) into.set(level[0]!, [odds!, stake!])
  else into.delete(level[0]!)
  return stake! > 0 ? 'new' : 'gone'
}

/** What stood where a level that is none says that it stands is not known any more. */
const forget = (levels: Levels, level: unknown): 'gone' | 'same' => (Array.isArray(level) && levels.delete(level[0] as number) ? 'gone' : 'same')
