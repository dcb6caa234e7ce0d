import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contrastsBelow } from '../report/inPage.ts'
import { chromiumPath } from '../report/reports.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { parlorHere } from './parlor.ts'
import { serve } from './serving.ts'
import { PATIENCE_MS } from '../patience.ts'

const LIVE = SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }').replace('until: 10m, max: 200', 'until: 50m')
  .replace('count: 2 }\n', 'count: 2 }\n  - { external: true, name: ours, capital: 50000 USDC }\n')
const WAIT = { timeout: PATIENCE_MS }

const executablePath = chromiumPath()
if (executablePath === undefined) process.stderr.write('SKIPPED: the page of a session is not looked at, there is no Chromium\n')

describe.skipIf(executablePath === undefined)('the page of a session, in a browser', () => {
  let browser: Browser

  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'], timeout: PATIENCE_MS })
  })
  afterAll(async () => { await browser?.close() })

  /** Complaints are of the console, of errors, of the policy, and of requests to anything but the port. */
  async function open(url: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
    page.setDefaultTimeout(PATIENCE_MS)
    const complaints: string[] = []
    page.on('console', (message) => { complaints.push(`console: ${message.text()}`) })
    page.on('pageerror', (error) => { complaints.push(`error: ${error.message}`) })
    page.on('request', (request) => { if (!request.url().startsWith(new URL(url).origin)) complaints.push(`request: ${request.url()}`) })
    await page.addInitScript("addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))")
    await page.goto(url)
    return { page, complaints }
  }

  const textOf = (page: Page, id: string): Promise<string> => page.evaluate(`document.getElementById('${id}').textContent`)
  /** Texts of cells, row by row. */
  const rowsOf = (page: Page, section: string): Promise<string[][]> =>
    page.evaluate(`[...document.querySelectorAll('#${section} tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))`)
  const overflow = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  it('shows requests as they come, the book of one that is opened, and makers, to who has the link, and changes nothing in the session', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE)
    const { child, ended, credentials: { parlay: { url, live, seats } } } = await serve(folder, 'live.yaml', '--speed', '5')
    const { page, complaints } = await open(live)
    await expect.poll(() => rowsOf(page, 'requests').then((rows) => rows.filter(([came]) => /^\d\d:\d\d:\d\d$/.test(came!)).length), WAIT).toBeGreaterThan(0)
    expect(await textOf(page, 'link')).toBe('is live')
    expect(await textOf(page, 'clock')).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(await textOf(page, 'pace')).toBe("the wall's clock, 5 times as fast")
    // One that came since, and on which all three have quoted, is opened.
    const quoted = "[...document.querySelectorAll('#requests tbody tr')].find((row) => row.cells[3].innerText === '3' && row.cells[0].innerText !== 'earlier')?.dataset.key ?? ''"
    await expect.poll(() => page.evaluate(quoted), WAIT).not.toBe('')
    await page.click(`#requests tr[data-key="${await page.evaluate<string>(quoted)}"] button`)
    await expect.poll(() => rowsOf(page, 'book').then((rows) => rows.length), WAIT).toBe(3)
    expect((await rowsOf(page, 'book')).map(([maker]) => maker!.replace(/ best$/, '')).toSorted()).toEqual(['fixed-margin', 'shade', 'shade-2'])
    // It is still known when it came.
    expect(await textOf(page, 'book-title')).toMatch(/^Book of the request of \d\d:\d\d:\d\d$/)
    expect(await textOf(page, 'book-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await rowsOf(page, 'makers')).map(([maker]) => maker)).toEqual(['fixed-margin', 'shade', 'shade-2', 'ours client'])
    // A list that is held stays as it is, while time goes on.
    await page.click('#hold')
    const held = (await rowsOf(page, 'requests')).map(([came]) => came)
    const clock = await textOf(page, 'clock')
    await expect.poll(() => textOf(page, 'clock'), WAIT).not.toBe(clock)
    expect((await rowsOf(page, 'requests')).map(([came]) => came)).toEqual(held)
    await page.click('#hold')
    for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [390, 'dark']] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      expect(await overflow(page)).toBe(0)
      expect(await page.evaluate(contrastsBelow, 4.5)).toEqual([])
    }
    // Without the token of the session there is nothing to see, and no page holds it.
    const token = live.split('#')[1]!
    const closed = await open(`${url}/#another`)
    await expect.poll(() => textOf(closed.page, 'link'), WAIT).toBe('closed')
    expect([await rowsOf(closed.page, 'requests'), await rowsOf(closed.page, 'makers')]).toEqual([[], []])
    for (const path of ['/', '/live.js', '/live.css', '/reference']) expect(await (await fetch(url + path)).text()).not.toContain(token)
    expect((await fetch(`${url}/live`, { headers: { authorization: `Bearer ${seats['ours']!.api_key}` } })).status).toBe(401)
    const { headers } = await fetch(url)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    child.kill('SIGTERM')
    await expect.poll(() => textOf(page, 'link'), WAIT).toBe('the session is over')
    const { code, out, err } = await ended
    expect([code, (out + err).includes(token)]).toEqual([0, false])
    expect(readFileSync(join(folder, 'run', 'manifest.json'), 'utf8')).not.toContain(token)
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
    expect(complaints).toEqual([])
    await Promise.all([page.close(), closed.page.close()])
  })
})
