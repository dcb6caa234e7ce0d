import { makerAccounts } from './ledgerReplay.ts'
import { codesIn, Names, orNaN, type RunTables } from './runTables.ts'

/** How often a maker let something go by for a reason, in the strategy's words. */
export interface PassReason {
  readonly reason: string
  readonly count: number
  /** The same by the number of legs. */
  readonly byLegs: Readonly<Record<string, number>>
}

/** What a maker let go by (desk.pass), the most frequent reason first. */
export interface MakerPasses {
  readonly name: string
  readonly count: number
  readonly reasons: readonly PassReason[]
}

/** A maker that did not take part as its author may think it did. */
export interface QuietMaker {
  readonly name: string
  readonly why: 'never quoted' | 'mostly refused'
  /** Requests and new versions that reached it. Null where the manifest does not say. */
  readonly delivered: number | null
  /** Null where nobody knows: in a run without the table `passes`, and of a client outside, which has no desk.pass. */
  readonly passes: number | null
  /** Quotes, bids, withdrawals of them, and answers to selections. */
  readonly commands: number
  readonly refused: number
  /**
   * The most frequent reason. For `mostly refused` it is one of refusals. For `never quoted` it is one of passes, or of refusals where the maker never
   * passed. Null for a maker that did nothing.
   */
  readonly most: { readonly reason: string; readonly count: number } | null
}

/** Counts by name, in the order of their frequency, then of their names. */
class Counts {
  private readonly counts = new Map<string, number>()

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  list(): { readonly reason: string; readonly count: number }[] {
    return Array.from(this.counts, ([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  }
}

/** What makers command to quote, to bid and to answer a selection, on either service. */
const OFFERING: readonly string[] = [
  'submitQuote', 'withdrawQuote', 'confirmSelection', 'declineSelection', 'submitBid', 'cancelQuote', 'confirmQuote', 'declineQuote',
]

/** What the makers of a service let go by, by name. Empty for a run without such a table. */
export function passesOf(tables: RunTables): MakerPasses[] {
  if (!tables.has('passes')) return []
  const makers = new Names()
  const reasons: Counts[] = []
  const byLegs: Map<string, Counts>[] = []
  for (const batch of tables.batches('passes')) {
    const of = makers.of(batch, 'maker')
    const legs = orNaN(batch, 'leg_count')
    const { texts = [] } = batch.column('reason')
    for (let row = 0; row < batch.rowCount; row++) {
      const maker = of[row]!
      const reason = texts[row] ?? ''
      ;(reasons[maker] ??= new Counts()).add(reason)
      if (Number.isNaN(legs[row]!)) continue
      const legsOf = byLegs[maker] ??= new Map()
      if (!legsOf.has(reason)) legsOf.set(reason, new Counts())
      legsOf.get(reason)!.add(String(legs[row]))
    }
  }
  return makers.list.flatMap((name, maker) => {
    const listed = reasons[maker]?.list() ?? []
    if (listed.length === 0) return []
    return [{
      name, count: listed.reduce((sum, { count }) => sum + count, 0),
      reasons: listed.map(({ reason, count }) => ({
        reason, count, byLegs: Object.fromEntries((byLegs[maker]?.get(reason)?.list() ?? []).map(({ reason: legs, count: so }) => [legs, so])),
      })),
    }]
  })
}

export interface QuietParts {
  readonly makers: Names
  /** Numbers of the makers that took part. */
  readonly shown: readonly number[]
  /** Quotes and bids that the service took. */
  readonly offers: (maker: number) => number
  readonly delivered: (name: string) => number | null
  readonly passes: readonly MakerPasses[]
  /** Whether the run has what a maker let go by. */
  readonly tellsPasses: (name: string) => boolean
}

/** The makers that neither quoted nor bid, and those most of whose commands were refused. */
export function quietMakers(tables: RunTables, { makers, shown, offers, delivered, passes, tellsPasses }: QuietParts): QuietMaker[] {
  const refusals = refusalsOf(tables)
  const refusedOf = (name: string): number => refusals.get(name)?.list().reduce((sum, { count }) => sum + count, 0) ?? 0
  // Who has more offers than refusals had most of its commands taken.
  const isDoubtful = (maker: number): boolean => offers(maker) === 0 || refusedOf(makers.list[maker]!) > offers(maker)
  const doubtful = shown.filter(isDoubtful)
  if (doubtful.length === 0) return []
  const commands = commandsOf(tables, makers)
  return doubtful.flatMap((maker): QuietMaker[] => {
    const name = makers.list[maker]!
    const [refused, sent] = [refusedOf(name), commands.get(maker) ?? 0]
    if (offers(maker) > 0 && refused * 2 <= sent) return []
    const passed = passes.find((one) => one.name === name)
    const [refusal] = refusals.get(name)?.list() ?? []
    const why = offers(maker) === 0 && refused * 2 <= sent ? 'never quoted' : 'mostly refused'
    const most = why === 'never quoted' ? passed?.reasons[0] ?? refusal : refusal
    return [{
      name, why, delivered: delivered(name), passes: tellsPasses(name) ? passed?.count ?? 0 : null, commands: sent, refused,
      most: most === undefined ? null : { reason: most.reason, count: most.count },
    }]
  })
}

/** Refused commands by the name of who sent them. */
function refusalsOf(tables: RunTables): ReadonlyMap<string, Counts> {
  const refusals = new Map<string, Counts>()
  for (const batch of tables.batches('rejections')) {
    const [who, rejection] = [new Names(), new Names()]
    const [of, names, ops] = [who.of(batch, 'cohort'), rejection.of(batch, 'rejection'), codesIn(OFFERING, batch, 'op')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (ops[row]! < 0) continue
      const name = who.list[of[row]!]
      if (name === undefined) continue
      if (!refusals.has(name)) refusals.set(name, new Counts())
      refusals.get(name)!.add(rejection.list[names[row]!]!)
    }
  }
  return refusals
}

/** Commands of each maker. */
function commandsOf(tables: RunTables, makers: Names): ReadonlyMap<number, number> {
  const makerOf = makerAccounts(tables, makers)
  const commands = new Map<number, number>()
  for (const batch of tables.batches('journal')) {
    const [accounts, ops] = [orNaN(batch, 'account'), codesIn(OFFERING, batch, 'op')]
    for (let row = 0; row < batch.rowCount; row++) {
      const maker = ops[row]! < 0 ? undefined : makerOf.get(accounts[row]!)
      if (maker !== undefined) commands.set(maker, (commands.get(maker) ?? 0) + 1)
    }
  }
  return commands
}
