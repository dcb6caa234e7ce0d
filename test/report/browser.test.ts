import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coveragePage } from '../../src/report/coveragePage.ts'
import { diffPage } from '../../src/report/diffPage.ts'
import { leagueReport } from '../../src/report/leagueReport.ts'
import { type AsyncApi, type OpenApi, referencePage } from '../../src/report/referencePage.ts'
import { listPage } from '../../src/report/listPage.ts'
import { runReport } from '../../src/report/runReport.ts'
import { sweepReport } from '../../src/report/sweepReport.ts'
import { validationReport } from '../../src/report/validationReport.ts'
import { outcomeDescription, outcomeFramesDescription } from '../../src/serve/outcome/description.ts'
import { parlayDescription, parlayFramesDescription } from '../../src/serve/parlay/description.ts'
import { newFolder } from '../scenario/small.ts'
import { shapes } from '../serve/parlay/profile.ts'
import { contrastsBelow, emptyFigures, hasColours } from './inPage.ts'
import { chromiumPath, COVERAGE, DIFFERENCE, LEAGUE, LISTED, picturedRun, SWEEP, SWEEP_GRID, VALIDATION } from './reports.ts'
import { PATIENCE_MS } from '../patience.ts'

const ARGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
]
const KINDS = ['run', 'league', 'sweep', 'grid', 'validation', 'store', 'comparison', 'list', 'parlay service', 'outcome service'] as const
type Kind = (typeof KINDS)[number]
const WIDTHS = [1280, 390] as const
const CHARTS = ['equity-chart', 'exposure-chart', 'positions-chart']

const executablePath = chromiumPath()
if (executablePath === undefined) process.stderr.write('SKIPPED: the pages of reports are not looked at, there is no Chromium\n')

