import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readStore } from '../../src/feed/store/readStore.ts'
import { writeStore } from '../../src/feed/store/writeStore.ts'
import { runReport } from '../../src/report/runReport.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { newFolder, put, QUICKSTART_STORE, SMALL } from '../scenario/small.ts'

/** Would leave the page, or run, wherever a browser took it for markup. */
const HOSTILE = `"'><img src=x onerror=alert(1)></script><meta http-equiv=refresh content=0;url=//x>`

it('names of a store and of a strategy file that are markup are text on the page of a run', async () => {
  const folder = newFolder()
  const { catalogue, ticks, report } = readStore(QUICKSTART_STORE)
  const markets = catalogue.markets.map((market) => ({
    ...market, ticker: `${market.ticker}${HOSTILE}`, title: HOSTILE, category: `${market.category}${HOSTILE}`, event: `${market.event}${HOSTILE}`, series: HOSTILE, game: market.game === '' ? '' : `${market.game}${HOSTILE}`,
  }))
  await writeStore(join(folder, 'prices'), { markets, ticks, report })
  // A file's name cannot have a slash.
  const file = `${HOSTILE.replaceAll('/', '').replaceAll('"', '')}.ts`
  mkdirSync(join(folder, 'makers'))
  writeFileSync(join(folder, 'makers', file), "import { maker } from 'parlor'\nexport default maker({}, () => ({ onRequest: (request, desk) => desk.quote(request, { probability: 0.5, validUs: 5_000_000 }) }), { about: '<img src=x>' })\n")
  const text = SMALL.replace(/store: [^,]*/, 'store: ./prices').replace('use: shade', `use: ${JSON.stringify(`./makers/${file}`)}, name: mine`)
  const loaded = loadScenario(put(folder, 'small.yaml', text))
  const { path } = await runScenario(loaded, await prepareScenario(loaded), { target: { path: join(folder, 'run'), numbered: false, force: false } })
  const page = await runReport(path)
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
  // In quotes a `<` begins nothing. Names are the only texts with quotes, which are escaped.
  const markup = page.replaceAll(/<(script|style)[^]*?<\/\1>/g, '').replaceAll(/"[^"]*"/g, '""')
  expect(markup).toContain('<table>')
  expect(markup).not.toMatch(/<img|<meta[^>]*refresh/)
  expect(JSON.parse(/<script type="application\/json" id="series">([^<]*)<\/script>/.exec(page)![1]!)).toHaveProperty('equity-chart')
  expect(readFileSync(join(path, 'manifest.json'), 'utf8')).toContain('onerror')
})
