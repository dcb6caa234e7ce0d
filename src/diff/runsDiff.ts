import type { RedrawnDifference } from '../redraw/redrawnDifferences.ts'
import { readRunHead, type RunHead } from '../score/runHead.ts'
import { RunTables, servicesOf } from '../score/runTables.ts'
import { swapText } from '../score/swap.ts'
import type { Interval } from '../stats/interval.ts'
import { assert } from '../unit/assert.ts'
import { ClusteredSums } from '../score/clusteredSums.ts'
import { BookLegs, type FigureBasis, VALUED } from '../score/figureBasis.ts'
import { DIFF_CLASSES, type DiffClass } from './classes.ts'
import { type DiffRedraws, type RedrawnRuns, redrawnRuns } from './redraws.ts'
import { type Earned, readRequests, type RunRequest, type RunRequests, tellsArrivals } from './runRequests.ts'
import { sentenceOf } from './sentence.ts'

/** What a maker earned in two runs, microUSDC. The difference is B − A. */
export interface Pair {
  readonly aMicros: number
  readonly bMicros: number
  readonly differenceMicros: number
}

/** One class of requests of a maker: `DIFF_CLASSES` says which. */
export interface ClassDiff {
  readonly kind: DiffClass
  readonly requests: number
  readonly profit: Pair
  /** Profit without luck: what was earned up to the closing prices. */
  readonly luckAdjusted: Pair
  /** For `won`, who had these requests in A. For `lost`, who has them in B. `maker` is null where nobody does. The largest difference comes first. */
  readonly among?: readonly { readonly maker: string | null; readonly requests: number; readonly differenceMicros: number }[]
}

export interface MakerDiff {
  readonly name: string
  readonly profit: Pair
  readonly luckAdjusted: Pair
  /** The difference of profit, and of luck-adjusted profit, microUSDC. Their intervals are over settlement clusters, each of which is a pair of both runs. */
  readonly difference: Interval
  readonly luckAdjustedDifference: Interval
  /** The difference of profit over nights with these fills and other outcomes. Null where outcomes could not be drawn: `redraws.why` says why. */
  readonly redrawn: RedrawnDifference | null
  /** Requests that it filled, and those in which it was chosen and did not confirm. */
  readonly fills: { readonly a: number; readonly b: number }
  readonly declined: { readonly a: number; readonly b: number }
  /** The classes that have a request or a profit. Their differences add up to that of the profit, to the micro-unit. */
  readonly classes: readonly ClassDiff[]
  /** The same in words. */
  readonly sentence: string
}

export interface ServiceDiff {
  readonly service: string
  /** Requests that are in both runs, and in one alone. */
  readonly requests: { readonly both: number; readonly onlyA: number; readonly onlyB: number }
  /** By the difference of profit, the largest first. */
  readonly makers: readonly MakerDiff[]
}

/** Two runs joined request by request. */
export interface RunsDiff {
  readonly version: 1
  readonly digests: { readonly a: string; readonly b: string }
  /** What requests were told apart by: their arrivals or, in runs of older versions, bettor and instant. */
  readonly by: 'arrival' | 'instant'
  /** The outcomes that `redrawn` rests on. */
  readonly redraws: DiffRedraws
  readonly services: readonly ServiceDiff[]
  /** What a reader should know of the comparison, a sentence each. */
  readonly notes: readonly string[]
}

