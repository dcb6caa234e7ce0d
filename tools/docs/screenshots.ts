// Photographs a run's report, and where they are named too a league's and the reference of a service as its port serves it:
// `node tools/docs/screenshots.ts runs/nyc-weather/report.html [LEAGUE/report.html [REFERENCE.html]]`. A page named `-` is left out.
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

/** Each page's picture, the first thing on it, and its height, pixels. */
const PICTURES = [['report-run', '#answer', 1290], ['report-league', 'body', 1300], ['reference', '#createQuoteRequest', 900]] as const
const WIDTH = 1200
const ABOVE = 20

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] })
for (const [i, [name, first, height]] of PICTURES.entries()) {
  const file = process.argv[2 + i]
  if (file === undefined || file === '-') continue
  const page = await browser.newPage({ viewport: { width: WIDTH, height }, colorScheme: 'light' })
  await page.goto(pathToFileURL(resolve(file)).href)
  await page.evaluate(`scrollTo(0, document.querySelector(${JSON.stringify(first)}).getBoundingClientRect().top - ${ABOVE})`)
  await page.waitForTimeout(200)
  const path = join(fileURLToPath(new URL('../../docs/pictures', import.meta.url)), `${name}.png`)
  await page.screenshot({ path })
  console.log(path)
}
await browser.close()
