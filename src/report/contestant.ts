import type { LeagueEntry, LeagueFigures } from '../sweep/leagueResult.ts'
import type { Look } from './html/palette.ts'

/** An entry that has figures, with its look. */
export interface Contestant {
  readonly entry: LeagueEntry
  readonly name: string
  readonly look: Look
  readonly figures: LeagueFigures
}