/** Joins two finished runs, from their tables. Throws InputError where a folder is not one of a complete run with tables. */
export function diffRuns(a: string, b: string): RunsDiff {
  const heads = [readRunHead(a), readRunHead(b)] as const
  const services = [servicesOf(a), servicesOf(b)] as const
  const shared = services[0].filter((service) => services[1].includes(service))
  const notes = services.flat().filter((service, i, all) => !shared.includes(service) && all.indexOf(service) === i).map((service) => `Only one of the runs has the service ${service}.`)
  for (const [i, { swap }] of heads.entries()) if (swap !== null) notes.push(`In ${'AB'[i]}, ${swapText(swap, services[i]!.length > 1)}.`)
  const byArrival = tellsArrivals(new RunTables(a)) && tellsArrivals(new RunTables(b))
  const read = (dir: string, head: RunHead, own: readonly string[], service: string): RunRequests =>
    readRequests(head, service, new RunTables(dir, own.length === 1 ? null : service), byArrival)
  const redrawn = redrawnRuns(a, b, heads[0].seed)
  const diffs = shared.map((service) => serviceDiff(service, read(a, heads[0], services[0], service), read(b, heads[1], services[1], service), redrawn))
  for (const { service, requests: { both, onlyA, onlyB } } of diffs) {
    if (both === 0 && onlyA + onlyB > 0) notes.push(`No request on the service ${service} is in both runs: they have other bettors, or other draws of bettors.`)
  }
  if (redrawn.redraws.why !== null) notes.push(`The difference has no range over outcomes drawn anew: ${redrawn.redraws.why}.`)
  return { version: 1, digests: { a: heads[0].digest, b: heads[1].digest }, by: byArrival ? 'arrival' : 'instant', redraws: redrawn.redraws, services: diffs, notes }
}

function serviceDiff(service: string, a: RunRequests, b: RunRequests, redrawn: RedrawnRuns): ServiceDiff {
  const both = [...a.requests.keys()].filter((key) => b.requests.has(key)).length
  const names = [...new Set([...a.makers, ...b.makers])]
  const clusters = [...new Set([...a.earned, ...b.earned].map(({ cluster }) => cluster))].toSorted()
  const sums = new ClusteredSums(names.length, clusters.length, COLUMNS)
  for (const [sign, { earned }] of [[-1, a], [1, b]] as const) {
    for (const { maker, cluster, profitMicros, luckMicros } of earned) {
      const owner = names.indexOf(maker)
      assert(owner >= 0, `${maker} earned something, and is a maker of the run`)
      const place = clusters.indexOf(cluster)
      sums.add(owner, place, Column.ended, 1)
      sums.add(owner, place, Column.profit, sign * profitMicros)
      sums.add(owner, place, Column.luckAdjusted, sign * (profitMicros - luckMicros))
    }
  }
  const legs = new BookLegs(names.length)
  for (const [owner, name] of names.entries()) for (const run of [a, b]) run.addLegs(name, legs, owner)
  const nights = redrawn.of(service, names)
  const intervalOf = (owner: number, basis: FigureBasis, column: number): Interval => sums.sumInterval(owner, basis, { column, count: Column.ended, scale: 1 })
  const makers = names.map((name, owner) => makerDiff(name, a, b, {
    difference: intervalOf(owner, legs.cash(owner), Column.profit), luckAdjustedDifference: intervalOf(owner, VALUED, Column.luckAdjusted), redrawn: nights?.[owner] ?? null,
  }))
  return {
    service, requests: { both, onlyA: a.requests.size - both, onlyB: b.requests.size - both },
    makers: makers.toSorted((x, y) => Math.abs(y.profit.differenceMicros) - Math.abs(x.profit.differenceMicros) || (x.name < y.name ? -1 : 1)),
  }
}

const Column = { ended: 0, profit: 1, luckAdjusted: 2 } as const
const COLUMNS = 3

type Intervals = Pick<MakerDiff, 'difference' | 'luckAdjustedDifference' | 'redrawn'>

function makerDiff(name: string, a: RunRequests, b: RunRequests, intervals: Intervals): MakerDiff {
  const classes = classesOf(name, a, b)
  const profit = sumOf(classes.map((one) => one.profit))
  const luckAdjusted = sumOf(classes.map((one) => one.luckAdjusted))
  assert(profit.aMicros === (a.profitMicros.get(name) ?? 0) && profit.bMicros === (b.profitMicros.get(name) ?? 0), `the classes of ${name} add up to its profit`)
  const count = (run: RunRequests, isCounted: (request: RunRequest) => boolean): number => [...run.requests.values()].filter(isCounted).length
  const isFilled = ({ fill }: RunRequest): boolean => fill?.maker === name
  const isDeclined = ({ declined }: RunRequest): boolean => declined.has(name)
  const diff = {
    name, profit, luckAdjusted, ...intervals, classes,
    fills: { a: count(a, isFilled), b: count(b, isFilled) }, declined: { a: count(a, isDeclined), b: count(b, isDeclined) },
  }
  return { ...diff, sentence: sentenceOf(diff) }
}

