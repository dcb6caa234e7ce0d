// Plays scenarios/wire.yaml with a bettor and a maker as clients of `parlor serve --clock lockstep`, and prints what goes over the wire, in the
// session's order. Ids and hashes, which no two sessions share, have names.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { EventText } from '../../src/trade/eventText.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WIDTH = 140
/** Fields that say nothing in a tale. */
const LEFT_OUT = new Set([
  'input_legs', 'user_id', 'created_at', 'ended_at', 'subtitle', 'yes_sub_title', 'no_sub_title', 'bet_group', 'price_to_beat', 'volume', 'volume_24h', 'open_interest', 'venue_url',
  'series_title', 'event_sub_title', 'image_url', 'open_time', 'expiration_time',
])

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Fields = { readonly [name: string]: Json }
interface Line { readonly atUs: number; readonly who: string; readonly head: string; readonly body: Json | undefined }
interface Answered { readonly status: number; readonly body: Fields }
interface Turn {
  readonly frame: string
  readonly n: number
  readonly at_us: number
  readonly why: string
  readonly of?: { readonly turn: number; readonly call: number }
  readonly counts: Readonly<Record<string, number>>
}
/** What a client does in a turn: a call, or nothing until an instant. */
type Act = readonly [method: string, path: string, body?: Fields] | number
interface Told { readonly atUs: number; readonly why: string; readonly frames: readonly (readonly [path: string, text: string])[]; readonly answer: Answered | undefined }

const lines: Line[] = []
const names = new Map<string, string>()

/** Names texts that differ from session to session, by what they are of. */
function name(value: Json | undefined, as: string): string {
  const text = String(value)
  if (!names.has(text)) names.set(text, `<${as}>`)
  return text
}

const trimmed = (value: Json): Json => {
  if (Array.isArray(value)) return value.length > 2 ? [trimmed(value[0]!), '…'] : (value as readonly Json[]).map(trimmed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).filter(([field]) => !LEFT_OUT.has(field)).map(([field, one]) => [field, trimmed(one)]))
}

const named = (text: string): string => [...names].reduce((told, [id, as]) => told.replaceAll(id, as), text)

const tell = (atUs: number, who: string, head: string, body: Json | undefined): void => { lines.push({ atUs, who, head, body }) }

