import type { RunTables, TableRows } from './runTables.ts'

/** Counts by cause, in the order of the log. */
export type Causes = Readonly<Record<string, number>>

/** What became of the requests of a recorded log: requests = reproduced + those of `other` + those of `leftOut`. */
export interface RecordedSummary {
  readonly cohort: string
  readonly log: string
  /** Versions of requests. */
  readonly requests: number
  /** Those that went as recorded: makers, instants, odds and answers. */
  readonly reproduced: number
  /** Those that went another way, by the first thing that was not as recorded. */
  readonly other: Causes
  /** Those that the session does not have, by cause. */
  readonly leftOut: Causes
  /** Makers that were chosen last in the log, by how their requests went here. */
  readonly makers: readonly { readonly maker: string; readonly taken: number; readonly reproduced: number; readonly other: Causes }[]
}

interface Tally {
  requests: number
  reproduced: number
  readonly other: Record<string, number>
  readonly leftOut: Record<string, number>
}

const emptyTally = (): Tally => ({ requests: 0, reproduced: 0, other: {}, leftOut: {} })

/** One for each cohort of a log, none for a run without. */
export function recordedOf(tables: RunTables): RecordedSummary[] {
  if (!tables.has('recorded')) return []
  const cohorts = new Map<string, { readonly log: string; readonly all: Tally; readonly makers: Map<string, Tally> }>()
  for (const batch of tables.batches('recorded')) {
    const [cohort, log, maker, why] = ['cohort', 'log', 'recorded_maker', 'why'].map((name) => batch.column(name).texts!)
    const verdicts = verdictsOf(batch)
    for (let row = 0; row < batch.rowCount; row++) {
      const name = cohort![row]!
      const of = cohorts.get(name) ?? { log: log![row]!, all: emptyTally(), makers: new Map<string, Tally>() }
      cohorts.set(name, of)
      count(of.all, verdicts[row]!, why![row]!)
      const chosen = maker![row]!
      if (chosen === '') continue
      const own = of.makers.get(chosen) ?? emptyTally()
      of.makers.set(chosen, own)
      count(own, verdicts[row]!, why![row]!)
    }
  }
  return [...cohorts].map(([cohort, { log, all, makers }]) => ({
    cohort, log, ...all,
    makers: [...makers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([maker, { requests, reproduced, other, leftOut }]) => ({ maker, taken: requests, reproduced, other: { ...other, ...leftOut } })),
  }))
}

function verdictsOf(batch: TableRows): string[] {
  const { codes, values } = batch.column('verdict')
  return Array.from(codes!, (code) => values![code]!)
}

function count(tally: Tally, verdict: string, why: string): void {
  tally.requests++
  if (verdict === 'reproduced') tally.reproduced++
  else {
    const causes = verdict === 'other' ? tally.other : tally.leftOut
    causes[why] = (causes[why] ?? 0) + 1
  }
}
