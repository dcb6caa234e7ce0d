import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { citedDecisions, citedIds, citedReadings, type Citation } from './citations.ts'
import { anchorsOf, CITING, FILES, PAGES, pageOf, prose, type Text } from './texts.ts'

/** Where in a text a citation stands. */
const place = ({ path, text }: Text, index: number, cited: string): string => `${path}:${text.slice(0, index).split('\n').length} ${cited}`

const isThere = (path: string): boolean => FILES.has(path) || [...FILES].some((file) => file.startsWith(`${path}/`))

/** Places of a pattern whose first group names nothing. */
const broken = (texts: readonly Text[], pattern: RegExp, names: (group: string) => boolean): string[] => texts.flatMap((one) =>
  [...one.text.matchAll(pattern)].filter((match) => !names(match[1]!)).map((match) => place(one, match.index, match[0].trim())))

/** Places of citations that name nothing. */
const unnamed = (texts: readonly Text[], cited: (text: string) => readonly Citation[], names: (id: string) => boolean): string[] =>
  texts.flatMap((one) => cited(one.text).filter(({ id }) => !names(id)).map(({ index, id }) => place(one, index, id)))

describe('links of pages', () => {
  it('lead to files and headings that are there', () => {
    const wrong = PAGES.flatMap((page) => [...prose(page.text).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(([whole, to, anchor]) => {
      const target = to === '' ? page.path : posix.normalize(posix.join(posix.dirname(page.path), to!))
      if (!isThere(target)) return [`${page.path} ${whole}`]
      return anchor === undefined || anchorsOf(pageOf(target)).has(decodeURIComponent(anchor)) ? [] : [`${page.path} ${whole}`]
    }))
    expect(wrong).toEqual([])
  })

  it('name headings as GitHub does', () => {
    expect([...anchorsOf({ path: '', text: '# A `b`, [c](d.md)!\n## Same\n## Same\n```\n# none\n```\n<a id="X1"></a>' })])
      .toEqual(['X1', 'a-b-c', 'same', 'same-1'])
  })
})

describe('citations in pages, comments and messages', () => {
  const design = pageOf('docs/design.md')
  const readings = anchorsOf(pageOf('docs/readings.md'))
  const rules = new Set(['parlay', 'outcome'].flatMap((service) => [...anchorsOf(pageOf(`docs/conformance/rules-${service}.md`))]))

  it('design.md, decision N: a numbered decision of the design', () => {
    const numbers = new Set([...design.text.matchAll(/^(\d+)\. \*\*/gm)].map((match) => match[1]!))
    expect([...numbers]).toEqual(Array.from({ length: 25 }, (_, i) => String(i + 1)))
    expect(unnamed(CITING, citedDecisions, (number) => numbers.has(number))).toEqual([])
    const headed = (page: Text) => (heading: string): boolean => page.text.includes(`\n## ${heading}\n`)
    expect(broken(CITING, /design\.md, "([^"\n]+)"/g, headed(design))).toEqual([])
    expect(broken(CITING, /readings\.md, "([^"\n]+)"/g, headed(pageOf('docs/readings.md')))).toEqual([])
  })

  it('are found in lists, in ranges and over the end of a line, and a broken one is told', () => {
    const ids = (citations: readonly Citation[]): string[] => citations.map(({ id }) => id)
    expect(ids(citedDecisions('decision 4, decisions 10 and 12, decisions 3…5 or 7\n * decision\n * 26; decision 0012'))).toEqual(['4', '10', '12', '3', '4', '5', '7', '26'])
    expect(ids(citedIds('PQ-009…011, OM-265 PQ-1234 PQ-044…041 PQ-100…99 PQ-001–PQ-002 and OM-003', 'PQ-|OM-', 3)))
      .toEqual(['PQ-009', 'PQ-010', 'PQ-011', 'OM-265', 'PQ-044…041', 'PQ-100…99', 'PQ-001', 'PQ-002', 'OM-003'])
    expect(ids(citedReadings('readings A12, B01 … B03 and A40–41; A99, reading A05'))).toEqual(['A12', 'B01', 'B02', 'B03', 'A40', 'A41', 'A05'])
    const page = { path: 'a.md', text: 'one\ndecisions 10 and 26, PQ-999…1001' }
    expect(unnamed([page], citedDecisions, (id) => Number(id) <= 25)).toEqual(['a.md:2 26'])
    expect(unnamed([page], (text) => citedIds(text, 'PQ-', 3), (id) => rules.has(id))).toEqual(['a.md:2 PQ-999', 'a.md:2 PQ-1000', 'a.md:2 PQ-1001'])
  })

  it('decision 00NN: a page of docs/decisions', () => {
    expect(broken(CITING, /\bdecisions?[ /](\d{4})/g, (number) => [...FILES].some((file) => file.startsWith(`docs/decisions/${number}-`)))).toEqual([])
  })

  it('readings A12, B01 … B04: a reading', () => {
    expect(unnamed(CITING, citedReadings, (id) => readings.has(id))).toEqual([])
    const ofServices = PAGES.filter(({ path }) => /^docs\/conformance\/(?:parlay|outcome)/.test(path))
    expect(unnamed(ofServices, (text) => citedIds(text, '[AB]', 2), (id) => readings.has(id))).toEqual([])
    expect(CITING.filter(({ text }) => citedReadings(text).length > 0).length).toBeGreaterThan(50)
  })

  it('PQ-042, OM-265, INV-01: a rule or an invariant', () => {
    const outsideConformance = CITING.filter(({ path }) => !path.startsWith('test/conformance/'))
    expect(unnamed(outsideConformance, (text) => citedIds(text, 'PQ-|OM-', 3), (id) => rules.has(id))).toEqual([])
    expect(unnamed(CITING, (text) => citedIds(text, 'INV-', 2), (id) => readings.has(id))).toEqual([])
  })

  it('some.md: a page of the repository, at its path where one is given', () => {
    const names = (cited: string): boolean => (cited.includes('/')
      ? [...FILES].some((file) => file === cited || file.endsWith(`/${cited}`)) : PAGES.some(({ path }) => posix.basename(path) === cited))
    const wrong = CITING.flatMap((one) => [...one.text.matchAll(/(?<![\w./-])((?:\.\.?\/)*[\w/-]+\.md)\b/g)].flatMap((match) => {
      // What code makes pages of stands elsewhere than the code.
      const cited = one.path.endsWith('.md') ? match[1]!.replace(/^(?:\.\.?\/)+/, (up) => `${posix.join(posix.dirname(one.path), up)}/`) : match[1]!.replace(/^(?:\.\.?\/)+/, '')
      return names(posix.normalize(cited)) || cited.includes('shared/spec/') ? [] : [place(one, match.index, match[1]!)]
    }))
    expect(wrong).toEqual([])
  })

  it('`some.ts` in a page: a file of the repository, at the end of its path', () => {
    // What the tutorial and the README tell a reader to write.
    const written = ['mine.ts', 'bidder.ts']
    const names = (cited: string): boolean => written.includes(posix.basename(cited)) || [...FILES].some((file) => posix.matchesGlob(`/${file}`, `**/${cited}`))
    const pages = PAGES.filter(({ path }) => path !== 'CHANGELOG.md').map(({ path, text }) => ({ path, text: prose(text) }))
    expect(broken(pages, /`(?:\.\/)?([\w*/{},.-]+\.(?:ts|mjs|sol|c|h|py|cpp))`/g, names)).toEqual([])
  })

  it('`someName` in a page: a name of the code', () => {
    const written = CITING.filter(({ path }) => !path.endsWith('.md'))
    const names = new Set(written.flatMap(({ path, text }) => [posix.basename(path).split('.')[0]!, ...text.match(/[A-Za-z]\w*/g) ?? []]))
    // What was before stands in the records.
    const pages = PAGES.filter(({ path }) => path !== 'CHANGELOG.md' && !/^docs\/(?:decisions|notes)\//.test(path))
    const unknown = pages.flatMap(({ path, text }) => [...prose(text).matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => (
      code!.replaceAll(/[\w/*{},.-]+\.(?:test\.)?(?:ts|mjs|md)\b|\$\w+/g, '').match(/\b[A-Za-z]+[a-z][A-Z]\w*/g) ?? []).filter((name) => !names.has(name)).map((name) => `${path} ${name}`)))
    expect(unknown).toEqual([])
  })

  it('`some/file.ts` `name` in docs/architecture.md: a function of that file', () => {
    const { text } = pageOf('docs/architecture.md')
    const hops = [...text.matchAll(/`([\w/]+\.ts)` `(\w+)`/g)]
    const missing = hops.filter(([, path, name]) => {
      const source = CITING.find((one) => one.path === `src/${path}`)
      return source === undefined || !new RegExp(`(?:function |const |^  (?:\\w+ )*)${name}\\b[^\\n]*[({]`, 'm').test(source.text)
    })
    expect(hops.length).toBeGreaterThan(40)
    expect(missing.map(([hop]) => hop)).toEqual([])
  })

  it('nothing that lies beside the checkout, but for data and programs that are read there', () => {
    const elsewhere = /\.\.\/shared\/(?!data\b|peers\b|\$\{|spec(?:\/\$\{|\/outcome-market-rfq\.md'|`))/g
    expect(CITING.flatMap((one) => [...one.text.matchAll(elsewhere)].map((match) => place(one, match.index, match[0])))).toEqual([])
  })
})
