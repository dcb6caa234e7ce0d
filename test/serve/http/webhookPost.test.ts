import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebhookPost, type WebhookPostTerms } from '../../../src/serve/http/webhookPost.ts'
import { faultOfWebhookUrl } from '../../../src/serve/parlay/webhookUrl.ts'
import { selfSigned } from './selfSigned.ts'

const NAME = 'hooks.example.com'
const HEADERS = { 'content-type': 'application/json', 'X-Service-Event-Id': 'e1', 'X-Service-Signature': 't=1,v1=ab' } as never
const NEVER = new AbortController().signal

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })))
})

/** What came to an endpoint: connections, and calls that were read whole. */
interface Endpoint {
  readonly port: number
  connections: number
  readonly calls: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[]
}

type Reply = Parameters<RequestListener>[1]

async function endpoint(reply: (response: Reply) => void, tls?: ReturnType<typeof selfSigned>): Promise<Endpoint> {
  const seen: Omit<Endpoint, 'port'> = { connections: 0, calls: [] }
  const listen: RequestListener = (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => { body += part }).on('end', () => {
      seen.calls.push({ method: request.method!, path: request.url!, headers: request.headers, body })
      reply(response.setHeader('connection', 'close'))
    })
  }
  const server = tls === undefined ? createServer(listen) : createSecureServer(tls, listen)
  server.on('connection', () => { seen.connections++ })
  servers.push(server)
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  return Object.assign(seen, { port: (server.address() as AddressInfo).port })
}

const accepted = (response: Reply): void => { response.writeHead(204).end() }

/** A look-up that finds these addresses for every name, and which names it was asked for. */
function resolvingTo(...addresses: readonly string[]): { readonly asked: string[]; readonly lookup: WebhookPostTerms['lookup'] & {} } {
  const asked: string[] = []
  return {
    asked, lookup: (hostname, _, found) => {
      asked.push(hostname)
      found(null, addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
    },
  }
}

const attempt = (url: string) => ({ url, headers: HEADERS, body: '{"id":"e1"}' })

describe('a webhook that is POSTed', () => {
  it('PQ-235 goes to the address that its name has at the delivery, and to none that is private, whatever the URL looked like when it was set', async () => {
    const own = await endpoint(accepted)
    const url = `http://${NAME}:${own.port}/hook`
    expect(faultOfWebhookUrl(`https://${NAME}:${own.port}/hook`, { allowsLocal: false })).toBe(null)
    const resolving = resolvingTo('127.0.0.1')
    expect(await new WebhookPost(false, resolving).post(attempt(url), NEVER)).toBe(0)
    expect([own.connections, resolving.asked]).toEqual([0, [NAME]])
    // The same name, port and server are reached where local endpoints are allowed: only the address stood in the way.
    expect(await new WebhookPost(true, resolving).post(attempt(url), NEVER)).toBe(204)
    expect([own.connections, own.calls.length]).toEqual([1, 1])
  })

  it('PQ-235 is looked up at each delivery, and goes nowhere when all of several addresses are private', async () => {
    const own = await endpoint(accepted)
    const resolving = resolvingTo('10.0.0.1', '::1', '127.0.0.1')
    const post = new WebhookPost(false, resolving)
    for (let i = 0; i < 3; i++) expect(await post.post(attempt(`http://${NAME}:${own.port}/`), NEVER)).toBe(0)
    expect([own.connections, resolving.asked]).toEqual([0, [NAME, NAME, NAME]])
  })

  it.each(['127.0.0.1', '127.255.0.9', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '100.64.0.1', '::1', '::', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1'])(
    'PQ-235 goes nowhere when its name leads to %s', async (address) => {
      const own = await endpoint(accepted)
      const resolving = resolvingTo(address)
      expect(await new WebhookPost(false, resolving).post(attempt(`http://${NAME}:${own.port}/`), NEVER)).toBe(0)
      expect([own.connections, resolving.asked]).toEqual([0, [NAME]])
    },
  )

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])('PQ-235 goes nowhere when its URL has the address %s itself', async (host) => {
    const own = await endpoint(accepted)
    const resolving = resolvingTo('127.0.0.1')
    expect(await new WebhookPost(false, resolving).post(attempt(`http://${host}:${own.port}/`), NEVER)).toBe(0)
    expect([own.connections, resolving.asked]).toEqual([0, []])
  })

  it('goes over TLS to a server whose certificate is of its name and known, with headers and body as they were signed', async () => {
    const tls = selfSigned(NAME)
    const own = await endpoint(accepted, tls)
    const { lookup } = resolvingTo('127.0.0.1')
    expect(await new WebhookPost(true, { lookup, ca: tls.cert }).post(attempt(`https://${NAME}:${own.port}/a?b=c`), NEVER)).toBe(204)
    expect(own.calls).toMatchObject([{ method: 'POST', path: '/a?b=c', body: '{"id":"e1"}', headers: { host: `${NAME}:${own.port}`, 'x-service-event-id': 'e1', 'x-service-signature': 't=1,v1=ab' } }])
    // A certificate that nobody certifies, and one of another name.
    expect(await new WebhookPost(true, { lookup }).post(attempt(`https://${NAME}:${own.port}/`), NEVER)).toBe(0)
    expect(await new WebhookPost(true, { lookup, ca: tls.cert }).post(attempt(`https://other.example.com:${own.port}/`), NEVER)).toBe(0)
    expect(own.calls).toHaveLength(1)
  })

  it.each([301, 302, 307, 308])('is answered by a redirect of %i, which is not followed', async (status) => {
    const own = await endpoint((response) => { response.writeHead(status, { location: '/elsewhere' }).end() })
    expect(await new WebhookPost(true).post(attempt(`http://127.0.0.1:${own.port}/`), NEVER)).toBe(status)
    expect(own.calls.map(({ path }) => path)).toEqual(['/'])
  })

  it('has no answer when none has come until its time is over, nor where nobody listens', async () => {
    const over = new AbortController()
    // The time is over as soon as the endpoint has the call, to which it never says anything.
    const own = await endpoint(() => { over.abort() })
    expect(await new WebhookPost(true).post(attempt(`http://127.0.0.1:${own.port}/`), over.signal)).toBe(0)
    expect(own.calls).toHaveLength(1)
    const closed = await endpoint(accepted)
    await new Promise((resolve) => { servers.pop()!.close(resolve) })
    expect(await new WebhookPost(true).post(attempt(`http://127.0.0.1:${closed.port}/`), NEVER)).toBe(0)
  })

  it('does not wait longer than its time for a body without an end', async () => {
    const over = new AbortController()
    const own = await endpoint((response) => { response.writeHead(200).write('x', () => { over.abort() }) })
    expect([0, 200]).toContain(await new WebhookPost(true).post(attempt(`http://127.0.0.1:${own.port}/`), over.signal))
    expect(own.calls).toHaveLength(1)
  })
})
