import { TERMS } from '../score/attribution.ts'
import type { LeagueFigures, LeagueResult } from '../sweep/leagueResult.ts'
import { brief, grouped, signed } from '../unit/numberText.ts'
import { shownWords } from '../unit/visibleText.ts'
import { TERM_NAMES } from './termNames.ts'

type Term = (typeof TERMS)[number]

/** Terms under this share of all differences are told together. */
const SMALL = 0.05

/** Of what the lead over the second consists, USDC of one session on average. The terms add up to it, and so do both parts of the volume. */
export interface LeadParts {
  readonly first: string
  readonly second: string
  readonly lead: number
  /** Of luck-adjusted profit luck is no term. */
  readonly terms: readonly { readonly term: Term; readonly usdc: number }[]
  /**
   * What the first's greater stakes would have earned at the second's profit per dollar staked, and the rest: what its dollars earned more. Null where
   * the second was staked nothing with.
   */
  readonly volume: { readonly byStakes: number; readonly byEarning: number } | null
}

/** The parts of the lead. Null without two entries with figures that say them. */
export function leadParts({ entries, ranking: { measure, part } }: Pick<LeagueResult, 'entries' | 'ranking'>): LeadParts | null {
  const [first, second] = entries
  if (first?.figures?.account === undefined || second?.figures?.account === undefined) return null
  const { toLeader, stake } = second.figures.account
  const profitOf = ({ profit, luckAdjusted }: LeagueFigures): number | null => (measure === 'cash' ? profit : luckAdjusted)[part]?.estimate ?? null
  const [own, others] = [profitOf(first.figures), profitOf(second.figures)]
  if (toLeader === null || own === null || others === null) return null
  const terms = TERMS.filter((term) => measure === 'cash' || term !== 'luck').map((term) => ({ term, estimate: toLeader[term].estimate }))
  if (terms.some(({ estimate }) => estimate === null)) return null
  const byStakes = stake === 0 ? null : ((first.figures.account.stake - stake) * others) / stake
  return {
    first: first.name, second: second.name, lead: own - others,
    terms: terms.map(({ term, estimate }) => ({ term, usdc: 0 - estimate! })),
    volume: byStakes === null ? null : { byStakes, byEarning: own - others - byStakes },
  }
}

/** Why the first is first, in words: which terms its lead consists of, and whether it did more or earned more with as much. Null where it is not known. */
export function whyText(league: Pick<LeagueResult, 'entries' | 'ranking'>): string | null {
  const parts = leadParts(league)
  if (parts === null || parts.lead === 0) return null
  const { first, second, lead, terms, volume } = parts
  const all = terms.reduce((sum, { usdc }) => sum + Math.abs(usdc), 0)
  const told = terms.filter(({ usdc }) => Math.abs(usdc) > SMALL * all).toSorted((a, b) => Math.abs(b.usdc) - Math.abs(a.usdc))
  const rest = lead - told.reduce((sum, { usdc }) => sum + usdc, 0)
  const texts = told.map(({ term, usdc }) => `${TERM_NAMES[term]} ${signedText(usdc)}`)
  const [own, others] = [league.entries[0]!.figures!.account!, league.entries[1]!.figures!.account!]
  const trade = `${shownWords(first)} had ${grouped(own.fills, 1)} fills a session on stakes of ${grouped(own.stake, 0)} USDC, ${shownWords(second)} ${grouped(others.fills, 1)} on ${grouped(others.stake, 0)}`
  return `The lead consists of ${texts.join(', ')}${told.length < terms.length && Math.abs(rest) >= 0.005 ? `, the rest ${signedText(rest)}` : ''}. ${trade}${volume === null ? '' : `: ${signedText(volume.byStakes)} of the lead is volume, ${signedText(volume.byEarning)} what each dollar staked earned`}.`
}

const signedText = (usdc: number): string => signed(brief(usdc, 3))
