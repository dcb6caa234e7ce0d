import { describe, expect, it } from 'vitest'
import { leagueReport } from '../../src/report/leagueReport.ts'
import { leagueText } from '../../src/report/leagueText.ts'
import { leadParts } from '../../src/report/leagueWhy.ts'
import { deflatedSharpe, probabilisticSharpe, sharpeOf } from '../../src/stats/sharpe.ts'
import { sessionsMax } from '../../src/sweep/leagueBands.ts'
import { planLeague } from '../../src/sweep/leaguePlan.ts'
import type { LeagueAccount } from '../../src/sweep/leagueResult.ts'
import { entryOf, leagueScenario, madeUpLeague, noise, paramOf, USDC, type World } from './madeUpLeague.ts'

describe('a league in a made-up world', () => {
  // A swing of ±100 USDC that all share in a cluster, and what each earns: 1, 3 and −1 USDC. 33 clusters.
  const EARNS: Readonly<Record<string, number>> = { low: -1, high: 3, mid: 1, shade: 0 }
  const swinging: World = ({ replication }, maker, cluster) =>
    ({ profit: ((cluster % 2 === 0 ? 100 : -100) + EARNS[maker]!) * USDC + noise(maker, cluster, replication) / 100, stake: 10 * USDC, valued: EARNS[maker]! * USDC })
  const THREE = 'entries: [{ name: low, use: fixed-margin }, { name: high, use: shade }, { name: mid, use: fixed-margin }]\nreplications: 3'

  it('ranks by profit and gives it with the interval of the swing', async () => {
    const { result } = await madeUpLeague(THREE, swinging)
    expect(result.entries.map(({ name, rank }) => [name, rank])).toEqual([['high', 1], ['mid', 2], ['low', 3]])
    expect(result.ranking).toMatchObject({ format: 'field', part: 'all' })
    const [high] = result.entries
    // 17 clusters of +100 and 16 of −100, and 3 each.
    expect(high!.figures!.profit.all!.estimate).toBeCloseTo(100 + 33 * 3, 0)
    expect(high!.figures!.profit.all!.high! - high!.figures!.profit.all!.low!).toBeGreaterThan(1000)
    expect(high!.figures!.perThousand.estimate).toBeCloseTo((1000 * 199) / 330, 0)
    expect(high!.figures).toMatchObject({ quotes: 7, delivered: 9, replications: 3 })
    expect(result).toMatchObject({ label: 'interactive', isConditional: false, history: { clusters: 33, clusterBy: 'event', holdout: 0 } })
    // Three alone, three in the field and three pairs, three times each.
    expect(result.sessions).toBe(27)
  })

  it('ranks, races, tunes, rates and deflates by profit without luck where cash says the opposite, and has cash beside it', async () => {
    // By cash low leads high by 10 in each of 33 clusters, all of it luck but −1 and 3.
    const lucky: World = ({ replication }, maker, cluster) => {
      const own = EARNS[maker]! * USDC + noise(maker, cluster, replication) / 100
      const luck = { low: 11, mid: 6, high: -3 }[maker] ?? 0
      return { profit: own + luck * USDC, luck: luck * USDC }
    }
    const { result } = await madeUpLeague(THREE, lucky)
    expect(result).toMatchObject({ version: 2, ranking: { measure: 'luck-adjusted' } })
    expect(result.entries.map(({ name }) => name)).toEqual(['high', 'mid', 'low'])
    const low = result.entries[2]!.figures!
    expect(low.luckAdjusted.all!.estimate).toBeCloseTo(-33, 0)
    expect(low.profit.all!.estimate).toBeCloseTo(330, 0)
    // Behind by 4 in each cluster, and ahead by 10 in cash.
    expect(low.toLeader!.difference.estimate).toBeCloseTo(-132, 0)
    expect(low.toLeader!.beside.estimate).toBeCloseTo(330, 0)
    expect(result.entries[0]!.figures!.rating!.estimate).toBeGreaterThan(low.rating!.estimate!)
    expect(low.sharpe.perCluster).toBeLessThan(0)
    expect(result.pairs.map(({ first, second, difference }) => [first, second, Math.round(difference.estimate!)])).toEqual([
      ['low', 'high', -132], ['low', 'mid', -66], ['high', 'mid', 66],
    ])
    const text = leagueText(result)
    expect(text).toContain('ranked by luck-adjusted profit in the field')
    // The race and the choice of a variant follow it too: 2 % earns 4 and is unlucky by 9.
    const tuned: World = (session, maker, cluster) => {
      const margin = paramOf(session, maker, 'margin')
      return maker === 'tuned' ? { profit: (margin === 2 ? -5 : 1) * USDC + noise(maker, cluster, 1) / 100, luck: (margin === 2 ? -9 : 0) * USDC } : { profit: 0 }
    }
    const TUNED = 'entries: [{ name: tuned, use: fixed-margin, tune: { margin: [1%, 2%] } }, { name: plain, use: shade }]\nreplications: 4\nracing: { after: 2, level: 1% }'
    const raced = await madeUpLeague(TUNED, tuned)
    expect(raced.result.entries[0]!.tuning!.variants.map(({ isChosen, status }) => [isChosen, status])).toEqual([[false, 'dropped'], [true, 'played']])
    // With cash the same world has the other winner, and says why cash ranks.
    const cash = (await madeUpLeague(THREE, lucky, undefined, 'cash')).result
    expect(cash.entries.map(({ name }) => name)).toEqual(['low', 'mid', 'high'])
    expect(cash.remarks.join()).toContain('closing prices are not calibrated')
    expect(cash.entries[2]!.figures!.toLeader!.difference.estimate).toBeCloseTo(-330, 0)
    expect(cash.entries[2]!.figures!.toLeader!.beside.estimate).toBeCloseTo(132, 0)
  })

  it('tells by how much in pairs that cancel the swing, adjusted for all pairs', async () => {
    const { result } = await madeUpLeague(THREE, swinging)
    const [high, mid, low] = result.entries
    expect(high!.figures!.toLeader).toBeNull()
    // Clusters that are all alike say nothing of their error.
    expect(high!.figures!.valued).toMatchObject({ value: { low: null, estimate: 99, high: null }, toLeader: null })
    for (const [entry, behind] of [[mid!, 2], [low!, 4]] as const) {
      const { difference, adjusted, falseDiscovery, p } = entry.figures!.toLeader!
      expect(difference.estimate).toBeCloseTo(-33 * behind, 0)
      expect(entry.figures!.valued.toLeader!).toMatchObject({ low: null, estimate: -33 * behind, high: null })
      expect(difference.high! - difference.low!).toBeLessThan(1)
      expect(p).toBeLessThan(1e-6)
      expect(adjusted).toBeLessThan(0.01)
      // The greatest of three tiny p-values bounds them all.
      expect(falseDiscovery).toBeGreaterThanOrEqual(p!)
      expect(falseDiscovery).toBeLessThan(1e-5)
    }
    expect(result.pairs.map(({ first, second, difference }) => [first, second, Math.round(difference.estimate!)])).toEqual([
      ['low', 'high', -132], ['low', 'mid', -66], ['high', 'mid', 66],
    ])
    // Every game is won: high over mid over low, at equal distances.
    const ratings = result.entries.map(({ figures }) => figures!.rating!.estimate!)
    expect(ratings[0]! - ratings[1]!).toBeGreaterThan(400)
    expect(ratings[0]! - ratings[1]!).toBeCloseTo(ratings[1]! - ratings[2]!, 3)
    expect(ratings[1]).toBeCloseTo(1500, 3)
  })

  it('says how each came to its profit, and which terms its difference to the leader consists of', async () => {
    // Of 3 and 1 USDC in each of 33 clusters: a margin of 5 and 2 less a drift of 2 and 1, with 4 and 2 fills of 8 quoted versions.
    const traded: World = (_, maker) => (maker === 'high' ? { profit: 3 * USDC, stake: 60 * USDC, more: { margin: 5 * USDC, drift: -2 * USDC, fills: 4, quotedVersions: 8, payout60s: 100 * USDC }, valued: USDC }
      : { profit: USDC, stake: 20 * USDC, more: { margin: 2 * USDC, drift: -USDC, fills: 2, quotedVersions: 8, payout60s: 100 * USDC }, valued: -USDC })
    const { result } = await madeUpLeague('entries: [{ name: low, use: fixed-margin }, { name: high, use: shade }]\nreplications: 2', traded)
    const [high, low] = result.entries.map(({ figures }) => figures!.account!)
    const termsOf = (terms: LeagueAccount['terms']): number[] => Object.values(terms).map(({ estimate }) => estimate!)
    expect([high!.fills, high!.stake, high!.hitRatio.estimate, low!.fills, low!.stake, low!.hitRatio.estimate]).toEqual([132, 1980, 0.5, 66, 660, 0.25])
    expect([termsOf(high!.terms), termsOf(low!.terms)]).toEqual([[165, 0, 0, 0, -66, 0, 0], [66, 0, 0, 0, -33, 0, 0]])
    expect([high!.toLeader, termsOf(low!.toLeader!)]).toEqual([null, [-99, 0, 0, 0, 33, 0, 0]])
    expect(termsOf(low!.toLeader!).reduce((sum, term) => sum + term, 0)).toBe(result.entries[1]!.figures!.toLeader!.difference.estimate)
    expect([high!.markOuts.find(({ horizonUs }) => horizonUs === 60_000_000)!.cents.estimate, low!.markOuts[0]!.cents.estimate]).toEqual([1, null])
    // 1980 − 660 staked at 33/660 a dollar, and what each dollar earned more: 99/1980 is the same.
    expect(leadParts(result)).toMatchObject({ first: 'high', second: 'low', lead: 66, volume: { byStakes: 66, byEarning: 0 } })
  })

  it('says nothing where nothing is known: two of the same kind', async () => {
    const same: World = ({ replication }, maker, cluster) => ({ profit: noise(maker, cluster, replication) })
    const { result } = await madeUpLeague('entries: [{ name: a, use: shade }, { name: b, use: shade }]\nreplications: 2', same)
    const { difference, p, adjusted } = result.entries[1]!.figures!.toLeader!
    expect(difference.low).toBeLessThan(0)
    expect(difference.high).toBeGreaterThan(0)
    expect(p).toBeGreaterThan(0.05)
    expect(adjusted).toBeGreaterThan(0.05)
  })

  it('counts clusters in which one had nothing while others had', async () => {
    const rare: World = (_, maker, cluster) => (maker === 'low' && cluster !== 4 ? undefined : cluster < 20 ? { profit: USDC } : undefined)
    const { result } = await madeUpLeague(THREE, rare)
    expect(result.history).toMatchObject({ clusters: 33, active: 20 })
    const low = result.entries.find(({ name }) => name === 'low')!.figures!
    expect(low.profit.all).toMatchObject({ estimate: 1, count: 20 })
    expect(low.profit.all!.low).toBeLessThan(0)
    expect(low.toLeader!.difference).toMatchObject({ estimate: -19, count: 20 })
    // Mean 1/20 of one 1 and nineteen 0, deviation √(1/20).
    expect(low.sharpe.perCluster).toBeCloseTo(1 / 20 / Math.sqrt(1 / 20), 10)
  })

  it('ranks by cash without intervals and tests that would not hold, and says why', async () => {
    // 33 clusters, all of them active: two legs need 20, three 40.
    const of = async (legs: number) => (await madeUpLeague(THREE, ({ replication }, maker, cluster) => ({ profit: EARNS[maker]! * USDC + noise(maker, cluster, replication), stake: 10 * USDC, legs }), undefined, 'cash')).result
    const [enough, few] = [await of(2), await of(3)]
    expect(few.entries.map(({ name, rank }) => [name, rank])).toEqual(enough.entries.map(({ name, rank }) => [name, rank]))
    const why = '33 clusters of 3-leg parlays: an interval of cash would not hold; 40 needed'
    const short = { low: null, high: null, count: 33, label: why }
    const { profit, luckAdjusted, hold, perThousand, toLeader } = few.entries[1]!.figures!
    expect([profit.all, hold, perThousand, toLeader!.difference]).toMatchObject([short, short, short, short])
    expect([toLeader!.p, toLeader!.adjusted, toLeader!.falseDiscovery]).toEqual([null, null, null])
    expect([luckAdjusted.all!.low, toLeader!.beside.low]).not.toContain(null)
    expect(few.pairs.map(({ difference }) => difference.label)).toEqual([why, why, why])
    expect(leagueText(few)).toContain(`no interval of cash: ${why}`)
    const held = enough.entries[1]!.figures!
    expect([held.profit.all!.low, held.hold.low, held.toLeader!.difference.low, held.toLeader!.adjusted, enough.pairs[0]!.difference.low]).not.toContain(null)
    expect(leagueText(enough)).not.toContain('no interval of cash')
    expect(leagueReport(few)).toContain(why)
  })

  it('ranks by profit without luck, and without intervals and tests that would not hold where prices came near the results', async () => {
    // 33 clusters, all of them active, of three legs, which need 40. Of what was uncertain the closes of one entry leave this share.
    const of = async (left: number) => (await madeUpLeague(THREE, ({ replication }, maker, cluster) =>
      ({ profit: EARNS[maker]! * USDC + noise(maker, cluster, replication), valued: noise(maker, cluster, replication), legs: 3, left: maker === 'mid' ? left : 1 }))).result
    const [enough, few] = [await of(0.9), await of(0.89)]
    expect(few.entries.map(({ name, rank }) => [name, rank])).toEqual([['high', 1], ['mid', 2], ['low', 3]])
    expect(few.ranking.measure).toBe('luck-adjusted')
    const why = '33 clusters, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; 40 needed'
    const short = { low: null, high: null, count: 33, label: why }
    const [high, mid, low] = few.entries.map(({ figures }) => figures!)
    expect([mid!.luckAdjusted.all, mid!.byFormat.field, mid!.toLeader!.difference]).toMatchObject([short, short, short])
    expect([mid!.toLeader!.p, mid!.toLeader!.adjusted, mid!.toLeader!.falseDiscovery]).toEqual([null, null, null])
    // At V are values, and the others' closes left luck to decide.
    expect([mid!.valued.value.low, mid!.valued.toLeader!.low, high!.luckAdjusted.all!.low, low!.toLeader!.difference.low, low!.toLeader!.adjusted]).not.toContain(null)
    expect(few.pairs.map(({ first, second, difference }) => [first, second, difference.low === null])).toEqual([['low', 'high', false], ['low', 'mid', true], ['high', 'mid', true]])
    expect([mid!.rating, mid!.sharpe.perCluster]).toEqual([enough.entries[1]!.figures!.rating, enough.entries[1]!.figures!.sharpe.perCluster])
    expect(leagueText(few)).toContain(`no interval: ${why}`)
    expect(leagueReport(few)).toContain(why)
    const held = enough.entries[1]!.figures!
    expect([held.luckAdjusted.all!.low, held.toLeader!.difference.low, held.toLeader!.adjusted]).not.toContain(null)
    expect(leagueText(enough)).not.toContain('no interval: ')
  })

  it('with one cluster labels its intervals as conditional on this history', async () => {
    const once: World = ({ replication }, maker, cluster) => (cluster === 4 ? { profit: EARNS[maker]! * USDC + noise(maker, cluster, replication) } : undefined)
    const { result } = await madeUpLeague(THREE, once)
    expect(result.isConditional).toBe(true)
    expect(result.entries[0]!.figures!.luckAdjusted.all!.label).toBe('3 replications, skewness-adjusted t, conditional on this history')
    expect(result.entries[0]!.figures!.profit.all!.label).toBe('3 replications of 1-leg parlays: an interval of cash would not hold; 5 needed')
    expect(result.entries[1]!.figures!.toLeader!.difference.label).toContain('conditional on this history')
    expect(leagueText(result)).toContain('conditional on this history')
    // Of three legs and 40 parlays each 5 replications are enough, where outcomes are not drawn.
    const many: World = (session, maker, cluster) => (cluster === 4 ? { ...once(session, maker, cluster)!, legs: 3, undrawn: 40 } : undefined)
    const labelOf = async (replications: number): Promise<string> => {
      const { result: { entries } } = await madeUpLeague(THREE.replace('replications: 3', `replications: ${replications}`), many)
      return entries[0]!.figures!.profit.all!.label
    }
    expect(await labelOf(4)).toBe('4 replications of 3-leg parlays: an interval of cash would not hold; 5 needed')
    expect(await labelOf(5)).toBe('5 replications, skewness-adjusted t, conditional on this history')
  })

  it('gives everybody the same seeds, names and bettors, and turns the seats of pairs about', async () => {
    const { pool } = await madeUpLeague(THREE, swinging)
    expect(new Set(pool.asked.map(({ spec }) => spec.seed))).toEqual(new Set(['1/1', '1/2', '1/3']))
    const fields = pool.asked.filter(({ makers }) => makers[0]!.name === 'shade').map(({ makers }) => makers.map(({ name }) => name))
    expect(fields.slice(0, 3)).toEqual([['shade', 'low'], ['shade', 'high'], ['shade', 'mid']])
    const pairs = pool.asked.filter(({ makers }) => makers.length === 2 && makers[0]!.name !== 'shade').map(({ makers }) => makers.map(({ name }) => name))
    expect(pairs.slice(0, 4)).toEqual([['low', 'high'], ['low', 'mid'], ['high', 'mid'], ['high', 'low']])
    expect(pool.asked[0]!.makers[0]).toEqual({ name: 'low', use: 'fixed-margin', capital: '100000 USDC' })
  })
})

