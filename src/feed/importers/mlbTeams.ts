/** Names of baseball teams by the codes that slugs have: place and nickname. */
const TEAMS: ReadonlyMap<string, readonly [place: string, nickname: string]> = new Map(Object.entries<[string, string]>({
  ari: ['Arizona', 'Diamondbacks'], ath: ['', 'Athletics'], atl: ['Atlanta', 'Braves'], bal: ['Baltimore', 'Orioles'], bos: ['Boston', 'Red Sox'],
  chc: ['Chicago', 'Cubs'], cin: ['Cincinnati', 'Reds'], cle: ['Cleveland', 'Guardians'], col: ['Colorado', 'Rockies'], cws: ['Chicago', 'White Sox'],
  det: ['Detroit', 'Tigers'], hou: ['Houston', 'Astros'], kc: ['Kansas City', 'Royals'], laa: ['Los Angeles', 'Angels'], lad: ['Los Angeles', 'Dodgers'],
  mia: ['Miami', 'Marlins'], mil: ['Milwaukee', 'Brewers'], min: ['Minnesota', 'Twins'], nym: ['New York', 'Mets'], nyy: ['New York', 'Yankees'],
  oak: ['Oakland', 'Athletics'], phi: ['Philadelphia', 'Phillies'], pit: ['Pittsburgh', 'Pirates'], sd: ['San Diego', 'Padres'], sea: ['Seattle', 'Mariners'],
  sf: ['San Francisco', 'Giants'], stl: ['St. Louis', 'Cardinals'], tb: ['Tampa Bay', 'Rays'], tex: ['Texas', 'Rangers'], tor: ['Toronto', 'Blue Jays'],
  was: ['Washington', 'Nationals'], wsh: ['Washington', 'Nationals'],
}))

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The one of a game's two codes that a text names: by itself, by a nickname, or by place and nickname. Undefined where it names neither or both. */
export function teamOf(text: string, codes: readonly string[]): string | undefined {
  const named = codes.filter((code) => {
    const [place, nickname] = TEAMS.get(code.toLowerCase()) ?? ['', code]
    return [code, nickname, `${place}${nickname}`].some((name) => plain(name) === plain(text))
  })
  return named.length === 1 ? named[0] : undefined
}

/** The codes of the two teams of a game's slug, as `mlb-col-wsh-2025-06-19`. None of another slug. */
export function teamsOfSlug(slug: string): readonly string[] {
  const game = /^[a-z0-9]+-([a-z0-9]+)-([a-z0-9]+)-\d{4}-\d{2}-\d{2}/.exec(slug)
  return game === null ? [] : [game[1]!, game[2]!]
}
