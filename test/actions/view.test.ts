import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { run } from '../../src/actions/run.ts'
import { view, type View } from '../../src/actions/view.ts'
import { listResults } from '../../src/report/resultList.ts'
import { newFolder } from '../scenario/small.ts'
import { OBJECT } from './small.ts'

const SHORT = { ...OBJECT, arrivals: { until: '10m', max: 40 } }

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** A request as it is written: `fetch` would tidy its path and its host. */
function ask(url: string, path: string, { host, method = 'GET' }: { readonly host?: string; readonly method?: string } = {}): Promise<Answer> {
  const { hostname, port, host: own } = new URL(url)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers: { host: host ?? own } }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => { body += text }).on('end', () => { resolve({ status: response.statusCode!, type: response.headers['content-type']!, body }) })
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('a folder of results', () => {
  const folder = newFolder()
  let pages: View

  beforeAll(async () => {
    await run(loadScenario(SHORT), { out: join(folder, 'first'), report: true })
    await run(loadScenario({ ...SHORT, seed: 2 }), { out: join(folder, 'an <other> & one'), report: false })
    cpSync(join(folder, 'first'), join(folder, 'damaged'), { recursive: true })
    writeFileSync(join(folder, 'damaged', 'summary.json'), '{')
    mkdirSync(join(folder, 'no result'))
    writeFileSync(join(folder, 'secret'), 'secret')
    for (const [i, name] of ['first', 'an <other> & one', 'damaged'].entries()) utimesSync(join(folder, name, 'manifest.json'), 1e9 + i, 1e9 + i)
    pages = await view(folder)
  })
  afterAll(async () => {
    await pages.close()
    rmSync(folder, { recursive: true })
  })

  it('is listed with the newest first, and says what each result says', () => {
    const results = listResults(folder)
    expect(results.map(({ name, kind, madeMs, seed, isDamaged }) => [name, kind, madeMs, seed, isDamaged])).toEqual([
      ['damaged', 'run', 1_000_000_002_000, null, true], ['an <other> & one', 'run', 1_000_000_001_000, '2', false], ['first', 'run', 1_000_000_000_000, '1', false],
    ])
    expect(results[2]!.digest).toBe((JSON.parse(readFileSync(join(folder, 'first', 'manifest.json'), 'utf8')) as { digest: string }).digest)
    expect(results[2]!.says).toMatch(/^(No maker had a fill\.|\S+ (earned|lost))/)
  })

  it('has a page with a link to each result that is whole', async () => {
    const { status, type, body } = await ask(pages.url, '/')
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
    expect([...body.matchAll(/href="(\/result\/[^"]*)"/g)].map(([, href]) => href)).toEqual(['/result/an%20%3Cother%3E%20%26%20one', '/result/first'])
    expect(body).not.toContain('<other>')
  })

  it('has the page of a result as it lies there, and makes one that does not', async () => {
    expect((await ask(pages.url, '/result/first')).body).toBe(readFileSync(join(folder, 'first', 'report.html'), 'utf8'))
    const made = await ask(pages.url, '/result/an%20%3Cother%3E%20%26%20one')
    expect([made.status, made.body]).toEqual([200, expect.stringContaining('<h2 id="answer-title">Answer</h2>')])
  })

  it('compares two runs', async () => {
    const { status, body } = await ask(pages.url, `/compare?a=first&b=${encodeURIComponent('an <other> & one')}`)
    expect([status, body]).toEqual([200, expect.stringContaining('<h1>an &lt;other&gt; &amp; one less first</h1>')])
  })

  it.each([
    ['another host', '/', { host: 'evil.example' }, 403], ['the name of this machine at another port', '/', { host: '127.0.0.1:1' }, 403], ['a change', '/', { method: 'POST' }, 405],
    ['a file beside the results', '/result/secret', {}, 404], ['a folder above', '/result/..%2F..', {}, 404], ['a path above', '/result/../secret', {}, 404], ['a damaged result', '/result/damaged', {}, 404],
    ['a run and nothing', '/compare?a=first', {}, 404], ['a run and a damaged one', '/compare?a=first&b=secret', {}, 404], ['a page that is none', '/first', {}, 404],
  ])('gives nothing to %s', async (_, path, more, status) => {
    const answer = await ask(pages.url, path, more)
    expect([answer.status, answer.type]).toEqual([status, 'text/plain; charset=utf-8'])
    expect(answer.body).not.toContain('secret\n')
  })

  it('that is not there is a mistake, and so is a port that is taken', async () => {
    await expect(view(join(folder, 'nothing'))).rejects.toMatchObject({ name: 'InputError', message: 'no such folder' })
    const port = Number(new URL(pages.url).port)
    await expect(view(folder, { port })).rejects.toMatchObject({ name: 'InputError', message: `port ${port} is taken` })
  })
})
