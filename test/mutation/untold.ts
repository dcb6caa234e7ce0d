import type { Mutant } from './mutants.ts'

/** A mutant that changes nothing that anybody can tell, and why. `text` is its whole line. */
interface Untold {
  readonly file: string
  readonly text: string
  readonly operator: string
  readonly replacement: string
  readonly why: string
}

export const UNTOLD: readonly Untold[] = [
  {
    file: 'src/feed/rows/flatColumn.ts', text: 'if (values instanceof Int32Array) for (let i = 0; i < into.length; i++) into[i] = values[i]! * DAY_US', operator: 'relation', replacement: '<=',
    why: 'an array of numbers takes nothing past its end',
  },
  { file: 'src/agent/fakeBettor.ts', text: 'for (let i = 0; i < count; i++) {', operator: 'relation', replacement: '<=', why: 'nobody reads a leg past the last' },
  ...(['pot', 'escrow', 'free', 'reserved'] as const).map((column) => ({
    file: 'src/ledger/ledger.ts', text: `if (count > this.${column}.length) this.${column} = widened(this.${column}, count)`, operator: 'relation', replacement: '>=', why: 'room is made one call earlier',
  })),
  { file: 'src/agent/rows.ts', text: 'return this.count >= 0', operator: 'relation', replacement: '>', why: 'no row is shown without legs' },
  {
    file: 'src/agent/bettors/informed.ts', text: 'if (view > 0) askAtFloor(intent, desk, p, oddsE4FloorOfProbability(view / (1 + p.edge)))', operator: 'relation', replacement: '>=',
    why: 'the view is a product of factors from 0.001 on, or NaN',
  },
  { file: 'src/record/ledgerRows.ts', text: 'cells[to + at.seq] = posting[from + PostingField.seq]!', operator: 'arithmetic', replacement: '-', why: 'the field is number 0 of its row, or the column of its table' },
  {
    file: 'src/scenario/resolve/cohortArrivals.ts', text: 'if (late < 0) return instants', operator: 'relation', replacement: '<=', why: 'the first instant has none before it, so 0 is never found',
  },
  ...([
    ['bettorHost.ts', 'const gapUs = this.draws.exponential(this.entity, this.counts.arrivals * DRAWS_PER_INTENT + IntentDraw.gap, HOUR_US / this.terms.ratePerHour)'],
    ['bettorHost.ts', 'return this.intents.words[slot + IntentWord.state] === state'], ['bettorHost.ts', 'this.intents.words[slot + IntentWord.state] = state'],
    ['bettorHost.ts', 'return this.intents.cells[slot + IntentCell.arrival]!'], ['bettorPositions.ts', 'return this.holdings.words[slot + HoldingWord.state] === state'],
    ['bettorPositions.ts', 'this.holdings.words[slot + HoldingWord.state] = state'], ['bettorPositions.ts', 'return this.holdings.cells[slot + HoldingCell.arrival]!'],
  ] as const).map(([file, text]) => ({ file: `src/trade/bettor/${file}`, text, operator: 'arithmetic', replacement: '-', why: 'the field is number 0 of its row, or of an arrival’s draws' })),
  { file: 'src/trade/prices.ts', text: 'if (number !== undefined) this.show(number, tick)', operator: 'condition', replacement: 'true', why: 'a row without a number is no place of the board' },
  {
    file: 'src/score/jointOutcomes.ts', text: 'pays.fill(0)', operator: 'statement', replacement: ';', why: 'it only orders the search, whose answer is the same in any order',
  },
  { file: 'src/stats/bradleyTerry.ts', text: 'for (let step = 0; step < STEPS_MAX; step++) {', operator: 'relation', replacement: '<=', why: 'the steps have converged long before the last' },
  {
    file: 'src/serve/session/servedSession.ts', text: 'const late = this.late.splice(0).sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))', operator: 'relation', replacement: '<=',
    why: 'keys that are the same have been compared before',
  },
  {
    file: 'src/sweep/historyClusters.ts', text: 'const names = [...lastUs.keys()].toSorted((a, b) => lastUs.get(a)! - lastUs.get(b)! || (a < b ? -1 : 1))', operator: 'relation', replacement: '<=',
    why: 'no two names are the same',
  },
]

/** Whether a mutant of a file, by its path from the root, is one that nobody can tell. */
export const isUntold = (file: string, { text, operator, replacement }: Mutant): boolean =>
  UNTOLD.some((known) => known.file === file && known.text === text && known.operator === operator && known.replacement === replacement)