describe('a tuned entry', () => {
  // Margin 2 % earns in the first 23 clusters and loses in the last 10, 1 % the other way round and more of it; 3 % loses everywhere.
  const turning: World = (session, maker, cluster) => {
    if (maker !== 'tuned') return { profit: noise(maker, cluster, session.replication) }
    const early = cluster < 23
    const earns = { 1: early ? -2 : 20, 2: early ? 4 : -3, 3: -9 }[paramOf(session, maker, 'margin')]!
    return { profit: earns * USDC + noise(maker, cluster, session.replication) }
  }
  const LEAGUE = 'entries: [{ name: plain, use: shade }, { name: tuned, use: fixed-margin, params: { cap: 900 USDC }, tune: { margin: [1%, 2%, 3%] } }]\nreplications: 2'

  it('is chosen on the training part and judged on the rest', async () => {
    const { result } = await madeUpLeague(`${LEAGUE}\nholdout: 30%`, turning)
    expect(result.history).toMatchObject({ clusters: 33, training: 23, holdout: 10 })
    expect(result.ranking.part).toBe('holdout')
    const tuned = result.entries[entryOf(result, 'tuned')]!
    expect(tuned.params).toEqual({ cap: '900 USDC', margin: '2%' })
    expect(tuned.tuning!.variants.map(({ isChosen, choice }) => [isChosen, choice])).toEqual([[false, { margin: '1%' }], [true, { margin: '2%' }], [false, { margin: '3%' }]])
    // 23 · 4 before, −3 · 10 after: the entry that seemed to win loses.
    expect(tuned.figures!.profit.training!.estimate).toBeCloseTo(92, -1)
    expect(tuned.figures!.profit.holdout!.estimate).toBeCloseTo(-30, -1)
    expect(tuned.rank).toBe(2)
    expect(result.remarks.join()).not.toContain('judged by the history that they were tuned on')
  })

  it('without a holdout is ranked on what it was tuned on, and that is said', async () => {
    const { result } = await madeUpLeague(LEAGUE, turning)
    expect(result.remarks.join()).toContain('judged by the history that they were tuned on')
    expect(result.ranking.part).toBe('all')
    // 10 · 20 − 23 · 2 is more than 23 · 4 − 10 · 3.
    expect(result.entries[0]).toMatchObject({ name: 'tuned', params: { margin: '1%' } })
  })

  it('has a probability of overfitting, near 0 for a choice that holds and high for one by luck', async () => {
    const honest: World = (session, maker, cluster) => ({ profit: (maker === 'tuned' ? paramOf(session, maker, 'margin') * 5 : 0) * USDC + noise(maker, cluster, session.replication) })
    const lucky: World = (session, maker, cluster) => ({ profit: noise(`${maker} ${paramOf(session, maker, 'margin')}`, cluster, session.replication) })
    const sure = (await madeUpLeague(LEAGUE, honest)).result
    const guess = (await madeUpLeague(LEAGUE, lucky)).result
    const risk = (result: typeof sure): number => result.entries[entryOf(result, 'tuned')]!.tuning!.overfitting!.probability
    expect(risk(sure)).toBe(0)
    expect(risk(guess)).toBeGreaterThan(0.2)
    // Deflated by the four things that were tried.
    expect(sure.entries[0]!.figures!.sharpe).toMatchObject({ trials: 4 })
    expect(sure.entries[0]!.figures!.sharpe.deflated).toBeGreaterThan(0.99)
    expect(guess.entries[entryOf(guess, 'tuned')]!.figures!.sharpe.deflated).toBeLessThan(0.95)
  })

  it('is judged by what chooses it: a steady variant that earns less is none that the league takes', async () => {
    // Margin 1 % sways and earns most early, then loses; 2 % is steady. By ratio nothing would be wrong with the choice.
    const swaying: World = (session, maker, cluster) => {
      if (maker !== 'tuned') return { profit: 0 }
      const earns = { 1: cluster < 17 ? 60 + 40 * (cluster % 2) : -60 - 40 * (cluster % 2), 2: 1 + 0.1 * (cluster % 2), 3: -9 }[paramOf(session, maker, 'margin')]!
      return { profit: earns * USDC }
    }
    const { result } = await madeUpLeague(LEAGUE, swaying)
    const { overfitting, variants } = result.entries[entryOf(result, 'tuned')]!.tuning!
    expect(variants.find(({ isChosen }) => isChosen)!.choice).toEqual({ margin: '1%' })
    expect(overfitting!.probability).toBeGreaterThan(0.3)
  })

  it('counts as tried what has a Sharpe ratio', async () => {
    const { result } = await madeUpLeague('entries: [{ name: a, use: shade }, { name: b, use: shade }, { name: silent, use: shade }]\nreplications: 1',
      (_, maker, cluster) => (maker === 'silent' ? { profit: 0 } : { profit: noise(maker, cluster, 1) + USDC }))
    expect(result.entries[0]!.figures!.sharpe.trials).toBe(2)
  })

  it('has a ratio per stake over the clusters that it was in, and a sum over all', async () => {
    // 2 of 33 clusters: ratios .1 and .3 of equal stakes, .2 in all. Two clusters give Student's t of one degree: 12.7062 · .1.
    const sparse: World = (_, maker, cluster) => (maker !== 'a' ? { profit: noise(maker, cluster, 1), stake: USDC }
      : cluster > 1 ? undefined : { profit: (cluster === 0 ? 0.1 : 0.3) * USDC, stake: USDC })
    const { result } = await madeUpLeague('entries: [{ name: a, use: shade }, { name: b, use: shade }]\nreplications: 1', sparse)
    const { hold, profit } = result.entries[entryOf(result, 'a')]!.figures!
    expect(hold.count).toBe(2)
    expect(hold.estimate).toBeCloseTo(0.2, 12)
    expect(profit.all!.count).toBe(33)
  })

  it('is deflated by all that the league tried', async () => {
    const worlds: Readonly<Record<string, (cluster: number) => number>> = { steady: (c) => (c % 2 === 0 ? 3 : -1), idle: (c) => (c % 2 === 0 ? 1 : -1), shade: () => 0 }
    const { result } = await madeUpLeague('entries: [{ name: steady, use: shade }, { name: idle, use: shade }]\nreplications: 1', (_, maker, cluster) => ({ profit: worlds[maker]!(cluster) * USDC }))
    const [steady, idle] = ['steady', 'idle'].map((maker) => sharpeOf(Array.from({ length: 33 }, (_, cluster) => worlds[maker]!(cluster))))
    const { sharpe } = result.entries[0]!.figures!
    expect(sharpe.perCluster).toBeCloseTo(steady!.ratio, 12)
    expect(sharpe.deflated).toBeCloseTo(deflatedSharpe(steady!, [steady!.ratio, idle!.ratio]), 12)
    expect(sharpe.deflated).toBeLessThan(probabilisticSharpe(steady!, 0) - 0.01)
  })

  it('keeps its name in every variant, so that it draws the same', async () => {
    const { pool } = await madeUpLeague(LEAGUE, turning)
    const alone = pool.asked.filter(({ makers }) => makers.length === 1).slice(0, 4)
    expect(alone.map(({ makers }) => [makers[0]!.name, makers[0]!.params?.['margin']])).toEqual([['plain', undefined], ['tuned', '1%'], ['tuned', '2%'], ['tuned', '3%']])
  })
})

