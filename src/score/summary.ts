import { checkColumns } from '../arrow/olderRun.ts'
import { ratio } from '../stats/clusterInterval.ts'
import type { Interval } from '../stats/interval.ts'
import { InputError } from '../unit/inputError.ts'
import { Breakdowns } from './breakdowns.ts'
import { CashOuts, type CashOutSummary } from './cashOuts.ts'
import { ClusteredSums, microsOf } from './clusteredSums.ts'
import { BETTOR_COLUMNS, BettorColumn, MARK_COLUMNS, MakerColumn } from './columns.ts'
import { FailedFills } from './failedFills.ts'
import { LastLooks, type OutcomeTally } from './lastLooks.ts'
import { type DeliveriesSummary, deliveriesOf, type VaultTransactionsSummary, vaultTransactionsOf } from './statusCounts.ts'
import { type LeadSummary, leadOf } from './lead.ts'
import type { Licence } from './licence.ts'
import { licenceOfRun } from './runLicence.ts'
import { LedgerReplay, makerAccounts } from './ledgerReplay.ts'
import { type MakerParts, type MakerSummary, makerSummary } from './makers.ts'
import { type ArrivalsEnd, type CoverageSummary, type RunHead, readRunHead, type UnaskedCohort } from './runHead.ts'
import { OpenBooks } from './openBook.ts'
import { BookLegs } from './figureBasis.ts'
import { horizonsOf, readMarks } from './marks.ts'
import { operationsOf, type OperationsSummary } from './operations.ts'
import { Positions, type PositionTally } from './positions.ts'
import { type MakerPasses, passesOf, type QuietMaker, quietMakers } from './quietMakers.ts'
import { Quotes } from './quotes.ts'
import { RequestVersions, type RequestsSummary } from './requests.ts'
import { recordedOf, type RecordedSummary } from './recorded.ts'
import { type RealisedProfit, Scorecard } from './scorecard.ts'
import { EquitySamples, Settlements } from './settlements.ts'
import { type RunSwap, swapOfService } from './swap.ts'
import { Names, RunTables, servicesOf } from './runTables.ts'

/** The figures of one service: money in integer microUSDC, instants in µs, null where a figure is undefined. */
export interface Summary {
  readonly version: 2
  readonly label: RunHead['label']
  readonly service: string
  readonly seed: string
  /** Seeds of their own, by part. Present for a run whose scenario gives some. */
  readonly seeds?: Readonly<Record<string, string>>
  /** Strategies that took seats of the service's makers while the run went on. Present where some did. */
  readonly swap?: RunSwap
  readonly digest: string
  /** From the first row to the end of the session. Null for a run in which nothing happened. */
  readonly window: { readonly startUs: number; readonly endUs: number } | null
  readonly coverage: CoverageSummary
  /** How far closing prices are calibrated, on which luck rests. Absent for an older run, whose tables have no closes. */
  readonly licence?: Licence
  readonly requests: RequestsSummary
  readonly quotes: number
  readonly acceptances: OutcomeTally
  readonly positions: PositionTally
  readonly clusters: ClustersSummary
  readonly rejections: readonly RejectionCount[]
  readonly house: HouseSummary
  readonly conservation: ConservationSummary
  readonly bettors: readonly CohortSummary[]
  readonly makers: readonly MakerSummary[]
  /** What the first maker by profit is ahead of the second by. Present where two have fills. */
  readonly lead?: LeadSummary
  /** Present where a recorded log was played: what became of it, and which prices its bettors took. */
  readonly recorded?: readonly (RecordedSummary & { readonly takes: string | null })[]
  /** Present where a maker let something go by and said why. */
  readonly passes?: readonly MakerPasses[]
  /** Present where `arrivals.max` kept bettors away that would have arrived. */
  readonly arrivalsEnd?: ArrivalsEnd
  /** Present where a cohort that chooses its markets asked for nothing: what kept it from which. */
  readonly unasked?: readonly UnaskedCohort[]
  /** Present where a maker never quoted, or most of its commands were refused. */
  readonly quiet?: readonly QuietMaker[]
  /** Present for a run with cash-out auctions. */
  readonly cashOut?: CashOutSummary
  /** Present for a run whose chain held up transactions of vaults. */
  readonly vaultTransactions?: VaultTransactionsSummary
  /** Present for a run of the outcome service in which something reached the chain. */
  readonly operations?: OperationsSummary
  /** Present for a run with webhook deliveries. */
  readonly deliveries?: DeliveriesSummary
}