const sumOf = (pairs: readonly Pair[]): Pair => pairs.reduce((sum, pair) => pairOf(sum.aMicros + pair.aMicros, sum.bMicros + pair.bMicros), pairOf(0, 0))
const pairOf = (aMicros: number, bMicros: number): Pair => ({ aMicros, bMicros, differenceMicros: bMicros - aMicros })

/** What a maker earned with one request, by run. */
interface RequestSums {
  readonly profit: [a: number, b: number]
  readonly adjusted: [a: number, b: number]
}

function classesOf(name: string, a: RunRequests, b: RunRequests): ClassDiff[] {
  const filled = earnedBy(name, true, a, b)
  const held = earnedBy(name, false, a, b)
  for (const [key, { fill }] of [...a.requests, ...b.requests]) if (fill?.maker === name && !filled.has(key)) filled.set(key, nothing())
  const byClass = new Map<DiffClass, Map<string, RequestSums>>([['held', held]])
  for (const [key, sums] of filled) {
    const kind = classOf(name, a.requests.get(key), b.requests.get(key))
    const own = byClass.get(kind) ?? new Map<string, RequestSums>()
    own.set(key, sums)
    byClass.set(kind, own)
  }
  return DIFF_CLASSES.flatMap((kind) => {
    const own = byClass.get(kind)
    if (own === undefined || own.size === 0) return []
    const sum = (pick: (sums: RequestSums) => readonly [number, number]): Pair => sumOf([...own.values()].map((sums) => pairOf(...pick(sums))))
    const other = kind === 'won' ? a : kind === 'lost' ? b : null
    return [{ kind, requests: own.size, profit: sum(({ profit }) => profit), luckAdjusted: sum(({ adjusted }) => adjusted), ...(other === null ? {} : { among: amongOf(own, other) }) }]
  })
}

const nothing = (): RequestSums => ({ profit: [0, 0], adjusted: [0, 0] })

function earnedBy(name: string, backs: boolean, a: RunRequests, b: RunRequests): Map<string, RequestSums> {
  const sums = new Map<string, RequestSums>()
  const add = ({ earned }: RunRequests, run: 0 | 1): void => {
    for (const one of earned.filter((each: Earned) => each.maker === name && each.backs === backs)) {
      const own = sums.get(one.key) ?? nothing()
      own.profit[run] += one.profitMicros
      own.adjusted[run] += one.profitMicros - one.luckMicros
      sums.set(one.key, own)
    }
  }
  add(a, 0)
  add(b, 1)
  return sums
}

/** Class of a request that the maker filled in one run at least. */
function classOf(name: string, a: RunRequest | undefined, b: RunRequest | undefined): DiffClass {
  if (a === undefined) return 'onlyB'
  if (b === undefined) return 'onlyA'
  const [inA, inB] = [a.fill?.maker === name, b.fill?.maker === name]
  if (inA && inB) return a.fill!.odds === b.fill!.odds ? 'same' : 'repriced'
  if (inB) return a.declined.has(name) ? 'confirmed' : 'won'
  return b.declined.has(name) ? 'declined' : 'lost'
}

function amongOf(own: ReadonlyMap<string, RequestSums>, other: RunRequests): NonNullable<ClassDiff['among']> {
  const by = new Map<string | null, { maker: string | null; requests: number; differenceMicros: number }>()
  for (const [key, { profit: [inA, inB] }] of own) {
    const maker = other.requests.get(key)!.fill?.maker ?? null
    const sum = by.get(maker) ?? { maker, requests: 0, differenceMicros: 0 }
    by.set(maker, { maker, requests: sum.requests + 1, differenceMicros: sum.differenceMicros + inB - inA })
  }
  return [...by.values()].toSorted((x, y) => Math.abs(y.differenceMicros) - Math.abs(x.differenceMicros) || ((x.maker ?? '') < (y.maker ?? '') ? -1 : 1))
}