describe('racing', () => {
  const RACE = 'entries: [{ name: good, use: shade }, { name: fair, use: shade }, { name: bad, use: shade }]\nreplications: 9\nracing: { after: 2, level: 1% }'
  const world: World = ({ replication }, maker, cluster) => ({ profit: ({ good: 1, fair: 1, bad: -1 }[maker] ?? 0) * USDC + noise(maker, cluster, replication) })

  it('drops what is hopeless after the replications that are asked for, and plays it no more', async () => {
    const { result, pool } = await madeUpLeague(RACE, world)
    const bad = result.entries[2]!
    expect(bad).toMatchObject({ name: 'bad', rank: 3, status: 'dropped', dropped: { after: 2 } })
    expect(bad.dropped!.p).toBeLessThan(0.01)
    expect(bad.figures).toMatchObject({ replications: 2, rating: null })
    expect(bad.figures!.toLeader!.difference.estimate).toBeCloseTo(-66, -1)
    expect(result.entries.slice(0, 2).map(({ status, figures }) => [status, figures!.replications])).toEqual([['played', 9], ['played', 9]])
    expect(Math.max(...pool.asked.filter(({ makers }) => makers.some(({ name }) => name === 'bad')).map(({ replication }) => replication))).toBe(2)
  })

  it('decides by the training part alone', async () => {
    // Bad in the held-out part only.
    const late: World = ({ replication }, maker, cluster) => ({ profit: (maker === 'bad' && cluster >= 23 ? -50 : 1) * USDC + noise(maker, cluster, replication) })
    const { result } = await madeUpLeague(`${RACE}\nholdout: 30%`, late)
    expect(result.entries.every(({ status }) => status === 'played')).toBe(true)
  })
})

