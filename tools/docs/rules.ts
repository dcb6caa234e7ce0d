// Writes the rules of both services by id, from their catalogues beside the checkout: `npm run docs:rules`.
// It writes `docs/conformance/rules-parlay.md` and `rules-outcome.md`, which a test compares with the catalogues.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { isProgram } from '../bundle/isProgram.ts'

/** A service's rule catalogue and the page that is made of it. */
export interface RulePage {
  readonly service: 'parlay' | 'outcome'
  readonly title: string
  /** A CSV file beside the checkout: `id,section,kind,layer,rule`. */
  readonly catalogue: string
  readonly page: string
}

const rulePage = (service: RulePage['service'], title: string): RulePage => ({
  service, title,
  catalogue: fileURLToPath(new URL(`../../../shared/spec/${service}-rules.csv`, import.meta.url)),
  page: fileURLToPath(new URL(`../../docs/conformance/rules-${service}.md`, import.meta.url)),
})

export const RULE_PAGES: readonly RulePage[] = [rulePage('parlay', 'parlay quote service'), rulePage('outcome', 'outcome-market RFQ service')]

/** A rule of a service. */
export interface Rule {
  readonly id: string
  /** Heading of the document under which the rule stands. */
  readonly section: string
  /** What the rule is about, `gap` where the document says nothing. */
  readonly kind: string
  /** `mechanics` of the venue, or `api` of the gate and the wire. */
  readonly layer: string
  readonly rule: string
}

const readCatalogue = (csv: string): Rule[] => parse(csv, { columns: true, skip_empty_lines: true }) as Rule[]

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const unescaped = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('\\|', '|')

/** The page of a catalogue, whose text is given. */
export function ruleText({ service, title }: Pick<RulePage, 'service' | 'title'>, csv: string): string {
  const rules = readCatalogue(csv)
  const sections = [...Map.groupBy(rules, ({ section }) => section)]
  const head = [
    `# Rules of the ${title}, by id`,
    '',
    `What the service's document says, a rule to a row. Tests begin with the ids of the rules that they prove, and \`npm run conformance\` counts them. A rule of the kind **gap** is`,
    `something that the document does not say: [${service}.md](${service}.md#gaps-of-the-document-and-what-was-chosen) has what was chosen, [readings.md](../readings.md) why. The layer **mechanics** is the venue's, **api** that of the gate and the wire.`,
    'Written by `npm run docs:rules`.',
  ]
  const body = sections.flatMap(([section, own]) => [
    '', `## ${section.replaceAll('"', '')}`, '', '| id | kind | layer | rule |', '|---|---|---|---|',
    ...own.map(({ id, kind, layer, rule }) => `| <a id="${id}"></a>${id} | ${kind} | ${layer} | ${escaped(rule)} |`),
  ])
  return [...head, ...body, ''].join('\n')
}

const ROW = /^\| <a id="[^"]+"><\/a>(\S+) \| ([^|]+) \| ([^|]+) \| (.*) \|$/

/** The rules of a page that `ruleText` has made. */
export function readRules(page: string): Rule[] {
  let section = ''
  return page.split('\n').flatMap((line): Rule[] => {
    if (line.startsWith('## ')) section = line.slice(3)
    const row = ROW.exec(line)
    return row === null ? [] : [{ id: row[1]!, section, kind: row[2]!, layer: row[3]!, rule: unescaped(row[4]!) }]
  })
}

if (isProgram(import.meta.url)) {
  for (const one of RULE_PAGES) {
    if (!existsSync(one.catalogue)) throw new Error(`no rule catalogue at ${one.catalogue}`)
    writeFileSync(one.page, ruleText(one, readFileSync(one.catalogue, 'utf8')))
    console.log(one.page)
  }
}