/** A body of several rows under its head, with names in place of ids. */
function text({ atUs, who, head, body }: Line): string {
  const told = body === undefined ? '' : named(JSON.stringify(trimmed(body))).replace(/,(?=["{])/g, ', ')
  const rows = told.match(new RegExp(`.{1,${WIDTH}}(?: |$)`, 'g')) ?? []
  return [`${new Date(atUs / 1000).toISOString().slice(11)}  ${who}  ${named(head)}`, ...rows.map((row) => `    ${row.trimEnd()}`)].join('\n')
}

function send(url: string, method: string, path: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}${path}`, { method, headers: { 'content-length': Buffer.byteLength(body), ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => { text += part })
      response.on('end', () => {
        resolve({ status: response.statusCode!, body: text === '' ? {} : JSON.parse(text) as Fields })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const at = (value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>((one, key) => (one as Record<string | number, Json> | null | undefined)?.[key], value)

interface Channel { readonly path: string; readonly frames: string[]; read: number }

/** A client that is told its turns on the control channel (docs/lockstep.md). */
class Client {
  private readonly who: string
  private readonly url: string
  private readonly headers: Readonly<Record<string, string>>
  private readonly control: WebSocket
  private readonly act: (told: Told) => readonly Act[]
  private readonly channels = new Map<string, Channel>()
  private readonly calls = new Map<string, Promise<Answered>>()
  private heard = (): void => {}

  constructor(who: string, { url, control, key, token }: { url: string; control: string; key: string; token: string }, act: (told: Told) => readonly Act[]) {
    this.who = who
    this.url = url
    this.headers = { 'x-api-key': key }
    this.act = act
    this.control = new WebSocket(control.replace('http', 'ws'), { headers: { authorization: `Bearer ${token}` } })
    this.control.on('error', () => {})
  }

  async begin(streams: readonly string[], sockets: readonly string[]): Promise<void> {
    await new Promise((resolve) => { this.control.once('open', resolve) })
    for (const path of streams) await this.openStream(path)
    for (const path of sockets) await this.openSocket(path)
    this.control.on('message', (data: Buffer) => {
      const turn = JSON.parse(data.toString()) as Turn
      if (turn.frame === 'turn') this.play(turn).catch((error: unknown) => { throw error })
    })
    this.control.send('{"frame":"ready"}')
  }

  private async openStream(path: string): Promise<void> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(`${this.url}${path}`, { headers: { ...this.headers, accept: 'text/event-stream' } }, resolve).on('error', reject).end()
    })
    const { frames } = this.channel(response.headers['parlor-channel'] as string, path)
    const events = new EventText((event) => { frames.push(event) })
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (part: string) => {
      events.take(part)
      this.heard()
    })
  }

  private async openSocket(path: string): Promise<void> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}${path}`, { headers: this.headers })
    socket.on('upgrade', ({ headers }) => {
      const { frames } = this.channel(headers['parlor-channel'] as string, path)
      socket.on('message', (data: Buffer) => {
        frames.push(data.toString())
        this.heard()
      })
    })
    socket.on('error', () => {})
    await new Promise((resolve, reject) => { socket.once('open', resolve).once('error', reject) })
  }

  private channel(number: string, path: string): Channel {
    const channel: Channel = { path, frames: [], read: 0 }
    this.channels.set(number, channel)
    return channel
  }

  private async play({ n, at_us: atUs, why, of, counts }: Turn): Promise<void> {
    const frames: [string, string][] = []
    for (const [number, count] of Object.entries(counts)) {
      const channel = this.channels.get(number)!
      while (channel.frames.length < count) await new Promise<void>((resolve) => { this.heard = resolve })
      for (; channel.read < count; channel.read++) frames.push([channel.path, channel.frames[channel.read]!])
    }
    const answer = why === 'answer' ? await this.calls.get(`${of!.turn} ${of!.call}`) : undefined
    const acts = this.act({ atUs, why, frames, answer })
    acts.forEach((act, i) => {
      if (typeof act === 'number') return this.control.send(JSON.stringify({ frame: 'wake', n, call: i + 1, at_us: act }))
      const [method, path, body] = act
      tell(atUs, this.who, `→ ${method} ${path}`, body)
      const call = send(this.url, method, path, body === undefined ? '' : JSON.stringify(body), { ...this.headers, 'parlor-turn': String(n), 'parlor-call': String(i + 1) })
      call.catch(() => {})
      this.calls.set(`${n} ${i + 1}`, call)
    })
    this.control.send(JSON.stringify({ frame: 'done', n, calls: acts.length }))
  }
}

/** The bettor waits for prices to come, asks, waits a second, and takes the best quote that its stream has told of. */
function bettor(over: () => void): (told: Told) => readonly Act[] {
  const legs = [{ market_ticker: 'ECON-CPI-1', side: 'no' }, { market_ticker: 'ECON-HOME-5', side: 'no' }]
  let id = ''
  const steps: readonly ((told: Told, body: Fields) => readonly Act[])[] = [
    ({ atUs }) => [atUs + 600_000_000],
    () => [['GET', '/markets?category=economics&markets_per_event=1&limit=1']],
    () => [['POST', '/v1/quote-requests', { legs, bet_amount: 25 }]],
    ({ atUs }, body) => {
      const made = at(body, 'data', 'quote_request') as Fields
      id = name(made['id'], 'request')
      name(made['request_hash'], 'hash')
      for (const i of [0, 1]) name(at(made, 'legs', i, 'id'), `leg ${i + 1}`)
      return [atUs + 1_000_000]
    },
    ({ atUs, frames }) => {
      const best = frames.map(([, text]) => JSON.parse(text.slice(text.indexOf('data: ') + 6)) as Fields).findLast(({ quote_id: quote }) => quote !== undefined)!
      name(best['quote_id'], 'best quote')
      tell(atUs, 'bettor', '← /v1/stream best_quote (the last of them)', best)
      return [['POST', `/v1/quote-requests/${id}/commit`, {
        expected_version: best['request_version']!, displayed_quote_id: best['quote_id']!, displayed_quote_book_seq: best['book_seq']!, min_payout_odds_seen: best['payout_odds']!,
      }]]
    },
    (_, body) => {
      name(at(body, 'data', 'rfq_id'), 'rfq')
      return [['GET', '/v1/portfolio']]
    },
    (_, body) => {
      name(at(body, 'data', 'balance', 'vault_pda'), 'vault')
      name(at(body, 'data', 'balance', 'vault_token_account'), 'token account')
      over()
      return []
    },
  ]
  let next = 0
  return (told) => {
    const { atUs, why, answer } = told
    if (!['begin', 'wake', 'answer'].includes(why)) return []
    const acts = steps[next++]?.(told, answer?.body ?? {}) ?? []
    if (answer !== undefined) tell(atUs, 'bettor', `← ${answer.status}`, at(answer.body, 'data') ?? answer.body)
    return acts
  }
}

