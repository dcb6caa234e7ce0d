import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groups, importData } from '../../../src/actions.ts'
import { groupedMarkets } from '../../../src/feed/groups/applyGroups.ts'
import { type GroupRules, groupsSchema } from '../../../src/feed/groups/groupRules.ts'
import { type Pattern, readPattern } from '../../../src/feed/groups/pattern.ts'
import { readGroups } from '../../../src/feed/groups/readGroups.ts'
import { NOT_STATED, type MarketDraft } from '../../../src/feed/marketDraft.ts'
import { relationsOfSlug } from '../../../src/feed/slugRelations.ts'
import { openStore } from '../../../src/feed/store/openStore.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { madeFolder } from '../store/made.ts'
import { DAY, draftOf, writeRows } from '../store/rows.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples/groups')

const TEAMS = new Map([['team', new Map([['nyy', 'nyy'], ['ny', 'nym'], ['kc', 'kc'], ['ath', 'ath'], ['oak', 'ath']])]])
const matched = (pattern: string, text: string): unknown => (readPattern(pattern, TEAMS) as Pattern).match(text)

describe('patterns of groups', () => {
  it.each<[string, string, unknown]>([
    ['mlb-*', 'mlb-', {}], ['mlb-*', 'mlb', null], ['*', '', {}], ['a*b*c', 'aXbYbZc', {}], ['MLB', 'mlb', {}], ['a', 'ab', null],
    // As few letters as make it match, and at least one.
    ['{a}-{b}', 'x-y-z', { a: 'x', b: 'y-z' }], ['{a}', '', null], ['{a}-', '-', null],
    // As many as make it match.
    ['{a:digits}{b:word}', '12x', { a: '12', b: 'x' }], ['{a:digits}{b:digits}', '123', { a: '12', b: '3' }], ['{a:letters}', 'ab1', null], ['{a:letters}', 'ÉtÉ', { a: 'été' }],
    ['{s:highest|lowest}-*', 'Lowest-x', { s: 'lowest' }], ['{s:highest|lowest}-*', 'low-x', null], ['{c:##@@@##}', '26MAY11', { c: '26may11' }], ['{c:##}', '1a', null], ['{c:a#|b}', 'b', { c: 'b' }],
    // Spellings stand for their names; those that are longer come first, and others are tried where they fail.
    ['{a:team}{b:team}', 'OAKNYY', { a: 'ath', b: 'nyy' }], ['{a:team}y{b:team}', 'nyykc', { a: 'nym', b: 'kc' }], ['{a:team}', 'bos', null],
    ['{d:date}', '2025-06-19', { d: '2025-06-19' }], ['x{d:date}y', 'x20250619y', { d: '2025-06-19' }], ['{d:date}', '25JUN19', { d: '2025-06-19' }], ['{d:date}', 'June-9-2025', { d: '2025-06-09' }],
    ['{d:date}', 'Jun 9, 2025', { d: '2025-06-09' }], ['{d:date}', '9 june 2025', { d: '2025-06-09' }], ['{d:date}', 'june-9', null], ['{d:day}', 'june-9', { d: '06-09' }], ['{d:day}-*', 'june-9-2025-x', { d: '06-09' }],
    ['{d:day}-{n}', 'february-2-26', { d: '02-02', n: '26' }], ['{d:date}', '2025-13-01', null], ['{d:date}', '2025-06-31', null], ['{d:date}', '2024-02-29', { d: '2024-02-29' }], ['{d:day}', 'june-311', null],
  ])('%s of %s', (pattern, text, expected) => {
    expect(matched(pattern, text)).toEqual(expected)
  })

  it.each([['', 'an empty pattern'], ['{a', 'a { without'], ['a}', 'a } without'], ['{A}', '{A} is no name'], ['{a}{a}', '{a} stands there twice'], ['{}', '{} is no name']])('%s is refused', (pattern, fault) => {
    expect(readPattern(pattern, new Map())).toEqual({ fault: expect.stringContaining(fault) })
  })

  it('take a time that is bounded, whatever text a stranger writes', () => {
    expect(matched(`${'{a}'.replace('a', 'b')}${['c', 'd', 'e', 'f', 'g', 'h'].map((name) => `*{${name}}`).join('')}!`, 'a'.repeat(300))).toBeNull()
    expect(matched('*', 'a'.repeat(1001))).toBeNull()
  })
})

