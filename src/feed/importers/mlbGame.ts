import { teamOf, teamsOfSlug } from './mlbTeams.ts'
import type { GameResult, TokenMetadata } from './polymarketMlbFiles.ts'

/** Only a book with prices as extreme as this, which says that the game is over, tells which team a token stands for. */
const DECIDED_E6 = 990_000

/** A token of a game. Prices are those of its last book, −1 for none. */
export interface GameToken {
  readonly id: string
  readonly lastBidE6: number
  readonly lastAskE6: number
  readonly metadata: TokenMetadata | undefined
}

export interface GameTeams {
  /** What each token is called: the code of its team where it is known, else what the metadata call it. */
  readonly teams: ReadonlyMap<string, string>
  /** The token that is worth a dollar, undefined where nobody says. */
  readonly winnersToken: string | undefined
  /** Why book, metadata and result cannot all be right. Then nothing is taken from any of them. */
  readonly contradiction?: string | undefined
}

/** Whose token is whose in a game, and which one won, as far as metadata, result and last books say it. */
export function gameTeams(slug: string, tokens: readonly GameToken[], result: GameResult | undefined): GameTeams {
  const named = namedByMetadata(tokens, result === undefined ? teamsOfSlug(slug) : [result.away, result.home])
  const isResultOfTokens = result !== undefined && result.winner !== '' && tokens.length === 2
    && (result.tokens.length === 0 ? named.known.size === 2 : tokens.every(({ id }) => result.tokens.includes(id)))
  if (!isResultOfTokens) return { teams: named.texts, winnersToken: undefined }
  const byMetadata = tokens.find(({ id }) => named.known.get(id) === result.winner)?.id
  const byBook = decided(tokens)
  if (byMetadata !== undefined && byBook !== undefined && byMetadata !== byBook) {
    return { teams: new Map(), winnersToken: undefined, contradiction: `${result.winner} won, the metadata give it token ${byMetadata}, and the last book says that ${byBook} won` }
  }
  const winnersToken = byMetadata ?? byBook
  if (winnersToken === undefined) return { teams: named.texts, winnersToken: undefined }
  const loser = result.winner === result.away ? result.home : result.away
  return { teams: new Map(tokens.map(({ id }) => [id, id === winnersToken ? result.winner : loser])), winnersToken }
}

/** `known` are the codes of both tokens: of two tokens of a game, the one that is not one team's is the other's. */
function namedByMetadata(tokens: readonly GameToken[], codes: readonly string[]) {
  const known = new Map<string, string>()
  const texts = new Map<string, string>()
  for (const { id, metadata } of tokens) {
    if (metadata === undefined) continue
    const code = teamOf(metadata.team, codes)
    if (code !== undefined) known.set(id, code)
    texts.set(id, code ?? metadata.team)
  }
  const other = tokens.find(({ id }) => !texts.has(id))
  if (tokens.length === 2 && codes.length === 2 && known.size === 1 && other !== undefined) {
    const code = codes.find((one) => ![...known.values()].includes(one))!
    known.set(other.id, code)
    texts.set(other.id, code)
  }
  // Two tokens of one team, which cannot be.
  if (new Set(texts.values()).size < texts.size) return { known: new Map<string, string>(), texts: new Map<string, string>() }
  return { known, texts }
}

/** The winner's token: its last bid says that the game is won, and the last ask of the other token says that the game is lost. */
function decided(tokens: readonly GameToken[]): string | undefined {
  const won = tokens.filter(({ lastBidE6 }) => lastBidE6 >= DECIDED_E6)
  const lost = tokens.filter(({ lastAskE6 }) => lastAskE6 >= 0 && lastAskE6 <= 1_000_000 - DECIDED_E6)
  return won.length === 1 && lost.length === 1 && won[0] !== lost[0] ? won[0]!.id : undefined
}
