import { shortReason } from '../score/figureBasis.ts'
import { MEASURE_WORDS } from '../score/licence.ts'
import type { LeagueEntry, LeagueResult } from '../sweep/leagueResult.ts'
import { brief, fixed } from '../unit/numberText.ts'
import { shownWords } from '../unit/visibleText.ts'

/** Which entry is first, by what, and whether its lead tells it from the second. Null where no entry has figures. */
export function leagueVerdict({ entries, ranking: { measure, format, part } }: LeagueResult): string | null {
  const [first, second] = entries
  if (first?.figures == null) return null
  return [`First by ${MEASURE_WORDS[measure]} ${playedText(format, part)} is ${shownWords(first.name)}.`, ...(second === undefined ? [] : leadText(second))].join(' ')
}

/** Below this adjusted p a lead counts as one. */
const SIGNIFICANT = 0.05

/** How far the second is behind, and whether the difference is significant. */
function leadText({ name, figures }: LeagueEntry): string[] {
  const toLeader = figures?.toLeader ?? null
  if (toLeader === null || toLeader.difference.estimate === null) return []
  const { difference: { estimate, low, high }, adjusted } = toLeader
  const lead = `Its lead over the second, ${shownWords(name)}, is ${brief(-estimate, 3)} USDC a session`
  if (low === null || high === null) return [`${lead}, without an interval: nothing tells them apart.`, ...(shortReason([toLeader.difference]) === null ? [] : [`${shortReason([toLeader.difference])}.`])]
  // The leader was found in the same data, which the adjustment allows for.
  const isTold = high < 0 && (adjusted === null || adjusted < SIGNIFICANT)
  return [`${lead} (${brief(-high, 3)} to ${brief(-low, 3)}), which ${isTold ? 'tells' : 'does not tell'} them apart${high < 0 && !isTold ? `: p is ${fixed(adjusted, 3)}, adjusted for all pairs` : ''}.`]
}

/** In what the entries of a league are compared. */
export const playedText = (format: string, part: string): string =>
  `${format === 'alone' ? 'alone' : format === 'field' ? 'in the field' : 'in pairs'}${part === 'all' ? '' : `, over the ${part}`}`
