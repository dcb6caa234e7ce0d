// The HTTP server of `parlor serve`, with the answer to a quote as a constant body. It prints its URL.
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'

const BODY = JSON.stringify({
  success: true,
  data: { id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', quote_request_id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c', mm_id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5d', request_version: 1, status: 'live', payout_odds: 2.5, created_at: '2025-06-19T22:30:00.000Z', expires_at: '2025-06-19T22:30:15.000Z' },
})
const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => { done(null, body) })
app.all('/*', (_request, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) })
  reply.raw.end(BODY)
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