const rulesOf = (rules: unknown, rest: object = {}): GroupRules => groupsSchema.parse({ version: 1, rules, ...rest })
const grouped = (market: Partial<MarketDraft>, rules: unknown, rest: object = {}): MarketDraft => groupedMarkets([draftOf('T-1', market)], rulesOf(rules, rest))[0]!

describe('rules of groups', () => {
  it('PQ-065, PQ-067: make a key for each of the four kinds of relation, and game and ladder beside', () => {
    const market = grouped({}, [{ name: 'all', match: { ticker: '{series:letters}-{number:digits}' }, event: '{series}', game: 'g{number}', ladder: 'l{number}', subEvent: 's{number}', group: ['x{number}', 'y{ticker}'] }])
    expect(market).toMatchObject({ event: 't', game: 'g1', ladder: 'l1', exclusionKeys: ['event:E', 'event:s1', 'game:g1', 'group:x1', 'group:yT-1', 'ladder:l1'] })
  })

  it('add keys up, let the last one hold for the rest, and leave what no rule says', () => {
    const rules = [{ name: 'a', match: { ticker: 'T-*' }, game: 'a', exclusive: true }, { name: 'b', match: { series: 'S', ticker: '*-1' }, game: 'b', group: 'c' }, { name: 'no', match: { ticker: 'T-1', category: 'crypto' }, game: 'no' }]
    expect(grouped({ listing: { subcategory: 'mlb' }, outcome: 'scalar', settlementE6: 7 }, rules)).toEqual(
      draftOf('T-1', { game: 'b', exclusionKeys: ['event:E', 'game:a', 'game:b', 'group:c'], listing: { subcategory: 'mlb', isExclusive: true }, outcome: 'scalar', settlementE6: 7 }))
  })

  it('drop the keys of imports where they say so, and derive those of a market that has none then', () => {
    const rules = [{ name: 'a', match: { ticker: 'X' }, game: 'a' }]
    expect(grouped({ event: 'F', ladder: 'L', exclusionKeys: ['words:x'] }, rules, { imported: 'drop' }).exclusionKeys).toEqual(['event:F', 'ladder:L'])
    expect(grouped({ event: '', exclusionKeys: ['words:x'] }, rules, { imported: 'drop' }).exclusionKeys).toEqual(['market:T-1'])
    expect(grouped({ exclusionKeys: ['words:x'] }, rules).exclusionKeys).toEqual(['words:x'])
  })

  it('leave out what unless matches, and take any of several patterns', () => {
    const rules = [{ name: 'a', match: { ticker: ['X-*', 'T-*'] }, unless: { title: '*draft*' }, group: 'g' }]
    expect(grouped({}, rules).exclusionKeys).toContain('group:g')
    expect(grouped({ title: 'A Draft' }, rules).exclusionKeys).not.toContain('group:g')
  })

  it('refuse to call markets exclusive that have no event', () => {
    expect(() => grouped({ event: '' }, [{ name: 'a', match: { ticker: '*' }, exclusive: true }])).toThrow('the rule a calls the market T-1 exclusive, which has no event')
  })
})

