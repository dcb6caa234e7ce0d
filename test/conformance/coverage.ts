import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RULE_PAGES, type Rule } from '../../tools/docs/rules.ts'

/** The page of a service's rules, the page that says what was chosen, and how its ids begin. */
export interface Catalogue {
  readonly service: string
  readonly prefix: string
  readonly rules: string
  readonly page: string
}

export const CATALOGUES: readonly Catalogue[] = RULE_PAGES.map(({ service, page }) => ({
  service, prefix: service === 'parlay' ? 'PQ-' : 'OM-', rules: page,
  page: fileURLToPath(new URL(`../../docs/conformance/${service}.md`, import.meta.url)),
}))

const GAP_ROW = /^\| ((?:(?:PQ|OM)-\d{3}(?:, )?)+) \| (.+?) \| .+ \|$/gm

/** What a conformance page says was chosen for each gap of the document, by rule id. */
export function readChoices(page: string): Map<string, string> {
  const choices = new Map<string, string>()
  for (const [, ids, choice] of page.matchAll(GAP_ROW)) for (const id of ids!.split(', ')) choices.set(id, choice!)
  return choices
}

/** What cannot be seen of a service, by rule id, with what was chosen: the table of docs/conformance/wire.md. */
export const readUnseen = (): Map<string, string> => readChoices(readFileSync(fileURLToPath(new URL('../../docs/conformance/wire.md', import.meta.url)), 'utf8'))

/** Outcome of a test by its full title, as vitest's JSON report gives it. */
export interface TestOutcome {
  readonly title: string
  readonly status: string
}

interface TestFile {
  readonly name: string
  readonly status: string
  /** Why the file could not be run; empty otherwise. */
  readonly message: string
  readonly assertionResults: readonly (TestOutcome & { readonly failureMessages: readonly string[] })[]
}

const filesOf = (report: string): TestFile[] => (JSON.parse(report) as { testResults: TestFile[] }).testResults

export const readOutcomes = (report: string): TestOutcome[] => filesOf(report).flatMap((file) => file.assertionResults)

/** Each test that failed with its messages, and each file that failed outside of its tests. */
export function failuresOf(report: string): string[] {
  return filesOf(report).flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ title, failureMessages }) => `${name}: ${title}\n${failureMessages.join('\n')}`)
    return status === 'failed' && tests.length === 0 ? [`${name}\n${message}`] : tests
  })
}

/** The rule ids at the head of a title: `PQ-042 PQ-166 refuses …` proves two rules. */
export function idsOfTitle(title: string): string[] {
  const head = /^((?:(?:PQ|OM|INV)-\d+[ ,]+)+)/.exec(title + ' ')
  return head === null ? [] : head[1]!.match(/(?:PQ|OM|INV)-\d+/g)!
}

/** Ids proven by at least one passed test and by no failed one. */
export function provenIds(outcomes: readonly TestOutcome[]): Set<string> {
  const ids = (status: (s: string) => boolean): string[] => outcomes.filter((o) => status(o.status)).flatMap((o) => idsOfTitle(o.title))
  const failed = new Set(ids((s) => s === 'failed'))
  return new Set(ids((s) => s === 'passed').filter((id) => !failed.has(id)))
}

/** Whether a test file's text names a rule. Only such a file proves one. */
export const namesRule = (text: string): boolean => /\b(?:PQ|OM|INV)-\d/.test(text)

/** What became of rules: proven, of the others those whose choice is recorded, and the rest. */
export interface Standing {
  readonly proven: readonly Rule[]
  readonly chosen: readonly Rule[]
  readonly open: readonly Rule[]
}

/** Counts a gap of the document with its choice (`choices`) and a rule that cannot be seen (`unseen`) as chosen. */
export function standingOf(
  rules: readonly Rule[], proven: ReadonlySet<string>, { choices, unseen }: { readonly choices: ReadonlyMap<string, string>; readonly unseen: ReadonlyMap<string, string> },
): Standing {
  const rest = rules.filter(({ id }) => !proven.has(id))
  const isChosen = ({ id, kind }: Rule): boolean => (kind === 'gap' && choices.has(id)) || unseen.has(id)
  return { proven: rules.filter(({ id }) => proven.has(id)), chosen: rest.filter(isChosen), open: rest.filter((rule) => !isChosen(rule)) }
}