describe('bands', () => {
  const BANDS = `entries: [{ name: a, use: shade }, { name: b, use: shade }]
replications: 3
bands: { rivals: [0, 1, 3], demand: [50%, 100%], aggressiveness: { margins: [0%, 2%, 6%], rivals: 2 }, replications: 2 }`
  // A rival takes 2 USDC a cluster, twice the bettors pay twice; against rivals at margin m it earns m − 3 (b: 1 more) in per cent.
  const world: World = (session, maker, cluster) => {
    const rivals = session.makers.filter(({ name }) => name !== maker)
    const small = noise(maker, cluster, session.replication) / 100
    if (rivals[0]?.name.startsWith('rival') === true) return { profit: (paramOf(session, rivals[0].name, 'margin') - 3 + (maker === 'b' ? 1 : 0)) * USDC + small }
    const bettors = session.spec.set.find((text) => text.startsWith('bettors.0.n='))
    return { profit: (10 - 2 * rivals.length) * (bettors === 'bettors.0.n=50' ? 0.5 : 1) * USDC + small }
  }

  it('span the profits over rivals and demand', async () => {
    const { result, pool } = await madeUpLeague(BANDS, world)
    const band = result.entries[entryOf(result, 'a')]!.figures!.band!
    expect(band.points.map(({ rivals, demand, profit }) => [rivals, demand, Math.round(profit.estimate! / 3.3) / 10])).toEqual([
      [0, 0.5, 5], [0, 1, 10], [1, 0.5, 4], [1, 1, 8], [3, 0.5, 2], [3, 1, 4],
    ])
    expect([Math.round(band.low! / 33), Math.round(band.high! / 33)]).toEqual([2, 10])
    const halved = pool.asked.find(({ spec, makers }) => spec.set.length > 1 && makers.length === 4)!
    expect(halved.makers.map(({ name }) => name)).toEqual(['shade', 'shade again 2', 'shade again 3', 'a'])
    expect(halved.spec.set.slice(1)).toEqual(['bettors.0.n=50', 'bettors.1.n=5', 'arrivals.max=25'])
  })

  it('find the margin of the rivals at which an entry breaks even', async () => {
    const { result, pool } = await madeUpLeague(BANDS, world)
    const breakEven = (name: string) => result.entries[entryOf(result, name)]!.figures!.breakEven!
    // −3, −1, 3 at 0, 2, 6 %: 3 %; and −2, 0, 4: 2 %.
    expect(breakEven('a').margin.estimate).toBeCloseTo(0.03, 3)
    expect(breakEven('b').margin.estimate).toBeCloseTo(0.02, 3)
    expect(breakEven('a')).toMatchObject({ side: 'within', rivals: 2 })
    expect(breakEven('a').margin.low).toBeGreaterThan(0.029)
    expect(breakEven('a').margin.high).toBeLessThan(0.031)
    const nothing = await madeUpLeague(BANDS, (session, maker, cluster) => (maker === 'b' ? undefined : world(session, maker, cluster)))
    expect(nothing.result.entries[entryOf(nothing.result, 'b')]!.figures!.breakEven).toBeNull()
    const against = pool.asked.find(({ makers }) => makers[0]!.name === 'rival')!
    expect(against.makers.map(({ name, use, params }) => [name, use, params?.['margin']])).toEqual([
      ['rival', 'fixed-margin', '0%'], ['rival 2', 'fixed-margin', '0%'], ['a', 'shade', undefined],
    ])
  })
})

