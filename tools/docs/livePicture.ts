// Serves scenarios/live.yaml with the maker of examples/ in it, and photographs the page of the session with the book of a request that has
// quotes: `node tools/docs/livePicture.ts`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PICTURE = join(ROOT, 'docs', 'pictures', 'live.png')
const VIEW = { width: 1200, height: 950 }
const SPEED = 10
/** Positions and profits have come together by then, ms. */
const PLAYED_MS = 45_000

const folder = mkdtempSync(join(tmpdir(), 'parlor-live-'))
const keys = join(folder, 'keys.json')
const run = (...args: string[]) => spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
const serving = run('bin/parlor.mjs', 'serve', 'scenarios/live.yaml', '--speed', String(SPEED), '--shift', 'none', '--out', join(folder, 'run'), '--credentials', keys, '--no-report')
while (!existsSync(keys)) await sleep(50)
const { parlay } = JSON.parse(readFileSync(keys, 'utf8')) as { parlay: { live: string } }
const maker = run('examples/maker.ts', keys, 'our-maker')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: VIEW, colorScheme: 'light' })
await page.goto(parlay.live)
await sleep(PLAYED_MS)
/** The newest request on which three makers have quoted, as a selector; empty where its quotes are over. */
const QUOTED = `(() => {
  const row = [...document.querySelectorAll('#requests tbody tr')].find((row) => row.cells[3].textContent === '3')
  return row === undefined || row.cells[4].textContent === '–' ? '' : '#requests tr[data-key="' + row.dataset.key + '"] button'
})()`
for (let selector = ''; ; await sleep(100)) {
  selector = await page.evaluate(QUOTED)
  if (selector === '') continue
  await page.click(selector)
  await page.mouse.move(0, 0)
  await sleep(400)
  const live: number = await page.evaluate("[...document.querySelectorAll('#book tbody tr')].filter((row) => !row.classList.contains('ended')).length")
  if (live === 3) break
  await page.click(selector).catch(() => {})
}
await page.screenshot({ path: PICTURE })
await browser.close()
maker.kill()
serving.kill()
await once(serving, 'exit')
rmSync(folder, { recursive: true, force: true })
console.log(PICTURE)
