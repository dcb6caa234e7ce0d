import { deriveKeys } from '../../market/exclusion.ts'
import { assert } from '../../unit/assert.ts'
import { InputError } from '../../unit/inputError.ts'
import type { Importer } from '../importer.ts'
import { byText, type MarketDraft } from '../marketDraft.ts'
import { type CompiledRule, compiledRules, type RuleOutcome } from './compiledRules.ts'
import type { GroupRules } from './groupRules.ts'

/** Rules that `readGroups` has checked. */
export const rulesOf = (groups: GroupRules): CompiledRule[] => compiledRules(groups, (path, message) => { assert(false, `${path.join('.')}: ${message}`) })

/**
 * Markets with the groups that rules make of them. Rules apply in their order: exclusion keys add up, and of event, game, ladder and what is
 * exclusive the last rule holds. What a rule leaves out stays. A market without a key has those of its event, game and ladder. Throws
 * InputError where a rule calls markets without an event exclusive.
 */
export function groupedMarkets<M extends MarketDraft>(markets: readonly M[], groups: GroupRules): M[] {
  const rules = rulesOf(groups)
  return markets.map((market) => groupedMarket(market, groups.imported, rules))
}

function groupedMarket<M extends MarketDraft>(market: M, imported: GroupRules['imported'], rules: readonly CompiledRule[]): M {
  const keys = new Set(imported === 'keep' ? market.exclusionKeys : [])
  const said: { event?: string; game?: string; ladder?: string; exclusive?: boolean } = {}
  let isExclusiveBy = ''
  for (const rule of rules) {
    const outcome: RuleOutcome | null = rule.of(market)
    if (outcome === null) continue
    const { keys: own, ...fields } = outcome
    Object.assign(said, fields)
    if (fields.exclusive === true) isExclusiveBy = rule.name
    for (const key of own) keys.add(key)
  }
  const { exclusive, ...fields } = said
  const grouped = { ...market, ...fields, ...(exclusive === undefined ? {} : { listing: { ...market.listing, isExclusive: exclusive } }) }
  if (exclusive === true && grouped.event === '') throw new InputError(`the rule ${isExclusiveBy} calls the market ${market.ticker} exclusive, which has no event`, { hint: 'let the rule say event, too' })
  return { ...grouped, exclusionKeys: [...(keys.size === 0 ? deriveKeys(grouped) : keys)].sort(byText) }
}

/** An importer whose markets have the groups of rules. */
export const importerWithGroups = (importer: Importer, groups: GroupRules): Importer => ({
  ...importer,
  async read(files, ticks, tally) {
    const imported = await importer.read(files, ticks, tally)
    return { ...imported, markets: groupedMarkets(imported.markets, groups) }
  },
})