/** The maker offers its own odds on whatever it hears of, and confirms. */
function maker({ atUs, frames, answer }: Told): readonly Act[] {
  if (answer !== undefined) tell(atUs, 'maker ', `← ${answer.status}`, at(answer.body, 'data') ?? answer.body)
  return frames.flatMap(([path, text]): Act[] => {
    const [, event, data] = /^id: \d+\nevent: (\w+)\ndata: ([^]*)$/.exec(text) ?? [undefined, undefined, text]
    const frame = JSON.parse(data!) as Fields
    const { data: selected, type = event! } = frame
    if (type === 'mm_quote:accepted') return []
    if (event === 'quote_request') {
      name(frame['id'], 'request')
      name(frame['request_hash'], 'hash')
    }
    tell(atUs, 'maker ', `← ${path} ${String(type)}`, selected ?? frame)
    if (event === 'quote_request') return [['PUT', `/v1/mm/quote-requests/${String(frame['id'])}/quote`, { request_version: frame['version']!, request_hash: frame['request_hash']!, payout_odds: 2.5 }]]
    if (type === 'quote:accepted') return [['POST', `/v1/mm/quote-requests/${String(at(selected, 'quote_request_id'))}/quote/confirm`, { quote_id: at(selected, 'quote_id')! }]]
    return []
  })
}

interface Credentials {
  readonly parlay: { readonly url: string; readonly seats: Readonly<Record<string, { readonly api_key: string; readonly control_token: string; readonly user_id: string }>> }
  readonly control: { readonly url: string }
}

const folder = mkdtempSync(join(tmpdir(), 'parlor-wire-'))
const keys = join(folder, 'keys.json')
const child = spawn(process.execPath, ['bin/parlor.mjs', 'serve', 'scenarios/wire.yaml', '--clock', 'lockstep', '--out', join(folder, 'run'), '--credentials', keys, '--no-report'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
const ended = once(child, 'exit')
try {
  while (!existsSync(keys)) {
    if (child.exitCode !== null) throw new Error(`parlor serve ended with ${child.exitCode}`)
    await sleep(50)
  }
  const { parlay: { url, seats }, control } = JSON.parse(readFileSync(keys, 'utf8')) as Credentials
  const seatOf = (seat: string) => ({ url, control: control.url, key: seats[seat]!.api_key, token: seats[seat]!.control_token })
  for (const [seat, { user_id: id }] of Object.entries(seats)) name(id, seat)
  await new Client('maker ', seatOf('our-maker'), maker).begin(['/v1/mm/stream'], ['/v1/ws'])
  await new Promise<void>((resolve) => { void new Client('bettor', seatOf('our-bettor'), bettor(resolve)).begin(['/v1/stream'], []) })
} finally {
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
// Sorting is stable: what is told at one instant stays in the order in which it was told.
for (const line of lines.toSorted((a, b) => a.atUs - b.atUs)) console.log(text(line))
