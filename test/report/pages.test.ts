import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHTML } from 'linkedom'
import { beforeAll, describe, expect, it } from 'vitest'
import { writePageBeside, writeReport } from '../../src/report/folderReport.ts'
import { leagueReport } from '../../src/report/leagueReport.ts'
import { alarmLines } from '../../src/report/alarms.ts'
import { diffPage } from '../../src/report/diffPage.ts'
import { runReport } from '../../src/report/runReport.ts'
import { sweepReport } from '../../src/report/sweepReport.ts'
import { validationReport } from '../../src/report/validationReport.ts'
import { DamagedResult } from '../../src/result/failures.ts'
import { Generation } from '../../src/result/generation.ts'
import { readHead } from '../../src/result/head.ts'
import { summariseRun } from '../../src/score/summary.ts'
import { InputError } from '../../src/unit/inputError.ts'
import type { LeagueFigures } from '../../src/sweep/leagueResult.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder } from '../scenario/small.ts'
import { DIFFERENCE, interval, LEAGUE, picturedRun, SWEEP, SWEEP_GRID, VALIDATION } from './reports.ts'

interface Node {
  readonly tagName: string
  readonly textContent: string
  readonly innerHTML: string
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
  getAttribute(name: string): string | null
  querySelector(selector: string): Node | null
  querySelectorAll(selector: string): Iterable<Node>
}

const documents = new Map<string, Node>()

/** The document of a page, which no test changes. */
function parsed(html: string): Node {
  const document = documents.get(html) ?? parseHTML(html).document as unknown as Node
  documents.set(html, document)
  return document
}

const all = (node: Node, selector: string): Node[] => [...node.querySelectorAll(selector)]
const textOf = (node: Node | null): string => (node?.textContent ?? '').replaceAll(/\s+/g, ' ').trim()
const MARGIN = 'makers.0.params.margin'
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

let dir: string
let pages: Readonly<Record<string, string>>

beforeAll(async () => {
  dir = await picturedRun()
  pages = { run: await runReport(dir), league: leagueReport(LEAGUE), sweep: sweepReport(SWEEP), validation: validationReport(VALIDATION) }
})