describe('a file of groups', () => {
  function refusal(text: string): string {
    const file = join(madeFolder(), 'groups.yaml')
    writeFileSync(file, text)
    try {
      readGroups(file)
    } catch (error) {
      expect(error).toBeInstanceOf(InputError)
      const { position, message } = error as InputError
      return `${position!.line}:${position!.column} ${message}`
    }
    return 'none'
  }
  const rule = (lines: string): string => `version: 1\nrules:\n  - name: a\n${lines.split('\n').map((line) => `    ${line}\n`).join('')}`

  it.each<[string, string | RegExp]>([
    ['version: 1\nrules: [', /^2:9 /], ['version: 2\nrules: []', /^1:10 version/], [rule('match: { ticker: "a" }\ngame: g\nkind: x'), /^3:5 rules.0: .*kind/],
    [rule('match: {}\ngame: g'), '4:12 rules.0.match: expected a pattern of at least one field'], [rule('match: { ticker: "{a" }\ngame: g'), '4:22 rules.0.match.ticker: {a: a { without its other half'],
    [rule('match: { ticker: a }'), '3:5 rules.0: says nothing of the markets that it matches: expected event, game, ladder, subEvent, group or exclusive'],
    [rule('match: { ticker: ["{a}-x", "{b}"] }\ngame: "{a}"'), /^5:11 rules.0.game: \{a\} is no part of every pattern/], [rule('match: { ticker: "{a}", event: "{a}" }\ngame: g'), /\{a\} is a part of another field already/],
    [rule('match: { ticker: a }\ngame: g\n').replace('rules', 'lists: { date: [x] }\nrules'), /cannot have the name of the kind date/],
    [rule('match: { ticker: a }\ngame: g\n').replace('rules', 'lists: { team: { a: [b], b: [] } }\nrules'), /b stands for a already/],
    ['version: 1\n', '1:1 rules: is missing: expected array'],
    [`a: &a [x, x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}\n`, '1:1 Excessive alias count indicates a resource exhaustion attack'],
  ])('%j is refused with its place', (text, expected) => {
    const found = refusal(text)
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expect(found).toMatch(expected)
  })

  it.each(['polymarket', 'kalshi', 'baseball'])('%s.yaml is read', (name) => {
    expect(readGroups(join(EXAMPLES, `${name}.yaml`)).rules.length).toBeGreaterThan(2)
  })

  const ofSlug = (slug: string): MarketDraft => ({ ...NOT_STATED, ...draftOf(slug), ...relationsOfSlug(slug) })
  const shares = (a: MarketDraft, b: MarketDraft): boolean => a.exclusionKeys.some((key) => b.exclusionKeys.includes(key))

  it.each<[string, string, boolean, boolean]>([
    // What the importer derives, and what the rules do.
    ['nba-phi-lac-2026-02-02-points-joel-embiid-27pt5', 'nba-phi-lac-2026-02-02-rebounds-ivica-zubac-10pt5', true, true], ['arg-aaj-bel-2026-02-02-draw', 'arg-uni-gye-2026-02-02-draw', false, false],
    ['highest-temperature-in-dallas-on-february-3-2026-52-53f', 'highest-temperature-in-dallas-on-february-3-51forbelow', true, true],
    ['will-the-highest-temperature-in-new-york-city-be-35-36f-on-february-2', 'highest-temperature-in-chicago-on-february-2-26-27f', false, false],
    // Words that many markets have in common say too much, and the same event under other words too little.
    ['will-grok-4pt20-be-released-on-february-2-2026', 'will-x-be-released-on-february-2-2026', true, false], ['us-strikes-iran-by-february-2-2026', 'will-the-us-next-strike-iran-in-january-2026-et', false, true],
    ['us-strike-on-cuba-by-january-31', 'will-the-us-strike-4-countries-in-january-2026', false, true],
  ])('%s and %s: by words %s, by rules %s', (a, b, byWords, byRules) => {
    const markets = [ofSlug(a), ofSlug(b)] as const
    const [c, d] = groupedMarkets(markets, readGroups(join(EXAMPLES, 'polymarket.yaml'))) as [MarketDraft, MarketDraft]
    expect([shares(...markets), shares(c, d)]).toEqual([byWords, byRules])
  })

  it('knows a game on both venues', () => {
    const [a, b, c, d] = groupedMarkets(
      [['KXMLBGAME-25JUN19LAANYY-NYY', 'KXMLBGAME-25JUN19LAANYY'], ['x', 'mlb-laa-nyy-2025-06-19'], ['y', 'KXMLBGAME-26JUN191910LAANYY'], ['z', 'KXMLBGAME-25JUN19LAANYYG2']].map(([ticker, event]) => draftOf(ticker!, { event: event! })),
      readGroups(join(EXAMPLES, 'baseball.yaml')),
    )
    expect([a!.game, b!.game, c!.game, d!.game]).toEqual(['mlb:2025-06-19:laa-nyy', 'mlb:2025-06-19:laa-nyy', 'mlb:2026-06-19:laa-nyy', 'mlb:2025-06-19:laa-nyy'])
  })
})

