import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, CITING, FILES, PAGES, pageOf, prose, type Text } from './texts.ts'

/** Where in a text a citation stands. */
const place = ({ path, text }: Text, index: number, cited: string): string => `${path}:${text.slice(0, index).split('\n').length} ${cited}`

const isThere = (path: string): boolean => FILES.has(path) || [...FILES].some((file) => file.startsWith(`${path}/`))

/** Places of a pattern whose first group names nothing. */
const broken = (texts: readonly Text[], pattern: RegExp, names: (group: string) => boolean): string[] => texts.flatMap((one) =>
  [...one.text.matchAll(pattern)].filter((match) => !names(match[1]!)).map((match) => place(one, match.index, match[0].trim())))

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
    expect(broken(CITING, /\bdecision (\d{1,2})\b(?!\d)/g, (number) => numbers.has(number))).toEqual([])
    const headed = (page: Text) => (heading: string): boolean => page.text.includes(`\n## ${heading}\n`)
    expect(broken(CITING, /design\.md, "([^"\n]+)"/g, headed(design))).toEqual([])
    expect(broken(CITING, /readings\.md, "([^"\n]+)"/g, headed(pageOf('docs/readings.md')))).toEqual([])
  })

  it('decision 00NN: a page of docs/decisions', () => {
    expect(broken(CITING, /\bdecisions?[ /](\d{4})/g, (number) => [...FILES].some((file) => file.startsWith(`docs/decisions/${number}-`)))).toEqual([])
  })

  it('readings A12, B01 … B04: a reading', () => {
    const list = /\breadings ((?:[AB]\d\d(?:, ?| and |…|–)?)+)/g
    const wrong = CITING.flatMap((one) => [...one.text.matchAll(list)].flatMap((match) =>
      match[1]!.match(/[AB]\d\d/g)!.filter((id) => !readings.has(id)).map((id) => place(one, match.index, id))))
    expect(wrong).toEqual([])
    expect(CITING.filter(({ text }) => text.search(list) >= 0).length).toBeGreaterThan(50)
  })

  it('PQ-042, OM-265, INV-01: a rule or an invariant', () => {
    expect(broken(CITING.filter(({ path }) => !path.startsWith('test/conformance/')), /\b((?:PQ|OM)-\d{3})\b/g, (id) => rules.has(id))).toEqual([])
    expect(broken(CITING, /\b(INV-\d\d)\b/g, (id) => readings.has(id))).toEqual([])
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
