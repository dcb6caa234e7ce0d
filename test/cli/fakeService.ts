import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'

const NOW_US = 5
const SEAT = { name: 'ours', role: 'maker', capital: 1, ended_profit: 0, feed_us: 0, way_us: null }
const REQUEST = { n: 0, at_us: NOW_US, what: 'onRequest', request: 'a', version: 1, expires_at_us: 9, bet: 1, net_stake: 1, best_odds: null, book_changes: null, legs: [] }

/** The parlay service as a maker's client by the wall's clock sees it: one request comes, and then the session is over. Returns the text of its credentials. */
export async function fakeService(): Promise<string> {
  let isOver = false
  const server = createServer(({ url }, response) => {
    if (url === '/v1/mm/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: quote_request\ndata: {"id":"a","version":1,"request_hash":"h"}\n\n')
      return
    }
    const isToldNow = /^\/desk\?from=0(&standing=true)?$/.test(url!)
    response.end(JSON.stringify({ now_us: NOW_US, next: isToldNow || url === '/desk?from=1' ? 1 : 0, has_more: false, is_over: isOver, seats: [SEAT], markets: 1, prices: [], told: isToldNow ? [REQUEST] : [] }))
    isOver ||= isToldNow
  }).listen(0, '127.0.0.1')
  const sockets = new WebSocketServer({ server, path: '/v1/ws' })
  await new Promise((resolve) => { server.once('listening', resolve) })
  onTestFinished(() => {
    sockets.close()
    server.close()
    server.closeAllConnections()
  })
  return JSON.stringify({ parlay: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seats: { ours: { role: 'maker', api_key: 'key' }, me: { role: 'bettor', api_key: 'key' } } } })
}