/** The summaries of a run with several services, by name. Each has the money and figures of its own participants. */
export interface ServicesSummary {
  readonly version: 2
  readonly label: RunHead['label']
  readonly seed: string
  readonly seeds?: Readonly<Record<string, string>>
  readonly digest: string
  readonly services: Readonly<Record<string, Summary>>
}

/** What `summary.json` holds. */
export type RunSummary = Summary | ServicesSummary

/** What the house kept, microUSDC. */
export interface HouseSummary {
  readonly takerFeeMicros: number
  readonly profitFeeMicros: number
  readonly revenueMicros: number
  /** Profit fees of winners, of sellers, and of makers where the profile lets the fee fall on them. Present for a run with cash-outs or such a profile. */
  readonly profitFees?: { readonly atSettlementMicros: number; readonly atCashOutMicros: number; readonly onMakersMicros: number }
}

/** What intervals rest on. A position on several clusters counts in the last of them alone, although the others decide it too. */
export interface ClustersSummary {
  /** `inference.cluster` of the scenario. Null where the manifest does not say. */
  readonly by: string | null
  /** Share of positions whose legs lie in several clusters, 0…1. Above 0 every interval is too narrow. Null without positions. */
  readonly sharedPositions: number | null
}

export interface RejectionCount {
  readonly name: string
  readonly count: number
}

/** Deposits − withdrawals = balances. Balances of participants come from the ledger, the others from positions and settlements. */
export interface ConservationSummary {
  readonly depositsMicros: number
  readonly withdrawalsMicros: number
  readonly freeMicros: number
  readonly reservedMicros: number
  /** total_payout of open positions, and their taker fees. */
  readonly potMicros: number
  readonly escrowMicros: number
  readonly houseMicros: number
  /** Deposits − withdrawals − balances: 0 when money is conserved. */
  readonly differenceMicros: number
  /** Whether the ledger's own balances of pots, escrow and house are equal to these. */
  readonly ledgerAgrees: boolean
}

export interface CohortSummary {
  readonly name: string
  /** The maker that lays off under this name. Absent for bettors. */
  readonly layOffOf?: string
  readonly requests: number
  readonly committed: number
  /** Committed ones whose fill failed on the chain, which do not count in `committed`. Present where there are any. */
  readonly chainFailed?: number
  /** The sum over all positions that were funded. */
  readonly grossBetMicros: number
  /** Over positions that ended or were sold, voided ones included: what was paid out minus gross bets. */
  readonly profitMicros: number
  /** Net loss over gross bet, over the same positions. Where none is open, it is −`profitMicros` / `grossBetMicros`. */
  readonly loss: Interval
}

/**
 * The figures of a finished run, from its manifest and tables. Writes nothing. Throws InputError when the folder is not that
 * of a complete run.
 */
export async function summarise(runDir: string): Promise<Summary> {
  const head = readRunHead(runDir)
  const [service, ...others] = servicesOf(runDir)
  if (others.length > 0) throw new InputError('the run has several services, and this is the summary of one', { position: { file: runDir } })
  return summaryOf(head, service!, new RunTables(runDir))
}

/** The summary of a run with one service, or one for each of several. Throws as `summarise` does. */
export async function summariseRun(runDir: string): Promise<RunSummary> {
  const head = readRunHead(runDir)
  const services = servicesOf(runDir)
  if (services.length === 1) return summaryOf(head, services[0]!, new RunTables(runDir))
  const { label, seed, seeds, digest } = head
  const parts = services.map((service) => [service, summaryOf(head, service, new RunTables(runDir, service))] as const)
  return { version: 2, label, seed, ...(seeds === null ? {} : { seeds }), digest, services: Object.fromEntries(parts) }
}

/** Everything that one pass over the tables of a service gathers: sums and paths, without intervals. */
export interface Gathered extends MakerParts {
  readonly head: RunHead
  readonly service: string
  readonly tables: RunTables
  readonly names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names }
  readonly requests: RequestVersions
  readonly positions: Positions
  readonly cashOuts: CashOuts
  readonly ledger: LedgerReplay
  readonly bettorSums: ClusteredSums
  readonly window: Summary['window']
  /** Numbers of the makers that took part. */
  readonly shown: readonly number[]
}