describe('an import with groups', () => {
  it('writes markets with their keys into the store, and is refused where the file is wrong before anything is written', async () => {
    const folder = madeFolder()
    const row = (date: string, teams: string): string => `2025-06-19,KXMLBGAME-${date}${teams}-NYY,KXMLBGAME-${date}${teams},A,A,40,42,41,100,10,yes,1750388400`
    writeFileSync(join(folder, 'a.csv'), `date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts\n${row('25JUN19', 'LAANYY')}\n${row('25JUN19', 'LAANYYG2')}\n`)
    const options = { into: join(folder, 'store'), groups: join(folder, 'no.yaml') }
    await expect(importData('kalshi-mlb-close', [join(folder, 'a.csv')], options)).rejects.toThrow('cannot read the file')
    expect(existsSync(join(folder, 'store'))).toBe(false)
    await importData('kalshi-mlb-close', [join(folder, 'a.csv')], { ...options, groups: join(EXAMPLES, 'baseball.yaml') })
    await expect(importData('kalshi-mlb-close', [join(folder, 'a.csv')], { ...options, groups: join(EXAMPLES, 'baseball.yaml'), append: true })).rejects.toThrow('rules for groups are written into a new store')
    expect(openStore(join(folder, 'store')).catalogue.markets.map(({ game, exclusionKeys }) => [game, exclusionKeys])).toEqual(
      ['LAANYY', 'LAANYYG2'].map((teams) => ['mlb:2025-06-19:laa-nyy', [`game:KXMLBGAME-25JUN19${teams}`, 'game:mlb:2025-06-19:laa-nyy']]))
  })
})

describe('the account of groups', () => {
  it('counts pairs once for each rule, also those that have their key by two rules, and those of one rule alone', async () => {
    const folder = madeFolder()
    const keys = (...names: string[]): Partial<MarketDraft> => ({ event: '', exclusionKeys: names })
    await writeRows(join(folder, 'store'), [draftOf('A1', keys('event:1')), draftOf('A2', keys('event:1')), draftOf('A3', keys('event:2')), draftOf('B1', keys('event:3')), draftOf('C', keys('event:4'))], [[DAY, 0, 1, 2, 1, 1, -1]])
    writeFileSync(join(folder, 'groups.yaml'), 'version: 1\nrules:\n  - { name: a, match: { ticker: "A{n}" }, group: all }\n  - { name: b, match: { ticker: "B*" }, group: all }\n  - { name: c, match: { ticker: "C" }, group: c }\n')
    const found = await groups(join(folder, 'store'), { groups: join(folder, 'groups.yaml') })
    // Of A1, A2, A3 and B1 all six pairs share group:all: three are of A alone, of which A1–A2 has event:1 too, and three are of A and B.
    expect(found).toMatchObject({ markets: 5, pairs: 6, single: 1 })
    expect(found.rules.map(({ name, isImported, markets, groups: shared, pairs, pairsAlone, largest }) => [name, isImported, markets, shared, pairs, pairsAlone, largest])).toEqual([
      ['event', true, 5, 1, 1, 0, { key: 'event:1', markets: 2 }], ['a', false, 3, 1, 6, 2, { key: 'group:all', markets: 4 }], ['b', false, 1, 1, 3, 0, { key: 'group:all', markets: 4 }], ['c', false, 1, 0, 0, 0, null],
    ])
    expect((await groups(join(folder, 'store'))).rules.map(({ name, pairs }) => [name, pairs])).toEqual([['event', 1]])
  })
})
