import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { DAY_US } from '../../../src/unit/time.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { newKey, signTyped } from '../outcome/exchanges/bench.ts'
import { type Answered, callOnce, LockstepClient } from './lockstepClient.ts'
import { outcomeHandlers, outcomeWireClients, seatTerms, SUBSCRIBE } from './outcomeWirePlay.ts'
import { digestAgain, type PlayedMaker, playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'
import { WAYS } from './wirePlay.ts'

const MAKERS: readonly PlayedMaker[] = [{ name: 'a', use: 'fixed-margin', latency: WAYS.equal }, { name: 'b', use: 'fixed-margin', latency: WAYS.equal }]

interface Frame { readonly type: string; readonly event?: string }
const eventsOf = (frames: readonly string[]): string[] => frames.map((frame) => JSON.parse(frame) as Frame).map(({ type, event }) => event ?? type)

describe('a maker of the outcome service whose client leaves', () => {
  it('is told nothing more, and when it is back opens a socket on its seat’s new stream', async () => {
    const prepared = await preparedOf(scenarioOf(MAKERS, true, 20, 'outcome'))
    const patience = { end: () => {} }
    const told: [why: string, events: string[]][] = []
    let refusals: readonly string[] = []
    const { digest, rows, said } = await playedOutside(prepared, async (doors) => {
      const { url, controlUrl, served, credentials } = doors
      const [here] = await outcomeWireClients(prepared, MAKERS.slice(0, 1))(doors)
      const leaving: LockstepClient = await LockstepClient.connect({
        url, controlUrl, token: tokenOf(served.seats.find(({ name }) => name === 'b')!.account), ...seatTerms(credentials['b']!),
        whenLeft: () => { leaving.say({ frame: 'ready' }) },
        act: (turn, { frames }) => {
          told.push([turn.why, eventsOf(frames).filter((event) => event !== 'heartbeat')])
          if (told.length === 3) {
            setTimeout(() => { patience.end() }, 20)
            return null
          }
          if (turn.why !== 'joined') return []
          leaving.socketIn(turn, '/v1/stream')
          return null
        },
      })
      leaving.over.then(() => { refusals = leaving.refusals }, () => {})
      return [here!, leaving]
    }, { handlers: outcomeHandlers(prepared), patience })
    expect(said.at(-1)).toBe('the client of b is back')
    expect(told.slice(0, 3)).toEqual([['begin', ['snapshot']], ['onRequest', ['RFQ_CREATED']], ['onRequest', ['RFQ_CREATED']]])
    expect(told.slice(3, 5)).toEqual([['joined', []], ['answer', []]])
    expect(told[5]).toEqual(['onRequest', ['snapshot', 'RFQ_CREATED']])
    expect(told.length).toBeGreaterThan(10)
    expect(refusals).toEqual([])
    const left = rows.find(({ kind }) => kind === 'left')!
    // The upgrade is one call of the client, and nobody subscribes: the stream is the seat's.
    expect(rows.filter(({ op, account }) => account === left.account && (op === OutcomeOp.openStream || op === OutcomeOp.closeStream)).map(({ op, call }) => [op, call])).toEqual([[OutcomeOp.openStream, 1]])
    expect(digestAgain(prepared, rows)).toBe(digest)
  })
})

describe('a bettor of the outcome service', () => {
  it('needs two headers and no control channel; what its sockets subscribe to comes in with the first turn, and keeps no session going', async () => {
    const prepared = await preparedOf(scenarioOf(MAKERS.slice(0, 1), true, 20, 'outcome').replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n'))
    const statuses: number[] = []
    const frames: Record<string, string[]> = {}
    const { digest, rows, said, stoppedUs } = await playedOutside(prepared, async (doors) => {
      const { url, controlUrl, credentials } = doors
      const me = credentials['me']!
      const key = { authorization: `Bearer ${me['api_key']!}` }
      const token = tokenOf(doors.served.seats.find(({ name }) => name === 'me')!.account)
      const waits = { 'parlor-hold': '1', 'parlor-done': '1' }
      const refused = await callOnce(`${url}/v1/stream`, 'GET', '', { ...key, 'parlor-token': token, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' })
      expect([refused.status, JSON.parse(refused.body)]).toMatchObject([400, { error: { code: 'SUBPROTOCOL_REQUIRED' } }])
      const open = async (path: string, headers: Readonly<Record<string, string>>, first: string): Promise<void> => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, ['outcome-rfq.v1'], { headers: { ...headers, 'parlor-frame': first } })
        const heard: string[] = frames[path] = []
        socket.on('message', (data: Buffer) => { heard.push(data.toString()) })
        socket.on('close', (code, reason) => { heard.push(JSON.stringify({ type: `${code} ${reason.toString()}` })) })
        await new Promise((resolve, reject) => { socket.once('open', resolve).once('error', reject) })
      }
      const call = async (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}): Promise<Answered> => {
        const answer = await callOnce(`${url}${path}`, method, body === undefined ? '' : JSON.stringify(body), { ...key, ...waits, ...headers })
        statuses.push(answer.status)
        return answer
      }
      // oxlint-disable-next-line no-explicit-any
      const bodyOf = ({ body }: Answered): any => JSON.parse(body)
      const sleep = (atUs: number): Promise<Answered> =>
        callOnce(`${controlUrl.replace('ws', 'http')}/wake`, 'POST', JSON.stringify({ at_us: atUs }), { authorization: `Bearer ${token}`, ...waits })
      const [maker] = await outcomeWireClients(prepared, MAKERS.slice(0, 1))(doors)
      const ids = prepared.store.catalogue.markets.length
      expect(ids).toBeGreaterThan(1)
      await open('/v1/stream', key, SUBSCRIBE.replace(',"maker"', ''))
      const bets = async (): Promise<void> => {
        const listed = bodyOf(await call('GET', '/v1/markets?limit=200')).items.filter(({ status }: { status: string }) => status === 'LISTED')
        // A socket that is opened as time goes: the upgrade is a call, and the subscription comes in with the turn of its answer.
        await open('/v1/market-stream', { ...key, ...waits }, JSON.stringify({ type: 'subscribe', outcomes: [listed[0].outcome_id] }))
        // Time passes until there are prices.
        const first = await sleep(prepared.resolved.history.fromUs + 60_000_000)
        const rfq = bodyOf(await call('POST', '/v1/rfqs', { stake: '25000000', legs: [{ outcome_id: listed[0].outcome_id, side: 'YES' }] }, { 'idempotency-key': newKey() }))
        await sleep(Number(first.headers['parlor-at']) + 2_000_000)
        const { best_quote_id } = bodyOf(await call('GET', `/v1/rfqs/${rfq.rfq_id}`))
        const quote = bodyOf(await call('GET', `/v1/rfqs/${rfq.rfq_id}/quotes`)).items.find(({ quote_id }: { quote_id: string }) => quote_id === best_quote_id)
        const acceptance = newKey()
        const valid_after = Math.floor(prepared.resolved.history.fromUs / 1e6) + 61
        const domain = { name: 'Outcome-Market RFQ', version: '1', chainId: Number(me['chain_id']), verifyingContract: me['vault'] }
        const signature = signTyped(me['wallet_private_key']!, domain, 'Acceptance', {
          rfqId: rfq.rfq_id, quoteId: quote.quote_id, acceptanceId: acceptance, taker: me['account_id'], stake: rfq.stake, core: '0', payout: quote.payout,
          takerFeeBps: quote.taker_fee_bps, feeBps: quote.fee_bps, validAfter: valid_after, validBefore: valid_after + 300,
        })
        const accepted = bodyOf(await call('POST', `/v1/quotes/${quote.quote_id}/accept`, { valid_after, valid_before: valid_after + 300, signature }, { 'idempotency-key': acceptance }))
        expect(accepted.acceptance_id).toBe(acceptance)
        // It waits for ever.
        statuses.push((await sleep(prepared.resolved.history.toUs + 30 * DAY_US)).status)
      }
      return [maker!, { over: bets() }]
    }, { handlers: outcomeHandlers(prepared) })
    expect([said, stoppedUs]).toEqual([[], null])
    expect(statuses).toEqual([200, 201, 200, 200, 200, 503])
    expect(eventsOf(frames['/v1/stream']!).filter((event) => event !== 'heartbeat').slice(0, 3)).toEqual(['snapshot', 'QUOTE_CREATED', 'QUOTE_CREATED'])
    expect(eventsOf(frames['/v1/stream']!).at(-1)).toBe('1012 CONNECTION_DRAIN')
    expect(eventsOf(frames['/v1/market-stream']!)).toEqual(expect.arrayContaining(['prices', 'heartbeat', '1012 CONNECTION_DRAIN']))
    const upgrade = rows.find(({ op, call }) => op === OutcomeOp.openMarketStream && call !== undefined)!
    const answer = rows.find(({ kind, why, account, turn }) => kind === 'turn' && why === 'answer' && account === upgrade.account && turn! > upgrade.turn!)!
    const ofStream = rows.filter(({ op, call }) => call === undefined && (op === OutcomeOp.openStream || op === OutcomeOp.openMarketStream || op === OutcomeOp.closeStream))
    expect(ofStream.map(({ op, turn }) => [op, turn])).toEqual([
      [OutcomeOp.openStream, 1], [OutcomeOp.openMarketStream, answer.turn], [OutcomeOp.closeStream, undefined], [OutcomeOp.closeStream, undefined],
    ])
    expect(digestAgain(prepared, rows)).toBe(digest)
  })
})
