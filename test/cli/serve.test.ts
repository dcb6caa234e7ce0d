import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readTable } from '../../src/arrow/tableReader.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { parlor, parlorHere, start } from './parlor.ts'
import { serve } from './serving.ts'

const LIVE = SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }').replace('until: 10m, max: 200', 'until: 50m')
  .replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC }\n')

/** Where the history of the scenario begins. */
const FROM_US = 1_750_372_200_000_000

const withScenario = (text = LIVE): string => {
  const folder = newFolder()
  put(folder, 'live.yaml', text)
  return folder
}

/** Serves the folder's scenario. */
const serving = (folder: string, ...args: string[]) => serve(folder, 'live.yaml', ...args)

describe('parlor serve', () => {
  it('PQ-013 lets a client trade over HTTP until it is ended, and leaves a run that is verified, without a secret', async () => {
    const folder = withScenario()
    const { ended, path, credentials: { pid, shift_us, parlay: { url, seats } } } = await serving(folder, '--json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(Object.entries(seats).map(([name, { role }]) => [name, role])).toEqual([['ours', 'maker']])
    const key = seats['ours']!.api_key
    const answer = await fetch(`${url}/v1/portfolio`, { headers: { 'x-api-key': key } })
    expect([answer.status, Number(answer.headers.get('parlor-at')) > 0]).toEqual([200, true])
    // Once the first date has come, the instant of the session is that at which the call was read, on the wall's clock.
    await sleep(Math.max(0, (FROM_US + shift_us) / 1000 - Date.now()))
    const sentMs = Date.now()
    const atMs = Number((await fetch(`${url}/v1/portfolio`, { headers: { 'x-api-key': key } })).headers.get('parlor-at')) / 1000
    // Both clocks of the machine may go apart by a little.
    expect([atMs >= sentMs - 50, atMs <= Date.now() + 50]).toEqual([true, true])
    expect((await fetch(`${url}/v1/portfolio`)).status).toBe(401)
    // As the web dashboard comes (PQ-261): its token may make keys.
    const asked = { method: 'POST', headers: { authorization: `Bearer ${seats['ours']!.jwt}` }, body: JSON.stringify({ scopes: ['balances:read'] }) }
    expect((await fetch(`${url}/v1/api-keys`, asked)).status).toBe(201)
    expect((await fetch(`${url}/v1/api-keys`, { ...asked, headers: { authorization: `Bearer ${seats['ours']!.jwt.slice(0, -2)}` } })).status).toBe(401)
    // Prices as the seat sees them stand beside the service.
    const told = await (await fetch(`${url}/prices`, { headers: { 'x-api-key': key } })).json() as { prices: { market: string; yes_ask: number | null }[] }
    expect([told.prices.length > 0, told.prices.some(({ yes_ask }) => yes_ask !== null), (await fetch(`${url}/prices`)).status]).toEqual([true, true, 401])
    // The port describes the service, to programs and to people.
    const openApi = await (await fetch(`${url}/openapi.json`)).json() as { openapi: string; paths: object }
    expect([openApi.openapi, Object.keys(openApi.paths).includes('/v1/quote-requests')]).toEqual(['3.1.0', true])
    expect(await (await fetch(`${url}/asyncapi.json`)).json()).toMatchObject({ asyncapi: '3.0.0', channels: { openSocket: { address: '/v1/ws' } } })
    expect(await (await fetch(`${url}/reference`)).text()).toContain('POST /v1/quote-requests')
    // A stream is open when the session is ended.
    const stream = await fetch(`${url}/v1/mm/stream`, { headers: { 'x-api-key': key, accept: 'text/event-stream' } })
    // As a script ends it, which knows no process but that one.
    process.kill(pid, 'SIGTERM')
    await stream.text().catch(() => '')
    const { code, out, err } = await ended
    expect({ code, err: err.includes('error') }).toEqual({ code: 0, err: false })
    expect(existsSync(path)).toBe(false)
    const lines = out.split(/(?<=^\})\n/m).filter((text) => text.trim() !== '').map((text) => JSON.parse(text) as Record<string, unknown>)
    expect(lines).toMatchObject([
      { services: { parlay: url }, seats: [{ service: 'parlay', role: 'maker', name: 'ours' }], pid }, { served: { clock: 'wall', speed: 1, stoppedUs: expect.any(Number) as number } },
    ])
    const verified = await parlorHere(folder, 'verify', 'run')
    expect(verified).toMatchObject({ code: 0 })
    expect(verified.out).toContain('same  table external')
    for (const file of ['manifest.json', 'summary.json', 'tables/external.arrow', 'tables/journal.arrow']) expect(readFileSync(join(folder, 'run', file)).includes(key)).toBe(false)
    for (const secret of [key, seats['ours']!.jwt]) expect(out + err).not.toContain(secret)
  })

  it('PQ-011 writes down what a bettor’s account quotes, as a maker’s', async () => {
    const folder = withScenario(LIVE.replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n'))
    const { child, ended, credentials: { parlay: { url, seats } } } = await serving(folder, '--json', '--speed', '15')
    const headers = { authorization: `Bearer ${seats['me']!.jwt}` }
    const stream = await fetch(`${url}/v1/mm/stream`, { headers: { ...headers, accept: 'text/event-stream' } })
    let [text, status] = ['', 0]
    for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + part).split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = /^event: quote_request\ndata: (.*)$/m.exec(event)?.[1]
        if (data === undefined) continue
        const { id, version, request_hash } = JSON.parse(data) as { id: string; version: number; request_hash: string }
        const body = JSON.stringify({ request_version: version, request_hash, payout_odds: 1.5 })
        // A request may be over by now, which is 409.
        if (status !== 200) ({ status } = await fetch(`${url}/v1/mm/quote-requests/${id}/quote`, { method: 'PUT', headers, body }))
      }
      if (status === 200) break
    }
    expect(status).toBe(200)
    child.kill('SIGTERM')
    const { code, err } = await ended
    expect({ code, err: err.includes('Bug') }).toEqual({ code: 0, err: false })
    // No simulated maker asks for these odds of every request.
    expect([...readTable(join(folder, 'run', 'tables', 'quotes.arrow')).numbers('quoted_odds_e4', 'oddsE4')]).toContain(15_000)
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('PQ-353 drains on SIGTERM: a commit that waits for its maker is answered, streams and sockets are closed, and the run is verified', async () => {
    const folder = withScenario(LIVE.replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n'))
    // Slowly, since a maker has a few seconds of virtual time to confirm.
    const { child, ended, credentials: { parlay: { url, seats } } } = await serving(folder, '--json', '--speed', '0.1')
    const headersOf = (seat: string): Record<string, string> => ({ 'x-api-key': seats[seat]!.api_key })
    const call = (seat: string, method: string, path: string, body?: object) => fetch(`${url}${path}`, { method, headers: headersOf(seat), ...(body !== undefined && { body: JSON.stringify(body) }) })
    const made = async <T>(answer: Promise<Response>): Promise<T> => {
      const { status, body } = await answer.then(async (one) => ({ status: one.status, body: await one.json() as { data: T } }))
      if (status >= 300) throw new Error(JSON.stringify(body))
      return body.data
    }
    const stream = await fetch(`${url}/v1/mm/stream`, { headers: { ...headersOf('ours'), accept: 'text/event-stream' } })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`)
    const closed = once(socket, 'close') as Promise<[number, Buffer]>
    const accepted = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => { if ((JSON.parse(data.toString()) as { type: string }).type === 'quote:accepted') resolve() })
    })
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'auth', api_key: seats['ours']!.api_key }))
    // The service lists markets some virtual milliseconds after the session began.
    let tickers: string[] = []
    for (; tickers.length < 2; await sleep(500)) {
      const { events } = await made<{ events: { markets: { ticker: string; yes_ask: number | null }[] }[] }>(call('me', 'GET', '/v1/markets'))
      tickers = events.flatMap(({ markets }) => markets.find(({ yes_ask }) => yes_ask !== null)?.ticker ?? [])
    }
    const { quote_request: { id, version, request_hash } } = await made<{ quote_request: { id: string; version: number; request_hash: string } }>(
      call('me', 'POST', '/v1/quote-requests', { legs: tickers.slice(0, 2).map((ticker) => ({ market_ticker: ticker, side: 'yes' })), bet_amount: 5 }))
    // No other maker gives as much.
    const quote = await made<{ id: string }>(call('ours', 'PUT', `/v1/mm/quote-requests/${id}/quote`, { request_version: version, request_hash, payout_odds: 200 }))
    const committing = call('me', 'POST', `/v1/quote-requests/${id}/commit`, { expected_version: version, displayed_quote_id: quote.id, displayed_quote_book_seq: 1, min_payout_odds_seen: 1.0001 })
    await accepted
    child.kill('SIGTERM')
    const answer = await committing
    expect([answer.status, (await answer.json() as { error: { code: string } }).error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const [code, reason] = await closed
    expect([code, reason.toString()]).toEqual([1001, 'session over'])
    // The stream ends as a whole: one that is cut off throws.
    expect(await stream.text()).toContain('event: quote_request')
    expect(await ended).toMatchObject({ code: 0 })
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('leaves a run that is reconciled with a chain as far as it was played', async () => {
    const folder = withScenario(LIVE.replace('n: 100, every: 10m', 'n: 16, every: 2m').replace('n: 20, every: 10m', 'n: 6, every: 2m'))
    const { child, ended, credentials: { parlay: { url, seats } } } = await serving(folder, '--speed', '100')
    const stream = await fetch(`${url}/v1/mm/stream`, { headers: { 'x-api-key': seats['ours']!.api_key, accept: 'text/event-stream' } })
    // It is stopped once bettors have come, with positions that are open.
    let text = ''
    for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += part
      if (text.split('event: quote_request').length > 5) break
    }
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
    const { code, out } = await parlorHere(folder, 'reconcile', 'run', '--quiet')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^svm {2}reconciled: .*, 0 differences\n$/) as string })
  })

  it('says what it means to listen at anything but loopback, and nothing at loopback', async () => {
    const toldAt = async (host: string): Promise<string> => {
      const { child, ended, credentials: { parlay: { url } } } = await serving(withScenario(), '--host', host)
      expect((await fetch(`http://127.0.0.1:${new URL(url).port}/openapi.json`)).status).toBe(200)
      child.kill('SIGTERM')
      const { code, err } = await ended
      expect(code).toBe(0)
      return err
    }
    const meaning = 'listening at 0.0.0.0: every machine that reaches this one can call the services, over plain HTTP, and whoever reads a credential on its way can use it'
    expect([await toldAt('0.0.0.0'), await toldAt('127.0.0.1')]).toEqual([expect.stringContaining(meaning), expect.not.stringContaining('listening at')])
  })

  it('leaves nothing that looks complete when it is killed, but for credentials, which the next session replaces and removes', async () => {
    const folder = withScenario()
    const { child, ended, path, credentials } = await serving(folder)
    child.kill('SIGKILL')
    await ended
    expect(existsSync(join(folder, 'run', 'manifest.json'))).toBe(false)
    expect(await parlor(folder, 'verify', 'run')).toMatchObject({ code: 2 })
    const left = readFileSync(path, 'utf8')
    expect(JSON.parse(left)).toEqual(credentials)
    const next = start(folder, ['serve', 'live.yaml', '--out', 'next', '--credentials', path, '--no-report'])
    while (readFileSync(path, 'utf8') === left) await sleep(50)
    expect(readFileSync(path, 'utf8')).not.toContain(credentials.parlay.seats['ours']!.api_key)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    next.child.kill('SIGTERM')
    expect(await next.ended).toMatchObject({ code: 0 })
    expect(existsSync(path)).toBe(false)
  })

  it('ends, with its run, where its credentials can no longer be read', async () => {
    const folder = withScenario()
    const { child, ended, path } = await serving(folder)
    rmSync(path)
    mkdirSync(path)
    child.kill('SIGTERM')
    const { code, err } = await ended
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/the credentials could not be removed: \S*: EISDIR/) })
    expect(existsSync(join(folder, 'run', 'manifest.json'))).toBe(true)
  })

  it('ends with nothing left where the credentials cannot be written: nobody could come', async () => {
    const folder = withScenario()
    mkdirSync(join(folder, 'keys.json'))
    const { code, err } = await parlorHere(folder, 'serve', 'live.yaml', '--out', 'run', '--credentials', 'keys.json', '--no-report')
    expect({ code, err }).toEqual({ code: 2, err: 'keys.json: is a folder\n  hint: expected the path of a file\n' })
    expect(readdirSync(folder).toSorted()).toEqual(['keys.json', 'live.yaml'])
  })

  it('says what cannot be served', async () => {
    const served = async (text: string, ...args: string[]) => {
      const { code, err } = await parlorHere(withScenario(text), 'serve', 'live.yaml', '--out', 'run', ...args)
      expect(code).toBe(2)
      return err
    }
    expect(await served(SMALL)).toContain('clients call a service behind its gate, and the scenario has none')
    expect(await served(SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }'))).toContain('no seat is a client\'s')
    expect(await served(LIVE, '--speed', '0')).toContain('expected a --speed above 0, up to 1000, got 0')
    expect(await served(LIVE, '--shift', 'then')).toContain('expected --shift now or none, got then')
    expect(await served(LIVE, '--port', '65536')).toContain('expected a --port up to 65535, got 65536')
    // What stands at the credentials' path is nobody's business until there are any.
    const folder = withScenario(LIVE)
    put(folder, 'mine.json', 'mine')
    expect(await parlorHere(folder, 'serve', 'live.yaml', '--out', 'run', '--credentials', 'mine.json', '--port', '65536')).toMatchObject({ code: 2 })
    expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('mine')
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => { taken.on('listening', resolve) })
    const { port } = taken.address() as AddressInfo
    expect(await served(LIVE, '--port', String(port))).toContain(`cannot listen at 127.0.0.1:${port} (EADDRINUSE)`)
    expect(await parlorHere(folder, 'serve', 'live.yaml', '--out', 'run', '--credentials', 'mine.json', '--port', String(port))).toMatchObject({ code: 2 })
    expect(readFileSync(join(folder, 'mine.json'), 'utf8')).toBe('mine')
    taken.close()
  })
})