/** Reads the tables of one service of a run. @param heard is told each profit of a maker. */
export function gather(head: RunHead, service: string, tables: RunTables, heard?: (profit: RealisedProfit) => void): Gathered {
  const isOutcome = service === 'outcome'
  checkScorable(tables)
  const names = { makers: new Names(), groups: new Names(), clusters: new Names() }
  // Every table has its whole dictionaries, so that from here on no name is new.
  readNames(tables, names)
  const failed = new FailedFills(tables)
  const versions = new RequestVersions(tables, names, failed)
  const positions = new Positions(tables, names)
  const horizonsUs = horizonsOf(tables)
  const makerCount = names.makers.list.length
  const clusterCount = names.clusters.list.length
  const sums = new ClusteredSums(makerCount, clusterCount, MakerColumn.marks + MARK_COLUMNS * horizonsUs.length)
  const bettorSums = new ClusteredSums(names.groups.list.length, clusterCount, BETTOR_COLUMNS)

  const quotes = new Quotes(tables, names.makers, versions, failed, sums)
  const lastLooks = new LastLooks(tables, names.makers, versions, sums)
  const markCounts = readMarks(tables, names.makers, versions, horizonsUs, sums)
  const cashOuts = new CashOuts(tables, names)
  const books = new OpenBooks(tables, names.makers, positions, cashOuts)
  const legs = legsOf(positions, positions.maker, makerCount)
  const isUndrawn = head.coverage.drawn === 0
  for (let row = 0; row < positions.count; row++) if (positions.isFunded(row)) addPayout(sums, positions.maker[row]!, { positions, row, isUndrawn })
  for (const { position, buyer } of cashOuts.transfers) {
    const row = positions.find(position)
    countLegs(legs, buyer, positions, row)
    addPayout(sums, buyer, { positions, row, isUndrawn })
  }
  const breakdowns = new Breakdowns(positions, quotes, makerCount, clusterCount)
  const scorecard = new Scorecard({ positions, quotes, lastLooks, cashOuts, breakdowns }, sums, heard)
  const settlements = new Settlements(tables, names, cashOuts.transfers, scorecard, sums, bettorSums)
  const makerOf = makerAccounts(tables, names.makers)
  const ledger = new LedgerReplay(makerCount, makerOf, positions, tables)
  const equity = new EquitySamples(tables, names.makers, ledger.makers(0))
  // The house of the outcome service gets the entry fee with the fill, without an escrow (docs/conformance/outcome.md, Postings).
  if (isOutcome) settlements.keepFeesOfFills(positions)
  const window = windowOf(head, ledger, equity)
  const parts: MakerParts = {
    sums, legs, quotes, lastLooks, breakdowns, books, horizonsUs, markCounts, settlements, equity, money: ledger.makers(window?.endUs ?? 0), versions: versions.count,
    reach: (maker) => head.reach(service, maker), endUs: window?.endUs ?? 0, durationUs: window === null ? 0 : window.endUs - window.startUs,
    ownBets: positions.ownBets(makerOf, makerCount),
  }
  const ofService = tables.isOneOfSeveral ? new Set(makerOf.values()) : null
  const shown = names.makers.list.flatMap((name, maker) => (
    isNobody(name, maker, parts) || isElsewhere(maker, ofService, parts) || isBettor(name, maker, { head, quotes, cashOuts }) ? [] : [maker]))
  return { ...parts, head, service, tables, names, requests: versions, positions, cashOuts, ledger, bettorSums, window, shown }
}

/** The legs of each owner's positions that were funded. */
function legsOf(positions: Positions, ownerOf: Int32Array, owners: number): BookLegs {
  const legs = new BookLegs(owners)
  for (let row = 0; row < positions.count; row++) if (positions.isFunded(row)) countLegs(legs, ownerOf[row]!, positions, row)
  return legs
}

const countLegs = (legs: BookLegs, owner: number, positions: Positions, row: number): void =>
  legs.add(owner, positions.legCount[row]!, positions.payoutOf(row))

function addPayout(sums: ClusteredSums, maker: number, { positions, row, isUndrawn }: { readonly positions: Positions; readonly row: number; readonly isUndrawn: boolean }): void {
  const payoutMicros = positions.payoutOf(row)
  const add = (column: number, integer: number): void => { sums.add(maker, positions.cluster[row]!, column, integer) }
  add(MakerColumn.positionPayout, payoutMicros)
  add(MakerColumn.legPayout, payoutMicros * positions.legCount[row]!)
  if (isUndrawn) add(MakerColumn.undrawn, 1)
}

