import { describe, expect, it } from 'vitest'
import { groupsSchema } from '../../src/feed/groups/groupRules.ts'
import { catalogueOf } from '../../src/feed/marketDraft.ts'
import { DERIVED, groupsAccount } from '../../src/look/groupsAccount.ts'
import { draftOf } from '../feed/store/rows.ts'

/** Two markets of the event one and two of the event two, which the import excludes by their event, and one without an event. */
const { markets } = catalogueOf([
  ...['a', 'b'].map((ticker) => draftOf(ticker, { event: 'one', exclusionKeys: ['event:one'] })),
  ...['c', 'd'].map((ticker) => draftOf(ticker, { event: 'two', exclusionKeys: ['event:two'] })),
  draftOf('e', { event: '', exclusionKeys: ['market:e'] }),
])
const account = (text: object) => groupsAccount(markets, groupsSchema.parse({ version: 1, ...text })).rules.map(({ name, markets: of, groups, pairs, pairsAlone }) => [name, of, groups, pairs, pairsAlone])
const GAME = { name: 'games', match: { event: 'one' }, game: '{event}' }

describe('the account of groups', () => {
  it('counts what markets without another key get of their event, where the keys of the import are dropped', () => {
    expect(account({ imported: 'drop', rules: [GAME] })).toEqual([['games', 2, 1, 1, 1], [DERIVED, 2, 1, 1, 1]])
  })

  it('counts events that rules say, of markets without another key', () => {
    const event = { name: 'one event', match: { ticker: ['c', 'd', 'e'] }, event: 'late' }
    expect(account({ imported: 'drop', rules: [GAME, event] })).toEqual([['games', 2, 1, 1, 1], ['one event', 0, 0, 0, 0], [DERIVED, 3, 1, 3, 3]])
  })

  it('has no such line where each market has a key', () => {
    expect(account({ rules: [GAME] })).toEqual([['event', 4, 2, 2, 1], ['market', 1, 0, 0, 0], ['games', 2, 1, 1, 0]])
  })
})
