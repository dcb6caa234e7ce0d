import { describe, expect, it } from 'vitest'
import { leagueAnswer, leagueText } from '../../src/report/leagueText.ts'
import type { Interval } from '../../src/stats/interval.ts'
import type { LeagueEntry } from '../../src/sweep/leagueResult.ts'
import { LEAGUE } from './reports.ts'

describe('a league as text', () => {
  const cells = (text: string): string[][] => text.split('\n').map((line) => line.trim().split(/ {2,}/))

  it('has a row of each entry, with its figures under their heads', () => {
    const rows = cells(leagueText(LEAGUE))
    const head = rows.findIndex(([first]) => first === '#')
    expect(rows.slice(head, head + 4)).toEqual([
      ['#', 'entry', 'no luck, holdout', '95%', 'to leader', '95%', 'p adj.', 'cash', '95%', 'to leader', '95%', 'rating', '95%'],
      ['1', 'first', '502', '500 … 504', 'leader', '500', '480 … 520', 'leader', '1,550', '1,530 … 1,570'],
      ['2', 'second & <third>', '382', '380 … 384', '-120', '-170 … -70.0', '0.020', '380', '360 … 400', '-118', '-208 … -28.0', '1,538', '1,518 … 1,558'],
      ['-', 'broken (failed)'],
    ])
    const trade = rows.findIndex(([, , third]) => third === 'requests')
    expect(rows[trade + 2]).toEqual(['2', 'second & <third>', '1,000', '901', '25.0', '2.5%', '190', '187 … 193', '-4.0', '-6.0 … -2.0'])
  })

  it('has the fills of each entry, with mark-outs, where the result knows them', () => {
    const rows = cells(leagueText(LEAGUE))
    const head = rows.findIndex(([, , third]) => third === 'fills')
    expect(rows.slice(head, head + 3)).toEqual([
      ['#', 'entry', 'fills', 'hit ratio', 'staked', 'mark-out 10 s', '95%', 'mark-out 10 min', '95%'],
      ['1', 'first', '40.0', '4.0%', '20,000', '1.50¢', '1.00¢ … 2.00¢', '-', '-'],
      ['2', 'second & <third>', '30.0', '3.0%', '15,200', '1.50¢', '1.00¢ … 2.00¢', '-', '-'],
    ])
    const older = LEAGUE.entries.map((entry) => ({ ...entry, figures: entry.figures === null ? null : { ...entry.figures, account: undefined } }) as LeagueEntry)
    expect(cells(leagueText({ ...LEAGUE, entries: older })).findIndex(([, , third]) => third === 'fills')).toBe(-1)
  })

  it('leaves out of the answer the intervals and p-values that no entry has', () => {
    const bare = (interval: Interval): Interval => ({ ...interval, low: null, high: null })
    const [first, second, ...others] = LEAGUE.entries
    const without = [first!, second!].map((entry) => {
      const { luckAdjusted, toLeader } = entry.figures!
      return { ...entry, figures: { ...entry.figures!, luckAdjusted: { ...luckAdjusted, holdout: bare(luckAdjusted.holdout!) }, toLeader: toLeader === null ? null : { ...toLeader, adjusted: null, difference: bare(toLeader.difference) } } }
    })
    const rows = cells(leagueAnswer({ ...LEAGUE, entries: [...without, ...others] }))
    expect(rows.slice(2, 6)).toEqual([
      ['#', 'entry', 'no luck, holdout', 'to leader', 'cash', '95%', 'to leader', '95%', 'rating', '95%'],
      ['1', 'first', '502', 'leader', '500', '480 … 520', 'leader', '1,550', '1,530 … 1,570'],
      ['2', 'second & <third>', '382', '-120', '380', '360 … 400', '-118', '-208 … -28.0', '1,538', '1,518 … 1,558'],
      ['-', 'broken (failed)'],
    ])
  })

  it('says in a few lines who is first, and whether the lead tells it from the second', () => {
    const [title, empty, head, first, second, broken, , ...said] = leagueAnswer(LEAGUE).trimEnd().split('\n')
    expect([title, empty]).toEqual([expect.stringContaining(`league ${LEAGUE.name}`), ''])
    expect([head, first, second, broken].map((line) => line!.trim().split(/ {2,}/)[1])).toEqual(['entry', 'first', 'second & <third>', 'broken (failed)'])
    expect(said[0]).toBe('First by luck-adjusted profit in the field, over the holdout is first. Its lead over the second, second & <third>, is 120 USDC a session (70.0 to 170), which tells them apart.')
    expect(said[1]).toBe('The lead consists of margin +100, drift +30.0, selection -20.0, last look +10.0. first had 40.0 fills a session on stakes of 20,000 USDC, second & <third> 30.0 on 15,200: +121 of the lead is volume, -0.632 what each dollar staked earned.')
    expect(said.slice(2).map((line) => line.slice(0, 10))).toEqual(['tuned     ', 'failed    '])
  })

  it.each<[string, object, string, number?]>([
    ['one whose interval holds zero', { low: -20, high: 50, estimate: -5 }, 'is 5.00 USDC a session (-50.0 to 20.0), which does not tell them apart.'],
    ['one that the adjustment for all pairs takes away', { low: -9, high: -1, estimate: -5 }, 'is 5.00 USDC a session (1.00 to 9.00), which does not tell them apart: p is 0.050, adjusted for all pairs.', 0.05],
    ['one that is just significant', { low: -9, high: -1, estimate: -5 }, 'is 5.00 USDC a session (1.00 to 9.00), which tells them apart.', 0.0499],
    ['one without an interval', { low: null, high: null, estimate: -5 }, 'is 5.00 USDC a session, without an interval: nothing tells them apart.'],
  ])('says of %s', (_, difference, said, adjusted = 0.01) => {
    const [first, second, ...others] = LEAGUE.entries
    const toLeader = { ...second!.figures!.toLeader!, difference: { ...second!.figures!.toLeader!.difference, ...difference }, adjusted }
    expect(leagueAnswer({ ...LEAGUE, entries: [first!, { ...second!, figures: { ...second!.figures!, toLeader } }, ...others] })).toContain(said)
  })

  it('says what intervals are conditional on', () => {
    expect(leagueAnswer({ ...LEAGUE, isConditional: true })).toContain('Intervals are conditional on this history: everything is in one settlement cluster.')
    expect(leagueAnswer(LEAGUE)).not.toContain('onditional')
  })

  it('leads with cash where cash ranks, and says what the licence says', () => {
    const text = leagueText({ ...LEAGUE, ranking: { ...LEAGUE.ranking, measure: 'cash' } })
    const rows = cells(text)
    expect(rows.find(([first]) => first === '1')!.slice(0, 7)).toEqual(['1', 'first', '500', '480 … 520', 'leader', '502', '500 … 504'])
    expect(text).toContain('ranked by cash profit in the field, over the holdout')
    expect(text).toContain(`licence   ${LEAGUE.licence.text}`)
  })
})