function summaryOf(head: RunHead, service: string, tables: RunTables): Summary {
  const gathered = gather(head, service, tables)
  const { names, requests, positions, cashOuts, settlements, ledger, window, shown } = gathered
  const isOutcome = service === 'outcome'
  const makerCount = names.makers.list.length
  const escrowMicros = isOutcome ? 0n : positions.openTakerFeeMicros()
  const house = houseOf(settlements, makerCount, cashOuts.count > 0 || head.profitFeeOnMaker)
  const deliveries = deliveriesOf(tables)
  const vaultTransactions = vaultTransactionsOf(tables)
  const operations = operationsOf(tables)
  const passes = passesOf(tables)
  const unasked = head.unasked(service)
  const recorded = recordedOf(tables).map((log) => ({ ...log, takes: head.takes(log.cohort) }))
  const licence = licenceOfRun(tables)
  const swap = swapOfService(head.swap, service)
  const makers = shown.map((maker) => makerSummary(maker, names.makers.list[maker]!, gathered))
  const lead = leadOf(makers, shown, gathered)
  const quiet = quietMakers(tables, {
    makers: names.makers, shown, passes, offers: (maker) => gathered.quotes.byMaker[maker]! + cashOuts.bidsOf(maker), delivered: (name) => head.reach(service, name).delivered,
    tellsPasses: (name) => tables.has('passes') && !head.isOutside(service, name),
  })
  return {
    version: 2, label: head.label, service, seed: head.seed, ...(head.seeds === null ? {} : { seeds: head.seeds }), ...(swap === null ? {} : { swap }), digest: head.digest, window, coverage: head.coverage, ...(licence === null ? {} : { licence }),
    requests: requests.summary(isOutcome), quotes: gathered.quotes.count, acceptances: gathered.lastLooks.all(), positions: positions.byOutcome(),
    clusters: { by: head.cluster, sharedPositions: positions.count === 0 ? null : positions.severalClusters / positions.count },
    rejections: rejectionsOf(tables), house, conservation: conservationOf(ledger, positions, escrowMicros, house.revenueMicros),
    bettors: cohortsOf(names, requests, positions, gathered.bettorSums, tables.isOneOfSeveral).map((cohort) => {
      const maker = head.layOffOf(service, cohort.name)
      return maker === null ? cohort : { ...cohort, layOffOf: maker }
    }),
    makers, ...(lead === null ? {} : { lead }),
    ...(recorded.length === 0 ? {} : { recorded }),
    ...(passes.length === 0 ? {} : { passes }),
    ...(head.arrivalsEnd === null ? {} : { arrivalsEnd: head.arrivalsEnd }),
    ...(unasked.length === 0 ? {} : { unasked }),
    ...(quiet.length === 0 ? {} : { quiet }),
    ...(cashOuts.count > 0 ? { cashOut: cashOuts.summary(names.makers.list, shown, isOutcome) } : {}),
    ...(vaultTransactions === null ? {} : { vaultTransactions }),
    ...(operations === null ? {} : { operations }),
    ...(deliveries === null ? {} : { deliveries }),
  }
}

/** Throws InputError where an older version made the tables, and they lack columns that the figures rest on. */
export function checkScorable(tables: RunTables): void {
  for (const [name, column] of [['positions', 'reference_at_close'], ['quotes', 'reference_product'], ['equity', 'liquidation_micros']] as const) checkColumns(tables.open(name), [column])
}

/** Numbers the dictionaries of makers, groups and clusters in their own order. */
function readNames(tables: RunTables, names: { makers: Names; groups: Names; clusters: Names }): void {
  const quotes = tables.open('quotes')
  for (const name of quotes.column('maker').values!) names.makers.number(name)
  const requests = tables.open('requests')
  for (const name of requests.column('cohort').values!) names.groups.number(name)
  for (const name of requests.column('cluster').values!) names.clusters.number(name)
}

/** The dictionaries of a run without makers have the name of one that no row has. */
const isNobody = (name: string, maker: number, { quotes }: { quotes: Quotes }): boolean =>
  name === 'none' && quotes.byMaker[maker] === 0

