import { describe, expect, it } from 'vitest'
import { leagueText } from '../../src/report/leagueText.ts'
import { LEAGUE } from './reports.ts'

describe('a league as text', () => {
  const cells = (text: string): string[][] => text.split('\n').map((line) => line.trim().split(/ {2,}/))

  it('has a row of each entry, with its figures under their heads', () => {
    const rows = cells(leagueText(LEAGUE))
    const head = rows.findIndex(([first]) => first === '#')
    expect(rows.slice(head, head + 4)).toEqual([
      ['#', 'entry', 'profit holdout', '95 %', 'per 1,000', 'hold', 'to leader', '95 %', 'p adj.', 'rating', '95 %', 'requests', 'quotes'],
      ['1', 'first', '500', '480 … 520', '25.0', '2.5%', 'leader', '1,550', '1,530 … 1,570', '1,000', '901'],
      ['2', 'second & <third>', '380', '360 … 400', '25.0', '2.5%', '-120', '-170 … -70.0', '0.020', '1,538', '1,518 … 1,558', '1,000', '901'],
      ['-', 'broken (failed)'],
    ])
  })
})