describe('a league that is written wrong', () => {
  it.each([
    ['entries: [{ name: a, use: shade, params: { curse: 5% }, tune: { curse: [1%] } }]', 'league.entries.0.tune.curse: curse is given in params, too'],
    ['entries: [{ name: a, use: shade, tune: { crse: [1%] } }]', 'league.entries.0.params: unknown key crse; did you mean curse?'],
    ['entries: [{ name: a, use: shade, tune: { curse: [1%, -2%] } }]', 'league.entries.0.tune.curse: must not be negative'],
    ['entries: [{ name: a, use: shade }, { name: a, use: shade }]', 'league.entries.1.name: another entry is named a'],
    ['entries: [{ name: shade, use: shade }]', 'league.entries.0.name: a maker of the scenario has the name shade too'],
    ['entries: [{ name: a, use: shode }]', 'league.entries.0.use: no maker strategy named shode; did you mean shade?'],
    ['entries: [{ name: a, use: shade, count: 2 }]', 'league.entries.0.count: an entry has one seat'],
    ['entries: [{ name: a, use: shade, capital: 5 USDC }]', 'league.entries.0.capital: is given once for all entries'],
    ['entries: [{ name: a, use: shade }]\nplay: [pairs]', 'league.play.0: pairs cannot be played: there is one entry only'],
    ['entries: [{ name: a, use: shade }]\nholdout: 100%', 'league.holdout: expected less than 100%'],
    ['entries: [{ name: a, use: shade }]\nbands: { aggressiveness: { margins: [2%, 1%] } }', 'expected margins in ascending order'],
    ['entries: [{ name: a, use: shade }, { name: b, use: shade }]\nplay: [pairs]\nracing: {}', 'league.racing: entries race alone or in the field'],
  ])('is refused with the place: %s', async (league, message) => {
    const path = leagueScenario(league)
    const refused = await planLeague(path).then(() => undefined, (error: unknown) => error as { message: string; position: { file: string; line: number } })
    expect(refused?.message).toContain(message)
    expect(refused!.position).toMatchObject({ file: path })
    expect(refused!.position.line).toBeGreaterThan(9)
  })

  it.each([
    // Three entries alone are 3 sessions a replication, and 3 pairs of them 3 more.
    ['[alone]', 6], ['[pairs]', 6], ['[alone, pairs]', 12],
  ])('that plays %s has at most %i sessions in two replications', async (play, most) => {
    const plan = await planLeague(leagueScenario(`entries: [{ name: a, use: shade }, { name: b, use: shade }, { name: c, use: shade }]\nplay: ${play}\nreplications: 2`, '[]'))
    expect(sessionsMax(plan)).toBe(most)
  })

  it('without makers has no field, and needs entries', async () => {
    const plan = await planLeague(leagueScenario('entries: [{ name: a, use: shade }]', '[]'))
    expect([plan.formats, plan.ranking]).toEqual([['alone'], 'alone'])
    await expect(planLeague(leagueScenario('entries: [{ name: a, use: shade }]\nplay: [field]', '[]'))).rejects.toThrow('the scenario has no makers of its own')
    await expect(planLeague(leagueScenario('entries: []'))).rejects.toThrow('expected at least one of the entries')
  })
})