describe.skipIf(executablePath === undefined)('in a browser', () => {
  let browser: Browser
  /** Counts colours: the policy of a report lets nothing be evaluated in its own page that needs an image. */
  let blank: Page
  const paths = {} as Record<Kind, string>

  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({ executablePath: executablePath!, args: ARGS, timeout: PATIENCE_MS })
    blank = await browser.newPage()
    const folder = newFolder()
    const pages: Record<Kind, string> = {
      run: await runReport(await picturedRun()), league: leagueReport(LEAGUE), sweep: sweepReport(SWEEP), grid: sweepReport(SWEEP_GRID), validation: validationReport(VALIDATION), store: coveragePage('made', COVERAGE), list: listPage('runs', LISTED), comparison: diffPage(DIFFERENCE, { a: 'runs/a', b: 'runs/<b>' }),
      'parlay service': referencePage(parlayDescription(shapes) as unknown as OpenApi, parlayFramesDescription(shapes) as unknown as AsyncApi),
      'outcome service': referencePage(outcomeDescription() as unknown as OpenApi, outcomeFramesDescription() as unknown as AsyncApi),
    }
    for (const kind of KINDS) {
      paths[kind] = join(folder, `${kind}.html`)
      writeFileSync(paths[kind], pages[kind])
    }
  })

  afterAll(async () => { await browser?.close() })

  /** Opens a page; complaints are of the console, of errors, of the policy and of requests to anything but the file. */
  async function open(kind: Kind, width: number = WIDTHS[0]): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: 'light' })
    page.setDefaultTimeout(PATIENCE_MS)
    const complaints: string[] = []
    const url = pathToFileURL(paths[kind]).href
    page.on('console', (message) => { complaints.push(`console: ${message.text()}`) })
    page.on('pageerror', (error) => { complaints.push(`error: ${error.message}`) })
    page.on('request', (request) => { if (request.url() !== url) complaints.push(`request: ${request.url()}`) })
    await page.addInitScript("addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))")
    await page.goto(url)
    await page.waitForLoadState('load')
    return { page, complaints }
  }

  const overflow = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  describe.each(KINDS)('the page of a %s', (kind) => {
    let opened: Awaited<ReturnType<typeof open>>
    beforeAll(async () => { opened = await open(kind) })
    afterAll(async () => { await opened.page.close() })

    const openDetails = (page: Page): Promise<unknown> => page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")

    it.each(WIDTHS)('opens without a complaint, %i pixels wide, and fits', async (width) => {
      const { page, complaints } = width === WIDTHS[0] ? opened : await open(kind, width)
      expect(await overflow(page)).toBe(0)
      await openDetails(page)
      expect(await overflow(page)).toBe(0)
      expect(await page.evaluate(emptyFigures)).toEqual([])
      expect(complaints).toEqual([])
      if (page !== opened.page) await page.close()
    })

    it.each(['light', 'dark'] as const)('can be read in a %s scheme: every text stands out by 4.5 at least', async (colorScheme) => {
      const { page, complaints } = opened
      await page.emulateMedia({ colorScheme })
      await openDetails(page)
      expect(await page.evaluate(contrastsBelow, 4.5)).toEqual([])
      const screenshot = await page.screenshot()
      expect(await blank.evaluate(hasColours, { base64: screenshot.toString('base64'), least: 41 })).toBe(true)
      expect(complaints).toEqual([])
    })

    it('is printed without its navigation, and black on white', async () => {
      const { page } = opened
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      expect(await page.isVisible('nav')).toBe(false)
      expect(await page.evaluate("[getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.querySelector('h2')).color]")).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
    })
  })

  it('a list of results is searched, sorted, and compares two runs', async () => {
    const { page, complaints } = await open('list')
    const names = (): Promise<string[]> => page.evaluate("[...document.querySelectorAll('#list tbody tr')].filter((row) => !row.hidden).map((row) => row.cells[2].textContent)")
    expect(await names()).toEqual(['run 10', 'run 9', 'league', 'broken'])
    await page.fill('#search', 'earned LEAG')
    expect(await names()).toEqual(['league'])
    expect(await page.textContent('#shown')).toBe('1 of 4')
    await page.fill('#search', '')
    await page.click('th button:text("result")')
    expect(await names()).toEqual(['broken', 'league', 'run 9', 'run 10'])
    await page.click('th button:text("made")')
    await page.click('th button:text("made")')
    expect(await names()).toEqual(['run 10', 'run 9', 'league', 'broken'])
    expect(await page.isVisible('#compare')).toBe(false)
    await page.check('input[name=a][value="run 9"]')
    await page.check('input[name=b][value="run 9"]')
    expect(await page.isVisible('#compare')).toBe(false)
    await page.check('input[name=b][value="run 10"]')
    expect(await page.getAttribute('#compare', 'href')).toBe('/compare?a=run%209&b=run%2010')
    expect(await page.isVisible('#compare')).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  describe.each(['run', 'league', 'sweep', 'grid', 'validation', 'store', 'comparison'] as const)('the pictures of a %s', (kind) => {
    const told = (page: Page): Promise<string | null> => page.evaluate("(() => { const tip = document.querySelector('.tip'); return tip === null || tip.hidden ? null : tip.textContent })()")

    it('say the values of their marks under the pointer, by touch and by keys, inside of the page', async () => {
      const { page, complaints } = await open(kind)
      // Of each picture the first mark that has a text, in the middle of what can be seen.
      const pictures = await page.locator('svg.plot[tabindex]').all()
      expect(pictures.length).toBeGreaterThan(0)
      expect(await page.locator('svg.plot:not([tabindex])').count()).toBe(0)
      for (const picture of pictures.slice(0, 4)) {
        await picture.scrollIntoViewIfNeeded()
        await picture.focus()
        expect(await told(page)).toBeNull()
        await page.keyboard.press('ArrowRight')
        const first = await told(page)
        expect(first).toMatch(/\d/)
        expect(await page.textContent('main > [aria-live]')).toBe(first)
        // The same mark under the pointer and by touch says the same, or what lies on it.
        const at = await page.evaluate<{ x: number; y: number }>("(() => { const { left, top, width, height } = document.querySelector('.shown').getBoundingClientRect(); return { x: left + width / 2, y: top + height / 2 } })()")
        await page.keyboard.press('Escape')
        expect(await told(page)).toBeNull()
        await page.mouse.move(at.x, at.y)
        expect(await told(page)).toMatch(/\d/)
        expect(await overflow(page)).toBe(0)
        await page.mouse.move(1, 1)
        expect(await told(page)).toBeNull()
        await picture.dispatchEvent('pointerdown', { clientX: at.x, clientY: at.y, pointerType: 'touch' })
        expect(await told(page)).toMatch(/\d/)
        await picture.blur()
        expect(await told(page)).toBeNull()
      }
      expect(complaints).toEqual([])
      await page.close()
    })
  })

  it('tables are sorted by a click and by a key, and say by which column', async () => {
    const { page, complaints } = await open('league')
    const column = (nth: number): Promise<string[]> => page.evaluate(`[...document.querySelectorAll('#table .league tbody tr')].map((row) => row.cells[${nth}].childNodes[0]?.textContent.trim() ?? '')`)
    const sorted = (): Promise<(string | null)[]> => page.evaluate("[...document.querySelectorAll('#table .league thead th')].map((head) => head.getAttribute('aria-sort'))")
    expect(await column(1)).toEqual(['502', '382', '–'])
    const head = page.locator('#table .league thead th').nth(1).locator('button')
    await head.click()
    await head.click()
    // What is unknown stays last.
    expect(await column(1)).toEqual(['382', '502', '–'])
    expect((await sorted()).slice(0, 3)).toEqual([null, 'ascending', null])
    await head.focus()
    await page.keyboard.press('Enter')
    expect(await column(1)).toEqual(['502', '382', '–'])
    expect((await sorted())[1]).toBe('descending')
    expect(await page.evaluate("document.querySelectorAll('#lead-plot th button').length")).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('durations are sorted by how long they are, and not by their first digits', async () => {
    const { page } = await open('store')
    const table = page.locator('table', { has: page.locator('caption', { hasText: 'Longest gaps of a market' }) })
    const lengths = (): Promise<string[]> => table.locator('tbody td:last-child').allTextContents()
    await table.locator('thead button').last().click()
    expect(await lengths()).toEqual(['2 h', '40 min'])
    await table.locator('thead button').last().click()
    expect(await lengths()).toEqual(['40 min', '2 h'])
    await page.close()
  })

  it('pictures and tables say the same without script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(pathToFileURL(paths.league).href)
    expect(await page.locator('#profit-plot svg title').first().textContent()).toBe('first: 502 (500 to 504)')
    expect(await page.locator('button').count()).toBe(0)
    await context.close()
  })

  it('offers over time are zoomed and moved by keys, buttons and the mouse, and marks outside are left out', async () => {
    const { page, complaints } = await open('run')
    const picture = page.locator('svg.plot[data-time]').first()
    const end = Number((await picture.getAttribute('data-time'))!.split(' ')[0])
    const shown = async (): Promise<number[]> => [Number(await picture.getAttribute('data-from')), Number(await picture.getAttribute('data-to'))]
    const labels = (): Promise<string[]> => picture.locator('g[data-tick] text').allTextContents()
    const linesLeft = (): Promise<number> => picture.locator('g[data-timed] line:not([display])').count()
    const ends = (): Promise<number[][]> => page.evaluate("[...document.querySelector('svg.plot[data-time]').querySelectorAll('g[data-timed] line')].map((line) => ['x1', 'x2'].map((name) => Number(line.getAttribute(name))))")
    const [whole, lines, atFirst] = [await labels(), await linesLeft(), await ends()]
    await picture.focus()
    await page.keyboard.press('+')
    expect(await shown()).toEqual([expect.closeTo(end / 4, 9), expect.closeTo((3 * end) / 4, 9)])
    await page.keyboard.press('Shift+ArrowRight')
    expect(await shown()).toEqual([expect.closeTo(0.35 * end, 9), expect.closeTo(0.85 * end, 9)])
    for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowRight')
    expect(await shown()).toEqual([expect.closeTo(end / 2, 9), expect.closeTo(end, 9)])
    // Every label lies in what is shown.
    for (const label of await labels()) expect(Number(label)).toBeGreaterThanOrEqual(end / 2)
    // Twice the scale, from the middle on: a line that began before is cut at the frame, and the signs of such beginnings are left out.
    const seen = await ends()
    expect(seen.some(([x1], i) => atFirst[i]![0]! < 234 && x1 === 50)).toBe(true)
    for (const [i, [x1, x2]] of seen.entries()) {
      const [from, to] = atFirst[i]!.map((x) => Math.min(418, Math.max(50, 50 + 2 * (x - 234))))
      expect([x1, x2]).toEqual([expect.closeTo(from!, 3), expect.closeTo(to!, 3)])
    }
    const signs = await page.evaluate<readonly number[]>("[...document.querySelectorAll('svg.plot[data-time]')[0].querySelectorAll('g[data-timed] > circle, g[data-timed] > path[transform^=translate]')].map((sign) => sign.getClientRects().length)")
    expect(signs).toContain(0)
    for (let i = 0; i < 12; i++) await page.keyboard.press('+')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate("document.querySelector('.tip').textContent")).toMatch(/\d/)
    const box = (await picture.boundingBox())!
    await page.keyboard.press('0')
    expect([await shown(), await labels(), await linesLeft()]).toEqual([[0, end], whole, lines])
    // From the middle of the frame to its right end.
    const at = (px: number): number => box.x + (px * box.width) / 440
    await page.mouse.move(at(234), box.y + 60)
    await page.mouse.down()
    await page.mouse.move(at(418), box.y + 60)
    await page.mouse.up()
    expect(await shown()).toEqual([expect.closeTo(end / 2, 1), expect.closeTo(end, 1)])
    await page.locator('figure', { has: picture }).first().locator('button[value=all]').click()
    expect(await shown()).toEqual([0, end])
    expect(await overflow(page)).toBe(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  describe('the long series', () => {
    const view = (page: Page, id: string): Promise<[number, number]> => page.evaluate(`(() => {
      const { from, to } = document.querySelector('[data-series=${id}] .canvas').dataset
      return [Number(from), Number(to)]
    })()`)
    const pixels = (page: Page, id: string): Promise<string> => page.evaluate(`document.querySelector('[data-series=${id}] canvas').toDataURL()`)

    it('are reached by Tab, after the link that skips to the report', async () => {
      const { page } = await open('run')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.className')).toBe('skip')
      const reached: string[] = []
      for (let presses = 0; presses < 400 && reached.length < CHARTS.length; presses++) {
        await page.keyboard.press('Tab')
        const chart = await page.evaluate("document.activeElement.className === 'canvas' ? document.activeElement.closest('[data-series]').dataset.series : ''") as string
        if (chart !== '') reached.push(chart)
      }
      expect(reached).toEqual(CHARTS)
      await page.close()
    })

    it('zoom, move and come back by keys and buttons, and never leave what there is', async () => {
      const { page, complaints } = await open('run')
      const [id] = CHARTS
      await page.focus(`[data-series=${id}] .canvas`)
      const [first, last] = await view(page, id!)
      const press = async (key: string): Promise<[number, number]> => {
        await page.keyboard.press(key)
        await page.evaluate('new Promise(requestAnimationFrame)')
        return view(page, id!)
      }
      const length = last - first
      const [from, to] = await press('+')
      expect([from - first, to - first].map((x) => x / length)).toEqual([expect.closeTo(0.25, 6), expect.closeTo(0.75, 6)])
      const right = await press('ArrowRight')
      expect(right.map((x) => (x - first) / length)).toEqual([expect.closeTo(0.35, 6), expect.closeTo(0.85, 6)])
      for (let i = 0; i < 5; i++) await press('ArrowRight')
      expect((await view(page, id!)).map((x) => (x - first) / length)).toEqual([expect.closeTo(0.5, 6), expect.closeTo(1, 6)])
      expect(await press('-')).toEqual([expect.closeTo(first, 3), expect.closeTo(last, 3)])
      await page.click(`[data-series=${id}] button[value=in]`)
      await page.evaluate('new Promise(requestAnimationFrame)')
      expect((await view(page, id!))[1]).toBeLessThan(last)
      await page.focus(`[data-series=${id}] .canvas`)
      expect(await press('0')).toEqual([first, last])
      expect(complaints).toEqual([])
      await page.close()
    })

    it('read sample by sample to who cannot see them', async () => {
      const { page } = await open('run')
      await page.focus('[data-series=positions-chart] .canvas')
      await page.keyboard.press('Shift+ArrowRight')
      const spoken = await page.textContent('[data-series=positions-chart] [aria-live]')
      expect(spoken).toMatch(/^2025-06-\d\d \d\d:\d\d:\d\d: plain \d+, careful \d+, shady \d+$/)
      expect(await page.$$eval('[data-series=positions-chart] .legend output', (outputs) => outputs.map((output) => output.textContent))).toEqual(spoken!.match(/ \d+(?=,|$)/g)!.map((text) => text.trim()))
      await page.close()
    })

    it('say values and the instant under the pointer', async () => {
      const { page } = await open('run')
      await page.locator('[data-series=equity-chart] .u-over').scrollIntoViewIfNeeded()
      await page.hover('[data-series=equity-chart] .u-over')
      await page.evaluate('new Promise(requestAnimationFrame)')
      expect(await page.textContent('[data-series=equity-chart] .at')).toMatch(/^at 2025-06-\d\d \d\d:\d\d:\d\d UTC$/)
      expect(await page.$$eval('[data-series=equity-chart] .legend output', (outputs) => outputs.every((output) => /\d/.test(output.textContent!)))).toBe(true)
      await page.close()
    })

    it('show another measure, leave a series out, and take the colours of the scheme', async () => {
      const { page } = await open('run')
      const [id] = CHARTS
      const seen = new Set([await pixels(page, id!)])
      const look = async (size: number): Promise<void> => {
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        seen.add(await pixels(page, id!))
        expect(seen.size).toBe(size)
      }
      await page.check(`[data-series=${id}] .views input[value="1"]`)
      await look(2)
      await page.uncheck(`[data-series=${id}] .legend input >> nth=0`)
      await look(3)
      await page.emulateMedia({ colorScheme: 'dark' })
      await look(4)
      await page.setViewportSize({ width: WIDTHS[1], height: 900 })
      // Asked from here: the page's own policy lets nothing be evaluated in it, which is what waitForFunction does from the second look on.
      await expect.poll(() => page.evaluate<number>(`document.querySelector('[data-series=${id}] canvas').clientWidth`), { timeout: PATIENCE_MS }).toBeLessThan(390)
      expect(await overflow(page)).toBe(0)
      await page.close()
    })
  })
})
