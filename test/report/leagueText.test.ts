import { describe, expect, it } from 'vitest'
import { leagueText } from '../../src/report/leagueText.ts'
import { LEAGUE } from './reports.ts'

describe('a league as text', () => {
  const cells = (text: string): string[][] => text.split('\n').map((line) => line.trim().split(/ {2,}/))

  it('has a row of each entry, with its figures under their heads', () => {
    const rows = cells(leagueText(LEAGUE))
    const head = rows.findIndex(([first]) => first === '#')
    expect(rows.slice(head, head + 4)).toEqual([
      ['#', 'entry', 'no luck, holdout', '95 %', 'to leader', '95 %', 'p adj.', 'cash', '95 %', 'to leader', '95 %', 'rating', '95 %'],
      ['1', 'first', '502', '500 … 504', 'leader', '500', '480 … 520', 'leader', '1,550', '1,530 … 1,570'],
      ['2', 'second & <third>', '382', '380 … 384', '-120', '-170 … -70.0', '0.020', '380', '360 … 400', '-118', '-208 … -28.0', '1,538', '1,518 … 1,558'],
      ['-', 'broken (failed)'],
    ])
    const trade = rows.findIndex(([, , third]) => third === 'requests')
    expect(rows[trade + 2]).toEqual(['2', 'second & <third>', '1,000', '901', '25.0', '2.5%', '190', '187 … 193', '-4.0', '-6.0 … -2.0'])
  })

  it('leads with cash where cash ranks, and says what the licence says', () => {
    const text = leagueText({ ...LEAGUE, ranking: { ...LEAGUE.ranking, measure: 'cash' } })
    const rows = cells(text)
    expect(rows.find(([first]) => first === '1')!.slice(0, 7)).toEqual(['1', 'first', '500', '480 … 520', 'leader', '502', '500 … 504'])
    expect(text).toContain('ranked by cash profit in the field, over the holdout')
    expect(text).toContain(`licence   ${LEAGUE.licence.text}`)
  })
})
