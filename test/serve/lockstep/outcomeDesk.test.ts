import { expect, it } from 'vitest'
import { callOnce, LockstepClient } from './lockstepClient.ts'
import { outcomeHandlers, seatTerms } from './outcomeWirePlay.ts'
import { playedOutside, preparedOf, scenarioOf, tokenOf } from './served.ts'
import { instantOf } from './wireNumbers.ts'

interface Note { readonly what: string; readonly at_us: number; readonly request: string; readonly net_stake: string; readonly bet: string; readonly expires_at_us: number; readonly legs: readonly { market: string; side: string }[] }
interface Rfq { readonly rfq_id: string; readonly stake: string; readonly net_stake: string; readonly open_until: string; readonly legs: readonly { outcome_id: string; side: string }[] }

it('the desk of a maker’s client tells of an RFQ what its frame tells, in the names and amounts of the outcome service', async () => {
  const makers = [{ name: 'a', use: 'silent', latency: '{ feed: 20ms, broadcast: 5ms, quote: { base: 20ms, jitter: 100ms }, confirm: 5ms }' }]
  const prepared = await preparedOf(scenarioOf(makers, true, 10, 'outcome'))
  const asked: [number, Rfq, Note][] = []
  let seats: unknown
  await playedOutside(prepared, async ({ url, controlUrl, served, credentials }) => {
    const own = seatTerms(credentials['a']!)
    let from = 0
    const act = async ({ at_us, why }: { at_us: number; why: string }, { frames }: { frames: readonly string[] }) => {
      const desk = JSON.parse((await callOnce(`${url}/desk?from=${from}`, 'GET', '', own.headers)).body) as { next: number; seats: unknown; told: readonly Note[] }
      from = desk.next
      seats = desk.seats
      const [rfq] = frames.flatMap((frame) => {
        const { event, data } = JSON.parse(frame) as { event?: string; data: Rfq }
        return event === 'RFQ_CREATED' && why === 'onRequest' ? [data] : []
      })
      if (rfq !== undefined) asked.push([at_us, rfq, desk.told.at(-1)!])
      return []
    }
    return [await LockstepClient.connect({ url, controlUrl, token: tokenOf(served.seats[0]!.account), ...own, act })]
  }, { handlers: outcomeHandlers(prepared) })
  expect(seats).toEqual([{ name: 'a', role: 'maker', capital: '1000000000000', ended_profit: '0', feed_us: 20_000, way_us: 120_000 }])
  expect(asked.length).toBeGreaterThan(5)
  for (const [atUs, { rfq_id, stake, net_stake, open_until, legs }, note] of asked) {
    expect(note).toMatchObject({
      what: 'onRequest', at_us: atUs, request: rfq_id, bet: stake, net_stake, expires_at_us: instantOf(open_until),
      legs: legs.map(({ outcome_id, side }) => ({ market: outcome_id, side: side.toLowerCase() })),
    })
  }
})
