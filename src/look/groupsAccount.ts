import { groupedMarkets, rulesOf } from '../feed/groups/applyGroups.ts'
import type { GroupRules } from '../feed/groups/groupRules.ts'
import { keyOfNone } from '../feed/marketDraft.ts'
import type { Market } from '../market/market.ts'

/** What one rule excludes, or exclusion keys of one kind that an import made. */
export interface RuleAccount {
  /** Name of the rule, or the kind of keys of imports: `game`, `ladder`, `event`, …, or `DERIVED`. */
  readonly name: string
  readonly isImported: boolean
  /** Markets that have keys by it. */
  readonly markets: number
  /** Keys that more than one market has. */
  readonly groups: number
  /** Pairs of markets that cannot be in one parlay by it, and those that nothing else excludes. Null where there are too many to count. */
  readonly pairs: number | null
  readonly pairsAlone: number | null
  /** The key of most markets, and how many markets have it. */
  readonly largest: { readonly key: string; readonly markets: number } | null
}

/** The account of keys that markets without any other get of their event, game and ladder. */
export const DERIVED = 'of event, game and ladder'

/** Which markets exclude each other, and by what. */
export interface GroupsAccount {
  readonly markets: number
  readonly rules: readonly RuleAccount[]
  /** Pairs that are excluded by anything. Null where there are too many to count. */
  readonly pairs: number | null
  /** Markets that exclude no other market. */
  readonly single: number
}

/** More pairs are not counted one by one. */
const PAIRS_MAX = 20_000_000

/** By rule: the keys of each market. */
interface KeysBy {
  readonly name: string
  readonly isImported: boolean
  readonly keysOf: readonly (readonly string[])[]
}

/** A market that has a key, and the sources that give it that key, by index. */
interface Member {
  readonly market: number
  readonly givers: number[]
}

/**
 * Which pairs of markets each rule excludes. Without rules, and where rules keep them, exclusion keys of imports are counted by kind. A pair that
 * has its key by two rules, as markets of two venues may, counts for both.
 */
export function groupsAccount(markets: readonly Market[], groups: GroupRules | null): GroupsAccount {
  const said = [...(groups === null || groups.imported === 'keep' ? importedKeys(markets) : []), ...(groups === null ? [] : ruleKeys(markets, groups))]
  const sources = [...said, ...(groups === null ? [] : derivedKeys(markets, groups, said))]
  const members = membersOf(sources)
  const shared = [...members].filter(([, all]) => all.length > 1)
  const most = shared.reduce((sum, [, { length }]) => sum + length ** 2, 0)
  const counted = most > PAIRS_MAX ? null : countPairs(markets.length, sources.length, shared.map(([, all]) => all))
  const paired = new Set(shared.flatMap(([, all]) => all.map(({ market }) => market)))
  return {
    markets: markets.length, pairs: counted?.pairs ?? null, single: markets.length - paired.size,
    rules: sources.map(({ name, isImported, keysOf }, i): RuleAccount => {
      const own = shared.filter(([, all]) => all.some(({ givers }) => givers.includes(i)))
      const largest = own.reduce<RuleAccount['largest']>((top, [key, { length }]) => (top === null || length > top.markets ? { key, markets: length } : top), null)
      return { name, isImported, markets: keysOf.filter((keys) => keys.length > 0).length, groups: own.length, pairs: counted?.by[i]!.pairs ?? null, pairsAlone: counted?.by[i]!.alone ?? null, largest }
    }),
  }
}

function importedKeys(markets: readonly Market[]): KeysBy[] {
  const kindOf = (key: string): string => key.slice(0, Math.max(key.indexOf(':'), 0)) || 'other'
  const kinds = [...new Set(markets.flatMap(({ exclusionKeys }) => exclusionKeys.map(kindOf)))].sort()
  return kinds.map((name) => ({ name, isImported: true, keysOf: markets.map(({ exclusionKeys }) => exclusionKeys.filter((key) => kindOf(key) === name)) }))
}

const ruleKeys = (markets: readonly Market[], groups: GroupRules): KeysBy[] =>
  rulesOf(groups).map((rule) => ({ name: rule.name, isImported: false, keysOf: markets.map((market) => rule.of(market)?.keys ?? []) }))

/** What markets get that neither an import nor a rule gives a key: rules may say their event. None where no market is such a one. */
function derivedKeys(markets: readonly Market[], groups: GroupRules, said: readonly KeysBy[]): KeysBy[] {
  const keysOf = groupedMarkets(markets, groups).map(({ ticker, exclusionKeys }, market) =>
    (said.some((source) => source.keysOf[market]!.length > 0) ? [] : exclusionKeys.filter((key) => key !== keyOfNone(ticker))))
  return keysOf.every((keys) => keys.length === 0) ? [] : [{ name: DERIVED, isImported: false, keysOf }]
}

function membersOf(sources: readonly KeysBy[]): Map<string, Member[]> {
  const members = new Map<string, Member[]>()
  const count = sources[0]?.keysOf.length ?? 0
  for (let market = 0; market < count; market++) sources.forEach(({ keysOf }, i) => {
    for (const key of keysOf[market]!) {
      const all = members.get(key)
      if (all === undefined) members.set(key, [{ market, givers: [i] }])
      else if (all.at(-1)!.market === market) all.at(-1)!.givers.push(i)
      else all.push({ market, givers: [i] })
    }
  })
  return members
}

/** Counts each pair once, at its first market. `groups`: the members of each key, in order of number. */
function countPairs(markets: number, sources: number, groups: readonly (readonly Member[])[]): { pairs: number; by: { pairs: number; alone: number }[] } {
  const by = Array.from({ length: sources }, () => ({ pairs: 0, alone: 0 }))
  const ownGroups: { readonly all: readonly Member[]; readonly place: number }[][] = Array.from({ length: markets }, () => [])
  for (const all of groups) all.forEach(({ market }, place) => { ownGroups[market]!.push({ all, place }) })
  let pairs = 0
  for (const own of ownGroups) {
    const givers = new Map<number, Set<number>>()
    for (const { all, place } of own) for (const other of all.slice(place + 1)) {
      const found = givers.get(other.market) ?? new Set()
      for (const giver of [...all[place]!.givers, ...other.givers]) found.add(giver)
      givers.set(other.market, found)
    }
    pairs += givers.size
    for (const found of givers.values()) for (const giver of found) {
      by[giver]!.pairs++
      if (found.size === 1) by[giver]!.alone++
    }
  }
  return { pairs, by }
}