describe.each(['run', 'league', 'sweep', 'validation'])('the page of a %s', (kind) => {
  const page = (): Node => parsed(pages[kind]!)

  it('allows its own styles and scripts by their hashes, and nothing else', () => {
    const policy = page().querySelector('meta[http-equiv="Content-Security-Policy"]')!.getAttribute('content')!.split('; ')
    expect(policy[0]).toBe("default-src 'none'")
    const html = pages[kind]!
    const contents = (tag: string): string[] => [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map((match) => match[1]!)
    expect(policy.find((rule) => rule.startsWith('style-src'))).toBe(`style-src ${contents('style').map(hashOf).join(' ')}`)
    const scripts = contents('script')
    expect(policy.find((rule) => rule.startsWith('script-src'))).toBe(scripts.length === 0 ? undefined : `script-src ${scripts.map(hashOf).join(' ')}`)
    expect(scripts).toHaveLength(kind === 'run' ? 5 : 2)
  })

  it('has no style and no handler in an attribute, and no address but its own anchors', () => {
    const attributes = all(page(), '*').flatMap((element) => [...element.attributes].map(({ name, value }) => ({ name, value })))
    expect(attributes.filter(({ name }) => name === 'style' || name.startsWith('on'))).toEqual([])
    expect(attributes.filter(({ name, value }) => ['src', 'href', 'xlink:href'].includes(name) && !value.startsWith('#'))).toEqual([])
    expect(all(page(), 'svg style')).toEqual([])
  })

  it('has every id once, and everything that is pointed at', () => {
    const ids = all(page(), '[id]').map((element) => element.getAttribute('id')!)
    expect(ids).toEqual([...new Set(ids)])
    const pointed = ['aria-labelledby', 'aria-describedby'].flatMap((name) => all(page(), `[${name}]`).map((element) => element.getAttribute(name)!))
    const linked = all(page(), 'a').map((link) => link.getAttribute('href')!.slice(1))
    expect([...pointed, ...linked].filter((id) => !ids.includes(id))).toEqual([])
    expect(linked.length).toBeGreaterThan(2)
  })

  it('has headings in order, and landmarks', () => {
    const levels = all(page(), 'h1, h2, h3, h4').map(({ tagName }) => Number(tagName[1]))
    expect(levels[0]).toBe(1)
    expect(levels.filter((level, i) => i > 0 && level > levels[i - 1]! + 1)).toEqual([])
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    for (const landmark of ['header', 'nav[aria-label]', 'main', 'footer']) expect(all(page(), landmark)).toHaveLength(1)
  })

  it('has a caption, a picture in words and a table of numbers for every figure', () => {
    const figures = all(page(), 'figure')
    expect(figures.length).toBeGreaterThan(0)
    const wanting = figures.filter((figure) => {
      const pictures = all(figure, '[role="img"]')
      const words = pictures[0]?.getAttribute('aria-label') ?? ''
      return textOf(figure.querySelector('figcaption')) === '' || pictures.length !== 1 || words.length < 20 || all(figure, 'details tbody tr').length === 0
    })
    expect(wanting.map((figure) => figure.getAttribute('id'))).toEqual([])
  })

  it('has tables with heads for columns and rows, in regions that can be reached by keys', () => {
    const wanting = all(page(), 'table').filter((table) => {
      const columns = all(table, 'thead th')
      const rows = all(table, 'tbody tr').map((row) => all(row, 'th, td'))
      const isHeaded = rows.every(([head]) => ['row', 'rowgroup'].includes(head!.getAttribute('scope') ?? ''))
      return !isHeaded || !columns.every((cell) => cell.getAttribute('scope') === 'col') || !rows.every(({ length }) => length === 1 || length === columns.length)
    })
    expect(wanting.map((table) => textOf(table.querySelector('caption')))).toEqual([])
    expect(all(page(), '.scroll').filter((region) => region.getAttribute('tabindex') !== '0' || region.getAttribute('aria-label') === null)).toEqual([])
  })

  it('shows no number that is none', () => {
    const shown = all(page(), 'main, header').map(textOf).join(' ') + all(page(), '[aria-label]').map((element) => element.getAttribute('aria-label')).join(' ')
    expect([...shown.matchAll(/.{0,40}(NaN|undefined(?! in resamples)|null|Infinity|\[object).{0,20}/g)].map(([text]) => text)).toEqual([])
    const attributes = all(page(), 'svg *').flatMap((element) => [...element.attributes].map(({ value }) => value))
    expect(attributes.filter((value) => /NaN|undefined|Infinity/.test(value))).toEqual([])
  })
})

describe('the page of a run', () => {
  it('is the same bytes again, wherever the run lies', async () => {
    const other = join(newFolder(), 'elsewhere')
    cpSync(dir, other, { recursive: true })
    expect(await runReport(other)).toBe(pages['run'])
  })

  it('says what the summary says', async () => {
    const summary = await summariseRun(dir)
    if ('services' in summary) throw new Error('one service')
    const page = parsed(pages['run']!)
    const heads = all(page, '.card thead th').map(textOf)
    expect(heads).toEqual(['figure', 'plain', 'careful', 'shady'])
    const row = (name: string): string[] => all(all(page, '.card tbody tr').find((tr) => textOf(tr.querySelector('th')).startsWith(name))!, 'td').map(textOf)
    expect(row('fills')).toEqual(summary.makers.map(({ hits }) => String(hits.fills)))
    const profit = summary.makers.map(({ profitMicros }) => Math.round(profitMicros / 1e4) / 100)
    expect(row('profit').map((cell) => Number(cell.split(' ')[0]!.replace(',', '').replace('−', '-')))).toEqual(profit)
    expect(textOf(page.querySelector('header'))).toContain(summary.digest)
    expect(textOf(page.querySelector('header'))).toContain('interactive: ')
    expect(textOf(page.querySelector('#coverage'))).toContain(`${summary.requests.count} requests in ${summary.requests.clusters} settlement clusters (by game)`)
    expect(textOf(page.querySelector('#coverage'))).toContain('Money is conserved to the micro-unit')
    expect(textOf(page.querySelector('#money'))).toContain(`house${(summary.house.revenueMicros / 1e6).toFixed(6)}`)
  })

  it('begins with who earned most, and with what looks wrong', async () => {
    const summary = await summariseRun(dir)
    if ('services' in summary) throw new Error('one service')
    const [answer] = all(parsed(pages['run']!), 'main > section')
    const most = summary.makers.reduce((best, maker) => (maker.profitMicros > best.profitMicros ? maker : best))
    expect(answer!.getAttribute('id')).toBe('answer')
    expect(textOf(answer!.querySelector('.verdict'))).toMatch(new RegExp(`^${most.name} earned most: `))
    expect(all(answer!, 'li').map(textOf)).toEqual(alarmLines(summary))
  })

  it('gives the long series whole to its script: it ends where the table of the figure ends', () => {
    const page = parsed(pages['run']!)
    const series = JSON.parse(page.querySelector('#series')!.textContent) as Record<string, { scale: number; views: { name: string; values: number[][] }[] }>
    expect(Object.keys(series)).toEqual(['equity-chart', 'exposure-chart', 'positions-chart'])
    const { scale, views } = series['equity-chart']!
    expect(views.map(({ name }) => name)).toEqual(['Marked at V', 'Cash', 'Executable'])
    const ends = views.flatMap(({ values }) => values.map((differences) => (differences.reduce((sum, difference) => sum + difference, 0) * scale).toFixed(2)))
    const last = all(all(page, '#equity-chart tbody tr').at(-1)!, 'td').map((cell) => textOf(cell).replace(',', '').replace('−', '-'))
    expect(last).toEqual(ends)
    // Everything has settled: cash, marked and executable are one, and the scorecard's profit.
    expect(ends.slice(0, 3)).toEqual(ends.slice(3, 6))
  })

  it('shows the books that are asked for', async () => {
    const page = parsed(await runReport(dir, { requests: [3] }))
    expect(all(page, '#books figure').map((figure) => figure.getAttribute('id'))).toEqual(['book-3'])
    const rows = all(page, '#book-3 tbody tr').map((row) => textOf(row.querySelector('th')))
    expect(rows.toSorted()).toEqual(['careful', 'plain', 'shady'])
  })
})

describe('the page of a run in which nothing was traded', () => {
  it('has no pictures of nothing, and no number that is none', async () => {
    const page = parsed(await runReport(await picturedRun({ isSilent: true })))
    const sections = all(page, 'main > section').map((section) => section.getAttribute('id'))
    expect(sections).toEqual(['answer', 'questions', 'equity', 'scorecard', 'exposure', 'win-curve', 'latency', 'coverage', 'licence', 'legs', 'bettors', 'money', 'rejections'])
    expect(all(page, '#profit-plot p').map(textOf)).toEqual(['Nothing known.'])
    expect(all(page, 'svg, svg *').flatMap((element) => [...element.attributes].map(({ value }) => value)).filter((value) => /NaN|Infinity/.test(value))).toEqual([])
    expect(textOf(page.querySelector('main'))).not.toMatch(/NaN|Infinity/)
    expect(textOf(page.querySelector('#rejections'))).toBe('Rejections None.')
  })
})

describe('the page of a comparison', () => {
  it('has the sentences of all makers, and their differences with signs', () => {
    const page = parsed(diffPage(DIFFERENCE, { a: 'plain', b: 'wider & <better>' }))
    expect(textOf(page.querySelector('h1'))).toBe('wider & <better> less plain')
    expect(all(page, '#answer p').map(textOf)).toEqual(['first earned −1.00 USDC less.', 'second & <third> earned −1.00 USDC less.', '10 requests in both runs, 1 in A alone, 2 in B alone.'])
    expect(all(page, '#makers tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([
      ['first', '3', '2', '0', '1', '5.00', '4.00', '−1.00', '−1.00'], ['second & <third>', '3', '2', '0', '1', '−1.25', '1.00', '+2.25', '+2.25'],
    ])
    expect(all(page, '#requests-1 tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([
      ['filled in A alone', '1', '−1.25', '1.00', '+2.25', '+2.25'], ["second & <third>'s in B", '1', '', '', '+2.25', ''], ["nobody's in B", '0', '', '', '+0.00', ''], ['together', '', '−1.25', '1.00', '+2.25', '+2.25'],
    ])
    expect(all(page, '#nights tbody tr').map((row) => all(row, 'th, td').map(textOf))[0]).toEqual(['first', '−1.00', '0.01', '−4.00', '+2.00', '25.0', '75.0'])
  })
})

describe('the page of a league', () => {
  const page = (): Node => parsed(pages['league']!)

  it('names the first, and by how much it leads', () => {
    expect(textOf(page().querySelector('#answer'))).toContain('First by luck-adjusted profit in the field, over the holdout is first. Its lead over the second, second & <third>, is 120 USDC a session (70.0 to 170), which tells them apart.')
    expect(all(page(), '.remarks li').map(textOf)).toEqual(['a thing to know'])
    expect(textOf(page().querySelector('#answer'))).toContain('The lead consists of margin +100, drift +30.0, selection −20.0, last look +10.0.')
  })

  it('says where profits came from, of what the lead consists, and what fills were like', () => {
    expect(all(page(), '#lead-plot tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([
      ['margin', '100'], ['selection', '−20.0'], ['model', '0.00'], ['last look', '10.0'], ['drift', '30.0'], ['fees', '0.00'], ['lead', '120'], ['of it by stakes', '121'], ['by profit per dollar', '−0.632'],
    ])
    expect(all(page(), '#lead-plot svg text').map(textOf).filter((text) => /^[+−]+\d/.test(text))).toEqual(['+100', '−20.0', '+0.00', '+10.0', '+30.0', '+0.00', '+120'])
    expect(all(page(), '#terms-plot tbody tr').map((row) => all(row, 'th, td').map(textOf).slice(0, 3))[1]).toEqual(['second & <third>', 'margin', '200'])
    expect(textOf(page().querySelector('#trade'))).toContain('Requests and quotes are of the whole history, all else of the holdout.')
    expect(all(page(), '#trade tbody tr').map((row) => all(row, 'th, td').map(textOf))[1]).toEqual([
      'second & <third>', '1,000', '901', '30.0', '3.00 2.00 to 4.00', '15,200', '25.0 24.0 to 26.0', '2.50 1.50 to 3.50', '1.50 1.00 to 2.00', '–',
    ])
    // By cash luck is a term of the lead too, and a result of an older version says nothing of it.
    const cash = parsed(leagueReport({ ...LEAGUE, ranking: { ...LEAGUE.ranking, measure: 'cash' } }))
    expect(all(cash, '#lead-plot tbody tr').map((row) => textOf(row.querySelector('th')))).toContain('luck')
    const older = parsed(leagueReport({ ...LEAGUE, entries: LEAGUE.entries.map(({ figures, ...entry }) => ({ ...entry, figures: figures === null ? null : Object.fromEntries(Object.entries(figures).filter(([name]) => name !== 'account')) as unknown as LeagueFigures })) }))
    expect(['#why', '#trade'].map((id) => older.querySelector(id))).toEqual([null, null])
  })

  it('does not call a lead one whose interval holds zero', () => {
    const [first, second, ...others] = LEAGUE.entries
    const close = { ...second!, figures: { ...second!.figures!, toLeader: { difference: interval(-20, 50), beside: interval(-20, 60), p: 0.4, adjusted: 0.6, falseDiscovery: 0.5 } } }
    expect(textOf(parsed(leagueReport({ ...LEAGUE, entries: [first!, close, ...others] })).querySelector('#answer'))).toContain('which does not tell them apart')
    expect(textOf(parsed(leagueReport({ ...LEAGUE, isConditional: true })).querySelector('#answer'))).toContain('Intervals are conditional on this history')
  })

  it('has its table, and a section for all that was played', () => {
    const rows = all(page(), '#table .league tbody tr').map((row) => all(row, 'th, td').map(textOf))
    expect(rows[1]).toEqual(['2 second & <third>fixed-margin, margin 3%', '382 380 to 384', '−120 −170 to −70.0', '0.020', '380 360 to 400', '−118 −208 to −28.0', '190 187 to 193', '1,538 1,518 to 1,558', '0.31', '72.0'])
    expect(rows[2]![0]).toBe('brokenfixed-margin, margin 3%; failed')
    const sections = all(page(), 'main > section').map((section) => section.getAttribute('id'))
    expect(sections).toEqual(['answer', 'table', 'why', 'trade', 'differences', 'formats', 'holdout', 'bands', 'break-even', 'tuning', 'licence', 'failures', 'coverage'])
    // Two bins have ten markets each, and two of ten came true at .2.
    expect(all(page(), '#licence-plot tbody tr').map((row) => all(row, 'th, td').map(textOf)).filter(([, count]) => count !== '0')).toEqual([
      ['20 to 30', '10', '20.0', '20.0'], ['80 to 90', '10', '80.0', '80.0'],
    ])
    expect(textOf(page().querySelector('#answer'))).toContain('calibrated as far as can be told')
    expect(textOf(page().querySelector('#tuning'))).toContain('Probability of backtest overfitting 25.0%')
  })
})

describe('the page of a sweep', () => {
  it('draws figures against the axis, and has all points in a table', () => {
    const page = parsed(pages['sweep']!)
    expect(all(page, '#figures figure').map((figure) => figure.getAttribute('id'))).toEqual(['luck-adjusted-0', 'profit-0', 'hold-0', 'fills-0'])
    const rows = all(page, '#profit-0 tbody tr').map((row) => all(row, 'th, td').map(textOf).slice(0, 5))
    expect(rows[2]).toEqual(['5%', 'a', '250', '220', '280'])
    expect(all(page, '#points tbody tr')).toHaveLength(6)
    // One of the four sessions of the second point failed.
    expect(all(all(page, '#points tbody tr')[2]!, 'th, td').map(textOf).slice(0, 4)).toEqual(['2', '5%', '3', 'a'])
    expect(textOf(page.querySelector('#failures tbody'))).toContain('Error: no')
    expect(all(page, '#expectations tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([
      ['hit ratio of a falls', '−0.300 −0.400 to −0.200 n 12', 'holds'], ['profit of b rises', 'nothing to compare', 'DOES NOT HOLD'],
    ])
  })

  it('begins with the best setting of each maker and its difference to the baseline, and draws a grid as a map in one scale', () => {
    const page = parsed(sweepReport(SWEEP_GRID))
    expect(textOf(page.querySelector('#answer .verdict'))).toBe('a: the best of 4 points.')
    expect(all(page, '#answer tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([
      ['a', 'margin of a 4%, margin of b 8%', '405 402 to 408', '300 290 to 310', '0.610', '0.830', '400 370 to 430', '90.0 85.0 to 95.0', '4.00 3.00 to 5.00'],
      ['b', 'margin of a 2%, margin of b 2%', '−105 −108 to −102', 'the baseline', '–', '–', '−100 −130 to −70.0', '9.00 4.00 to 14.0', '–'],
    ])
    const cells = all(page, '#map-0 svg [fill-opacity]').map((rect) => rect.getAttribute('fill-opacity'))
    expect(all(page, '#map-0 tbody tr').map((row) => all(row, 'th, td').map(textOf).slice(0, 3))).toEqual([['2%', '2%', '105'], ['2%', '8%', '205'], ['4%', '2%', '305'], ['4%', '8%', '405']])
    expect(new Set(cells).size).toBeGreaterThan(3)
    // Pictures of one figure have one scale.
    const ticks = [0, 1].map((panel) => all(page, `#luck-adjusted-${panel} svg text`).map(textOf).filter((text) => /^[−\d,]+$/.test(text) && Math.abs(Number(text.replace('−', '-'))) > 50))
    expect(ticks[0]!.length).toBeGreaterThan(3)
    expect(ticks[1]).toEqual(ticks[0])
    expect(textOf(page.querySelector('#to-the-baseline figcaption'))).toContain('To the baseline, USDC against margin of a, margin of b 2%')
  })

  it('says of the best point whether it can be told from chance, and what a search found', () => {
    const tests = { profit: 236, overOthers: 120, zero: { p: 0.01, adjusted: 0.61 }, others: { p: 0.02, adjusted: 0.83 }, sharpe: 0.4, deflated: 0.23, rows: 12, unit: 'clusters', method: 'Holm' } as const
    const best = [{ service: 'parlay', maker: 'a', measure: 'luck-adjusted', points: 50, point: 2, settings: { [MARGIN]: '5%' }, tests, sentence: 'a: the best of 50 points' }] as const
    const found = parsed(sweepReport({ ...SWEEP, best }))
    expect(all(found, '#best tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([['a', '50', '2', 'margin 5%', '236', '0.610', '120', '0.830', '23.0', 'Holm, 12 clusters']])
    expect(textOf(found.querySelector('#answer .verdict'))).toBe('a: the best of 50 points.')
    const winner = {
      point: 2, settings: { [MARGIN]: '5%' }, fresh: { from: 5, to: 8 }, luckAdjusted: interval(90, 10), profit: interval(80, 70), corrected: { low: -30, high: 210, p: 0.2, points: 3, label: 'Bonferroni' }, uncorrected: null,
      deflated: 0.4, sentence: 'a: margin 5% won',
    }
    const search = { text: 'luck-adjusted of a', measure: 'luck-adjusted', service: 'parlay', maker: 'a', points: 3, rounds: [{ replications: 2, points: 3, kept: [2, 3] }, { replications: 4, points: 2, kept: [2] }], winner } as const
    const sought = parsed(sweepReport({ ...SWEEP, search }))
    expect(all(sought, '#search tbody tr').map((row) => all(row, 'th, td').map(textOf))).toEqual([
      ['1', '3', '2', '2, 3'], ['2', '2', '4', '2'],
      ['2', 'margin 5%', '5 to 8, which did not choose it', '90.0 80.0 to 100 n 12', '80.0 10.0 to 150 n 12', '−30.0 to 210', '0.200', '40.0'],
    ])
    expect(textOf(sought.querySelector('#search'))).toContain('a: margin 5% won.')
  })

  it('has a picture for each combination of the other axes', () => {
    const other = 'history.maxAge'
    const points = SWEEP.points.flatMap((point, i) => ['1m', '2m'].map((age, j) => ({ ...point, point: 2 * i + j + 1, settings: { ...point.settings, [other]: age } })))
    const page = parsed(sweepReport({ ...SWEEP, design: { kind: 'grid', axes: [MARGIN, other] }, points }))
    expect(all(page, '#profit figure').map((figure) => textOf(figure.querySelector('figcaption span')))).toEqual(['1m', '2m'].map((age) => `against ${MARGIN}, ${other} ${age}; with 95% intervals`))
  })
})

describe('the page of a validation', () => {
  it('has each figure with what is known and measured, and its verdict', () => {
    const page = parsed(pages['validation']!)
    const rows = all(page, '#figures tbody tr').map((row) => all(row, 'th, td').map(textOf))
    expect(rows[0]).toEqual(['1.a', 'what 1.a is', '−0.333', '−0.340', '−0.370 … −0.310', 'ε', '2,500', '2,500', 'pass'])
    expect(rows.map((row) => row.at(-1))).toEqual(['pass', 'pass', 'FAIL'])
    expect(textOf(page.querySelector('header'))).toContain('1 of 3 figures fail.')
    expect(textOf(page.querySelector('#item-2'))).toContain('The grid is rescaled.')
    const items = all(page, '#items tbody tr').map((row) => all(row, 'th, td').map(textOf))
    expect(items).toEqual([['1', 'item one', '2', 'right', 'pass'], ['2', 'item two', '1', 'wrong on purpose', 'FAIL']])
    expect(textOf(page.querySelector('header'))).toContain('1 of 2 pass')
  })
})

describe('parlor report', () => {
  const RESULTS = [['league', LEAGUE], ['sweep', SWEEP], ['validation', VALIDATION]] as const

  async function committed(kind: string, value: object): Promise<string> {
    const generation = await Generation.begin(join(newFolder(), kind))
    writeFileSync(join(generation.folder, `${kind}.json`), JSON.stringify(value))
    generation.commit({ version: 1, kind })
    return generation.dir
  }

  it.each(RESULTS)('writes the page of the %s in the folder, which is a file of it from then on', async (kind, value) => {
    const dir = await committed(kind, value)
    const said: string[] = []
    expect(await writeReport(dir, { say: (line) => said.push(line) })).toBe(kind)
    expect(said).toEqual([])
    expect(readFileSync(join(dir, 'report.html'), 'utf8')).toBe(pages[kind])
    expect(readdirSync(dir).toSorted()).toEqual(['manifest.json', 'report.html', `${kind}.json`].toSorted())
    expect(Object.keys(readHead(dir)!.files!)).toContain('report.html')
  })

  it.each([
    ['is no JSON', () => '{', 'manifest.json: is no manifest: it was changed or cut off'],
    ['is a list', () => '[]', 'manifest.json: is no manifest: it was changed or cut off'],
    ['is null', () => 'null', 'manifest.json: is no manifest: it was changed or cut off'],
    ['has its list of files misspelt', (text: string) => text.replace('"files"', '"filez"'), 'manifest.json: names no files: it was changed'],
    ['has another value for files', (text: string) => text.replace(/"files": .*\}/s, '"files": ["sweep.json"] }'), 'manifest.json: names no files: it was changed'],
    ['names no files', (text: string) => text.replace(/"files": .*\}/s, '"files": {} }'), 'manifest.json: names no files: it was changed'],
    ['names another file alone', (text: string) => text.replace('"sweep.json"', '"manifest.json"').replace(/"sha256": "\w+"/, '"sha256": null'), 'sweep.json: manifest.json does not name it'],
    ['has no hash for it', (text: string) => text.replace(/"sha256": "\w+"/, '"sha256": null'), 'sweep.json: manifest.json does not name it'],
    ['is gone', () => null, 'manifest.json: is missing: it was removed, or an older version made the result'],
  ])('refuses a sweep whose manifest %s, whoever changed the sweep', async (_, change, message) => {
    const dir = await committed('sweep', SWEEP)
    const path = join(dir, 'manifest.json')
    const changed = change(readFileSync(path, 'utf8'))
    if (changed === null) rmSync(path)
    else writeFileSync(path, changed)
    writeFileSync(join(dir, 'sweep.json'), JSON.stringify({ ...SWEEP, name: 'another' }))
    const before = readdirSync(dir)
    for (const options of [{}, { out: join(newFolder(), 'page.html') }]) {
      const error = await writeReport(dir, options).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(DamagedResult)
      expect((error as Error).message).toBe(`${dir}/${message}`)
    }
    expect(readdirSync(dir)).toEqual(before)
  })

  it('refuses a folder that has nothing, and what it cannot read', async () => {
    const folder = newFolder()
    await expect(writeReport(folder)).rejects.toThrow(InputError)
    await expect(writeReport(await committed('sweep', { version: 1 }))).rejects.toThrow('not a result that this version of parlor can read')
    writeFileSync(join(folder, 'sweep.json'), '{')
    await expect(writePageBeside(folder)).rejects.toThrow('cannot be read as JSON')
    expect(await parlorHere(newFolder(), 'report', '.')).toMatchObject({ code: 2, err: expect.stringContaining('expected a folder with one of league.json') })
  })
})