/** In a run with several services: whether a maker neither has money on this service nor quotes on it. */
const isElsewhere = (maker: number, ofService: ReadonlySet<number> | null, { quotes }: { quotes: Quotes }): boolean =>
  ofService !== null && !ofService.has(maker) && quotes.byMaker[maker] === 0

/**
 * Any account of a client may quote on the parlay service (PQ-011), so that makers' dictionaries have the accounts of clients that bet. Such an
 * account is a maker once it has quoted or bid.
 */
const isBettor = (name: string, maker: number, { head, quotes, cashOuts }: { head: RunHead; quotes: Quotes; cashOuts: CashOuts }): boolean =>
  head.makers !== null && !head.makers.has(name) && quotes.byMaker[maker] === 0 && cashOuts.bidsOf(maker) === 0

function windowOf(head: RunHead, ledger: LedgerReplay, equity: EquitySamples): Summary['window'] {
  const startUs = head.startUs ?? ledger.firstUs
  const endUs = head.endUs ?? Math.max(ledger.lastUs, equity.lastUs)
  return Number.isFinite(startUs) && Number.isFinite(endUs) ? { startUs, endUs } : null
}

function rejectionsOf(tables: RunTables): RejectionCount[] {
  const names = new Names()
  const counts: number[] = []
  for (const batch of tables.batches('rejections')) {
    for (const name of names.of(batch, 'rejection')) counts[name] = (counts[name] ?? 0) + 1
  }
  const listed = names.list.map((name, i) => ({ name, count: counts[i] ?? 0 })).filter(({ count }) => count > 0)
  return listed.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

function houseOf(settlements: Settlements, makerCount: number, apart: boolean): HouseSummary {
  let taker = 0n
  let profit = 0n
  for (let maker = 0; maker < makerCount; maker++) {
    taker += settlements.takerFeeMicros(maker)
    profit += settlements.profitFeeMicros(maker)
  }
  const house = { takerFeeMicros: microsOf(taker), profitFeeMicros: microsOf(profit), revenueMicros: microsOf(taker + profit) }
  if (!apart) return house
  const { settlement, cashOut, makers } = settlements.profitFeesBySource()
  const profitFees = { atSettlementMicros: microsOf(settlement), atCashOutMicros: microsOf(cashOut), onMakersMicros: microsOf(makers) }
  return { ...house, profitFees }
}

function conservationOf(ledger: LedgerReplay, positions: Positions, escrow: bigint, houseMicros: number): ConservationSummary {
  const totals = ledger.totals()
  const pot = positions.openPayoutMicros()
  const balances = totals.freeMicros + totals.reservedMicros + pot + escrow + BigInt(houseMicros)
  return {
    depositsMicros: microsOf(totals.depositsMicros), withdrawalsMicros: microsOf(totals.withdrawalsMicros),
    freeMicros: microsOf(totals.freeMicros), reservedMicros: microsOf(totals.reservedMicros),
    potMicros: microsOf(pot), escrowMicros: microsOf(escrow), houseMicros,
    differenceMicros: microsOf(totals.depositsMicros - totals.withdrawalsMicros - balances),
    ledgerAgrees: totals.potMicros === pot && totals.escrowMicros === escrow && totals.houseMicros === BigInt(houseMicros),
  }
}

/** Groups that asked for prices. Makers are groups of their own and mostly did not ask, and a cohort may belong to another service. */
function cohortsOf(
  names: { readonly makers: Names; readonly groups: Names }, versions: RequestVersions, positions: Positions, sums: ClusteredSums, isOneOfSeveral: boolean,
): CohortSummary[] {
  const { requests, committed, chainFailed } = versions.byGroup(names.groups.list.length)
  const legs = legsOf(positions, positions.group, names.groups.list.length)
  return names.groups.list.flatMap((name, group) => {
    if (requests[group] === 0 && (isOneOfSeveral || names.makers.list.includes(name))) return []
    return [{
      name, requests: requests[group]!, committed: committed[group]!, ...(chainFailed[group]! > 0 ? { chainFailed: chainFailed[group]! } : {}), grossBetMicros: microsOf(positions.grossBetMicros(group)),
      profitMicros: microsOf(sums.total(group, BettorColumn.profit)),
      loss: sums.interval(group, legs.cash(group), [BettorColumn.loss, BettorColumn.grossBet], ratio(0, 1)),
    }]
  })
}
