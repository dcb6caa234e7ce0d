import { describe, expect, it } from 'vitest'
import { leagueText } from '../../src/report/leagueText.ts'
import { entryOf, madeUpLeague, noise, paramOf, USDC, type MadeUpSession, type World } from './madeUpLeague.ts'

describe('an entry that fails', () => {
  const THREE = 'entries: [{ name: good, use: shade }, { name: broken, use: shade }, { name: fair, use: shade }]\nreplications: 3'
  const world: World = ({ replication }, maker, cluster) => ({ profit: (maker === 'good' ? 2 : 1) * USDC + noise(maker, cluster, replication) })
  const plays = (session: MadeUpSession, ...names: readonly string[]): boolean => names.every((name) => session.makers.some((maker) => maker.name === name))

  const meetings = ({ pool }: Awaited<ReturnType<typeof madeUpLeague>>, ...names: readonly string[]): number =>
    pool.asked.filter((session) => session.makers.length === 2 && plays(session, ...names)).length

  it('by not ending is not played again, alone or elsewhere', async () => {
    const { result, pool } = await madeUpLeague(`${THREE}\nracing: { after: 3 }`, world, (session) =>
      (plays(session, 'broken') && session.replication === 2 ? { kind: 'endless', who: null, message: 'did not end' } : undefined))
    expect(result.entries.map(({ name, status }) => [name, status])).toEqual([['good', 'played'], ['fair', 'played'], ['broken', 'failed']])
    expect(pool.asked.filter((session) => session.replication > 1 && plays(session, 'broken'))).toHaveLength(1)
  })

  it('is named and has no figures, and the rest goes on as without it', async () => {
    const { result, pool } = await madeUpLeague(THREE, world, (session) =>
      (plays(session, 'broken') && session.replication === 2 ? { kind: 'strategy', who: 'broken', message: 'broken: boom' } : undefined))
    expect(result.entries.map(({ name, status, rank }) => [name, status, rank])).toEqual([['good', 'played', 1], ['fair', 'played', 2], ['broken', 'failed', null]])
    expect(result.entries[2]).toMatchObject({ figures: null, dropped: null })
    expect(result.failures).toHaveLength(1)
    expect(result.failures[0]).toMatchObject({ entries: ['broken'], kind: 'strategy', who: 'broken', message: 'broken: boom', task: { seed: '1/2' } })
    expect(pool.asked.some((session) => session.makers.length === 2 && plays(session, 'good', 'broken'))).toBe(false)
    const { result: without } = await madeUpLeague(THREE.replace('{ name: broken, use: shade }, ', ''), world)
    expect(result.entries.slice(0, 2)).toEqual(without.entries)
    expect(leagueText(result)).toContain('failed    broken (alone): strategy: broken: boom')
  })

  it('leaves no trace of what it had before', async () => {
    const early: World = ({ replication }, maker, cluster) => (cluster < 5 || maker === 'broken' ? { profit: noise(maker, cluster, replication) } : undefined)
    const { result } = await madeUpLeague(THREE, early, (session) =>
      (plays(session, 'broken') && session.replication === 3 ? { kind: 'strategy', who: 'broken', message: 'boom' } : undefined))
    expect(result.history.active).toBe(5)
    expect(result.entries[0]!.figures!.profit.all!.count).toBe(5)
  })

  it('head to head is the one that is named; of an end that nobody is named for only the meeting is lost', async () => {
    const endless = await madeUpLeague(THREE, world, (session) =>
      (plays(session, 'good', 'broken') ? { kind: 'endless', who: null, message: 'did not end' } : undefined))
    expect(endless.result.entries.every(({ status }) => status === 'played')).toBe(true)
    expect(endless.result.failures.map(({ entries }) => entries)).toEqual([['good', 'broken']])
    // Each further one of three might take as long.
    expect(meetings(endless, 'good', 'broken')).toBe(1)
    expect(meetings(endless, 'broken', 'fair')).toBe(3)
    expect(endless.result.pairs.map(({ first, second }) => [first, second])).toEqual([['good', 'fair'], ['broken', 'fair']])
    const named = await madeUpLeague(THREE, world, (session) =>
      (plays(session, 'good', 'broken') ? { kind: 'strategy', who: 'broken', message: 'boom' } : undefined))
    expect(named.result.entries.map(({ name, status }) => [name, status])).toEqual([['good', 'played'], ['fair', 'played'], ['broken', 'failed']])
    expect(named.result.pairs.map(({ first, second }) => [first, second])).toEqual([['good', 'fair']])
  })

  it('has no result where it met nobody to the end, and meetings alone rank', async () => {
    const only = (entries: string): string => `entries: [${entries.split(' ').map((name) => `{ name: ${name}, use: shade }`).join(', ')}]\nreplications: 2\nplay: [pairs]`
    const hangs: Parameters<typeof madeUpLeague>[2] = (session) => (plays(session, 'broken') ? { kind: 'endless', who: null, message: 'did not end' } : undefined)
    const three = (await madeUpLeague(only('good broken fair'), world, hangs)).result
    expect(three.entries.map(({ name, status, rank }) => [name, status, rank])).toEqual([['good', 'played', 1], ['fair', 'played', 2], ['broken', 'failed', null]])
    const two = (await madeUpLeague(only('good broken'), world, hangs)).result
    expect(two.entries.map(({ status, rank, figures }) => [status, rank, figures])).toEqual([['failed', null, null], ['failed', null, null]])
    expect(two.failures.map(({ entries }) => entries)).toEqual([['good', 'broken']])
  })

  it('leaves one that met it alone unmet, and not failed, where meetings alone rank', async () => {
    const { result } = await madeUpLeague('entries: [{ name: good, use: shade }, { name: broken, use: shade }]\nreplications: 2\nplay: [pairs]', world, (session) =>
      (plays(session, 'broken') ? { kind: 'strategy', who: 'broken', message: 'boom' } : undefined))
    expect(result.entries.map(({ name, status, rank, figures }) => [name, status, rank, figures])).toEqual([['good', 'unmet', null, null], ['broken', 'failed', null, null]])
    expect(result.failures.map(({ entries }) => entries)).toEqual([['broken']])
    expect(leagueText(result)).toContain('good (met nobody to the end)')
    expect(leagueText(result)).toContain('broken (failed)')
  })

  it('is not blamed for a maker of the scenario that throws: the league stops and names that one', async () => {
    const league = madeUpLeague(THREE, world, (session) =>
      (plays(session, 'good', 'shade') ? { kind: 'strategy', who: 'shade', message: 'strategy of shade threw: boom\n  at a place' } : undefined))
    await expect(league).rejects.toThrow(expect.objectContaining({
      name: 'InputError', message: 'shade failed, which is part of the scenario and no entry: strategy of shade threw: boom', position: { file: expect.stringContaining('small.yaml') },
    }))
  })

  it.each(['endless', 'worker'] as const)('is not blamed for a maker of the scenario that is named for what is %s: one session tells', async (kind) => {
    const asked: MadeUpSession[] = []
    const league = madeUpLeague(THREE, world, (session) => {
      asked.push(session)
      return plays(session, 'shade') ? { kind, who: 'shade', message: 'did not end' } : undefined
    })
    await expect(league).rejects.toThrow('shade failed, which is part of the scenario and no entry: did not end')
    expect(asked.filter((session) => plays(session, 'shade'))).toHaveLength(1)
  })

  it('where nobody is named is out of the ranking only if that was at stake', async () => {
    const nobody = { kind: 'worker', who: null, message: 'its worker died 3 times' } as const
    const bands = `${THREE}\nbands: { rivals: [0, 1], demand: [100%], aggressiveness: { margins: [0%, 2%], rivals: 2 }, replications: 2 }`
    const isBand = (session: MadeUpSession) => session.spec.set.length > 1
    const { result } = await madeUpLeague(bands, world, (session) =>
      (session.makers.at(-1)!.name === 'broken' && (isBand(session) || session.makers[0]!.name === 'rival') ? nobody : undefined))
    expect(result.entries.every(({ status }) => status === 'played')).toBe(true)
    const broken = result.entries[entryOf(result, 'broken')]!.figures!
    expect(broken.breakEven).toBeNull()
    expect(result.entries[entryOf(result, 'good')]!.figures!.breakEven).not.toBeNull()
    expect(result.failures.every(({ entries, who }) => String(entries) === 'broken' && who === null)).toBe(true)
    const bug = await madeUpLeague(THREE, world, (session) => (plays(session, 'broken') && session.makers.length === 1 ? { ...nobody, kind: 'bug' } : undefined))
    const entry = bug.result.entries[entryOf(bug.result, 'broken')]!
    expect(entry.status).toBe('played')
    expect(Object.keys(entry.figures!.byFormat)).toEqual(['field', 'pairs'])
    const ranking = await madeUpLeague(THREE, world, (session) => (plays(session, 'shade', 'broken') ? nobody : undefined))
    expect(ranking.result.entries.map(({ name, status }) => [name, status])).toEqual([['good', 'played'], ['fair', 'played'], ['broken', 'failed']])
  })

  it('in one variant leaves the entry the others', async () => {
    const { result } = await madeUpLeague('entries: [{ name: plain, use: shade }, { name: tuned, use: fixed-margin, tune: { margin: [1%, 2%] } }]\nreplications: 2', world, (session) =>
      (plays(session, 'tuned') && paramOf(session, 'tuned', 'margin') === 2 ? { kind: 'strategy', who: 'tuned', message: 'boom' } : undefined))
    const tuned = result.entries[entryOf(result, 'tuned')]!
    expect(tuned).toMatchObject({ status: 'played', params: { margin: '1%' } })
    expect(tuned.tuning!.variants.map(({ status }) => status)).toEqual(['played', 'failed'])
  })

  it('may be all of them', async () => {
    const { result } = await madeUpLeague(THREE, world, () => ({ kind: 'bug', who: null, message: 'all is lost' }))
    expect(result.entries.map(({ rank, status }) => [rank, status])).toEqual([[null, 'failed'], [null, 'failed'], [null, 'failed']])
    expect(result).toMatchObject({ sessions: 0, pairs: [], ratingOf: null })
    expect(leagueText(result)).toContain('good (failed)')
  })
})
