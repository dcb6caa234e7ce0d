import type { Market } from '../../market/market.ts'
import { type GroupRule, type GroupRules, MATCHED, type MatchedField } from './groupRules.ts'
import { KIND_NAMES, type Pattern, readPattern, type Spellings } from './pattern.ts'

/** What a rule says of a market that it matches. */
export interface RuleOutcome {
  readonly event?: string
  readonly game?: string
  readonly ladder?: string
  readonly exclusive?: boolean
  /** Exclusion keys. */
  readonly keys: readonly string[]
}

export interface CompiledRule {
  readonly name: string
  /** Null of a market that the rule does not match. */
  of(market: Pick<Market, MatchedField | 'game' | 'ladder'>): RuleOutcome | null
}

type Path = readonly (string | number)[]
/** Is told a mistake in the rules, by its place in them. */
export type FailAt = (path: Path, message: string) => void

interface Clause {
  readonly field: MatchedField
  readonly patterns: readonly Pattern[]
}

/** Fields of a market that templates may name beside parts of patterns. */
const FIELDS = [...MATCHED, 'game', 'ladder'] as const
const TEMPLATE_NAME = /\{([^{}]*)\}/g

/** Makes rules that can be asked of their texts. What is wrong with them is told to `fail`; the result is then of no use. */
export function compiledRules({ lists, rules }: GroupRules, fail: FailAt): CompiledRule[] {
  const spellings = new Map<string, Spellings>()
  for (const [name, list] of Object.entries(lists)) {
    if (KIND_NAMES.includes(name)) fail(['lists', name], `a list cannot have the name of the kind ${name}`)
    spellings.set(name, spellingsOf(list, (message) => { fail(['lists', name], message) }))
  }
  const known = new Set<string>()
  return rules.map((rule, i) => {
    if (known.has(rule.name)) fail(['rules', i, 'name'], `a second rule ${rule.name}`)
    known.add(rule.name)
    return compiled(rule, spellings, (path, message) => { fail(['rules', i, ...path], message) })
  })
}

function spellingsOf(list: GroupRules['lists'][string], fail: (message: string) => void): Spellings {
  const spellings = new Map<string, string>()
  const entries: readonly (readonly [string, readonly string[]])[] = Array.isArray(list) ? list.map((name) => [name, []]) : Object.entries(list)
  for (const [name, others] of entries) for (const spelling of [name, ...others]) {
    const key = spelling.toLowerCase()
    if (spellings.has(key)) fail(`${spelling} stands for ${spellings.get(key)!} already`)
    spellings.set(key, name.toLowerCase())
  }
  return spellings
}

function compiled(rule: GroupRule, spellings: ReadonlyMap<string, Spellings>, fail: FailAt): CompiledRule {
  const parts = new Set<string>()
  const match = clausesOf(rule.match, spellings, (path, message) => { fail(['match', ...path], message) }, parts)
  if (match.length === 0) fail(['match'], 'expected a pattern of at least one field')
  const unless = clausesOf(rule.unless ?? {}, spellings, (path, message) => { fail(['unless', ...path], message) })
  const groups = rule.group === undefined ? [] : [rule.group].flat()
  const said = [rule.event, rule.game, rule.ladder, rule.subEvent, rule.exclusive, ...groups].filter((value) => value !== undefined)
  if (said.length === 0) fail([], 'says nothing of the markets that it matches: expected event, game, ladder, subEvent, group or exclusive')
  const checked = (key: string, template: string): void => {
    for (const [, name] of template.matchAll(TEMPLATE_NAME)) {
      if (!parts.has(name!) && !(FIELDS as readonly string[]).includes(name!)) fail([key], `{${name!}} is no part of every pattern of a field of match, and no field itself; expected one of ${[...parts, ...FIELDS].join(', ')}`)
    }
  }
  for (const key of ['event', 'game', 'ladder', 'subEvent'] as const) if (rule[key] !== undefined) checked(key, rule[key])
  for (const group of groups) checked('group', group)
  return {
    name: rule.name,
    of(market) {
      const found: Record<string, string> = {}
      for (const { field, patterns } of match) {
        const own = firstMatch(patterns, market[field])
        if (own === null) return null
        Object.assign(found, own)
      }
      if (unless.some(({ field, patterns }) => firstMatch(patterns, market[field]) !== null)) return null
      const filled = (template: string): string => template.replace(TEMPLATE_NAME, (_, name: string) => found[name] ?? market[name as (typeof FIELDS)[number]])
      return outcomeOf(rule, groups, filled)
    },
  }
}

function outcomeOf({ event, game, ladder, subEvent, exclusive }: GroupRule, groups: readonly string[], filled: (template: string) => string): RuleOutcome {
  const keys = [
    ...(game === undefined ? [] : [`game:${filled(game)}`]), ...(ladder === undefined ? [] : [`ladder:${filled(ladder)}`]),
    ...(subEvent === undefined ? [] : [`event:${filled(subEvent)}`]), ...groups.map((group) => `group:${filled(group)}`),
  ]
  return {
    keys, ...(event === undefined ? {} : { event: filled(event) }), ...(game === undefined ? {} : { game: filled(game) }),
    ...(ladder === undefined ? {} : { ladder: filled(ladder) }), ...(exclusive === undefined ? {} : { exclusive }),
  }
}

function firstMatch(patterns: readonly Pattern[], text: string): Readonly<Record<string, string>> | null {
  for (const pattern of patterns) {
    const match = pattern.match(text)
    if (match !== null) return match
  }
  return null
}

/** @param parts gets the names of the parts that every pattern of their field has. */
function clausesOf(match: Partial<Record<MatchedField, string | readonly string[] | undefined>>, spellings: ReadonlyMap<string, Spellings>, fail: FailAt, parts?: Set<string>): Clause[] {
  return MATCHED.flatMap((field) => {
    const written = match[field]
    if (written === undefined) return []
    const patterns: Pattern[] = []
    for (const text of [written].flat()) {
      const pattern = readPattern(text, spellings)
      if ('fault' in pattern) fail([field], `${text}: ${pattern.fault}`)
      else patterns.push(pattern)
    }
    // A part that one of the patterns lacks would be empty in its texts.
    for (const name of patterns[0]?.names ?? []) {
      if (parts === undefined || !patterns.every(({ names }) => names.includes(name))) continue
      if (parts.has(name)) fail([field], `{${name}} is a part of another field already`)
      parts.add(name)
    }
    return [{ field, patterns }]
  })
}
