/** What a market's slug says about its relation to other markets. */
export interface SlugRelations {
  readonly event: string
  readonly game: string
  readonly ladder: string
  readonly exclusionKeys: readonly string[]
}

const GAME = /^([a-z0-9]+-[a-z0-9]+-[a-z0-9]+-\d{4}-\d{2}-\d{2})(?:-|$)/
const TEMPERATURE = /^(highest|lowest)-temperature-in-(.+)-on-([a-z]+-\d{1,2})(?:-\d{4})?(?:-|$)/
const TEMPERATURE_ASKED = /^will-the-(highest|lowest)-temperature-in-(.+)-be-.+-on-([a-z]+-\d{1,2})(?:-\d{4})?$/
const HEAD_WORDS = 3
const TAIL_WORDS = 6

/**
 * Relations by name. They are rather too many than too few: a needless exclusion only prevents a parlay, but a missing one prices
 * dependent markets as if they were independent. `LEAGUE-A-B-DATE…` is one game. The temperature buckets of a city and day are one
 * ladder. Any other two markets exclude each other when their slugs share the first three words or the last six (a number that only
 * makes the slug unique is left out): "will X win the most seats in … election", "will Tria launch a token by …".
 */
export function relationsOfSlug(slug: string): SlugRelations {
  const game = GAME.exec(slug)?.[1]
  if (game !== undefined) return { event: game, game, ladder: '', exclusionKeys: [`game:${game}`] }
  const temperature = TEMPERATURE.exec(slug) ?? TEMPERATURE_ASKED.exec(slug)
  if (temperature !== null) {
    const ladder = `${temperature[1]}-temperature-in-${temperature[2]}-on-${temperature[3]}`
    return { event: ladder, game: '', ladder, exclusionKeys: [`ladder:${ladder}`] }
  }
  const words = slug.replace(/(-\d{3})+$/, '').split('-')
  const head = `words:${words.slice(0, HEAD_WORDS).join('-')}`
  const tail = `words:${words.slice(-TAIL_WORDS).join('-')}`
  return { event: words.join('-'), game: '', ladder: '', exclusionKeys: head === tail ? [head] : [head, tail] }
}
