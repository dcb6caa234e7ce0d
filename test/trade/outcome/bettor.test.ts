import { describe, expect, it } from 'vitest'
import { OutcomeBettor } from '../../../src/trade/outcome/bettor.ts'
import type { Heard } from '../../../src/trade/bettor/bettorWords.ts'
import type { Answer, Call, Wake } from '../../../src/trade/link.ts'
import { signedTerms } from '../../../src/trade/outcome/typedTerms.ts'

const SECOND_US = 1_000_000
const NOW_US = 1_750_379_010 * SECOND_US
const SEAT = { accountId: 'account', chainId: 999, vault: `0x${'ab'.repeat(20)}`, privateKey: `0x${'4'.repeat(64)}` }

const calls = ({ acts }: Heard): Call[] => acts.filter((act): act is Call => 'path' in act)
const paths = (heard: Heard): string[] => calls(heard).map(({ path }) => path)
const answer = (status: number, body: object): Answer => ({ status, headers: {}, body: JSON.stringify(body) })
/** The id of a quote: its name, and zeros. */
const quoteId = (name: string): string => `0x${name.padEnd(64, '0')}`
const iso = (us: number): string => new Date(us / 1000).toISOString()

/** A bettor with a request of 25 USDC that the service has not answered yet. */
function asking() {
  const bettor = new OutcomeBettor(SEAT)
  const create = calls(bettor.wished({ kind: 'requestQuote', arrival: 0, legs: [{ market: '1', side: 'yes' }], betMicros: 25_000_000 }, NOW_US))[0]!
  return {
    bettor,
    open: () => bettor.answered(create.tag, answer(201, { rfq_id: 'rfq', open_until: iso(NOW_US + 60 * SECOND_US) }), NOW_US),
    quoted: (quote: string, maker: string, payout: string) => bettor.framesCame([{ path: '/v1/stream', text: JSON.stringify({
      type: 'event', event: 'QUOTE_CREATED', data: { rfq_id: 'rfq', quote_id: quoteId(quote), maker_id: maker, payout, net_stake: '25000000', expires_at: iso(NOW_US + 30 * SECOND_US) },
    }) }], NOW_US),
    commit: (minOddsE4 = 0, nowUs = NOW_US) => bettor.wished({ kind: 'commit', arrival: 0, minOddsE4 }, nowUs),
    deployed: (takerFeeBps: number, feeBps: number, nowUs = NOW_US) => bettor.answered({ kind: 'deployment' }, answer(200, { taker_fee_bps: takerFeeBps, fee_bps: feeBps }), nowUs),
  }
}

describe('the best quote of an RFQ', () => {
  it.each(['after', 'before'])('is of two equal ones the earlier, also where a maker has quoted again, told %s the RFQ is known', (when) => {
    const { open, quoted, commit, deployed } = asking()
    deployed(0, 0)
    if (when === 'after') open()
    quoted('a1', 'a', '50000000')
    quoted('b1', 'b', '60000000')
    quoted('a2', 'a', '60000000')
    if (when === 'before') open()
    expect(paths(commit())).toEqual([`/v1/quotes/${quoteId('b1')}/accept`])
  })

  it('is a maker’s last quote where it pays more', () => {
    const { open, quoted, commit, deployed } = asking()
    deployed(0, 0)
    open()
    quoted('a1', 'a', '60000000')
    quoted('b1', 'b', '60000000')
    quoted('b2', 'b', '60000001')
    expect(paths(commit())).toEqual([`/v1/quotes/${quoteId('b2')}/accept`])
  })
})

/** The signature that an acceptance of a quote of 25 USDC must have at `NOW_US`. */
function signatureOf({ headers }: Call, quote: string, payout: bigint, takerFeeBps: number, feeBps: number): string {
  const validAfter = NOW_US / SECOND_US
  return signedTerms(SEAT, 'Acceptance', {
    taker: 'account', rfqId: 'rfq', quoteId: quoteId(quote), acceptanceId: headers!['idempotency-key']!, stake: 25_000_000n, core: 0n, payout, takerFeeBps, feeBps, validAfter, validBefore: validAfter + 600,
  })
}
const signed = ({ body }: Call): string => (JSON.parse(body!) as { signature: string }).signature

describe('the rates that an acceptance names', () => {
  it('are those of the last deployment that was read, which is read again with each list of markets', () => {
    const { bettor, open, quoted, commit, deployed } = asking()
    expect(paths(bettor.begun(NOW_US))).toEqual(['/v1/deployment', '/v1/markets?limit=200'])
    expect(deployed(20, 100).told).toEqual([{ kind: 'takerFee', bps: 20 }])
    open()
    quoted('a1', 'a', '60000000')
    const list = bettor.answered({ kind: 'markets', cursor: '', listed: [] }, answer(200, { items: [], next_cursor: null }), NOW_US)
    const [again] = list.acts as Wake[]
    expect(paths(bettor.woken(again!.tag, again!.wakeUs, true))).toEqual(['/v1/deployment', '/v1/markets?limit=200'])
    expect(bettor.woken(again!.tag, again!.wakeUs, false).acts).toEqual([])
    expect(paths(bettor.woken({ kind: 'markets', cursor: 'next', listed: [] }, NOW_US, true))).toEqual(['/v1/markets?limit=200&cursor=next'])
    expect(deployed(30, 120).told).toEqual([{ kind: 'takerFee', bps: 30 }])
    expect(deployed(30, 125)).toEqual({ told: [], acts: [] })
    const [accept] = calls(commit())
    expect(signed(accept!)).toBe(signatureOf(accept!, 'a1', 60_000_000n, 30, 125))
  })

  it('are waited for: an acceptance is sent once they are known, of the best quote of then', () => {
    const { bettor, open, quoted, commit, deployed } = asking()
    bettor.begun(NOW_US)
    open()
    quoted('a1', 'a', '60000000')
    expect(commit(20_000)).toEqual({ told: [], acts: [] })
    const failed = bettor.answered({ kind: 'deployment' }, answer(503, { error: { code: 'SOURCE_UNAVAILABLE' } }), NOW_US)
    expect(paths(bettor.woken((failed.acts[0] as Wake).tag, NOW_US + 2 * SECOND_US, true))).toEqual(['/v1/deployment'])
    quoted('b1', 'b', '70000000')
    const [accept, ...more] = calls(deployed(20, 100))
    expect([accept!.path, more]).toEqual([`/v1/quotes/${quoteId('b1')}/accept`, []])
    expect(signed(accept!)).toBe(signatureOf(accept!, 'b1', 70_000_000n, 20, 100))
    expect(deployed(20, 100).acts).toEqual([])
  })

  it('come too late for a request that has ended, and for odds that are no longer there', () => {
    const { bettor, open, quoted, commit, deployed } = asking()
    const expiry = open().acts[0] as Wake
    quoted('a1', 'a', '60000000')
    commit()
    expect(bettor.woken(expiry.tag, expiry.wakeUs, true).told).toEqual([{ kind: 'requestEnded', arrival: 0 }])
    expect(deployed(20, 100).acts).toEqual([])
    const left = asking()
    left.open()
    left.quoted('a1', 'a', '60000000')
    left.commit()
    expect([paths({ told: [], acts: left.bettor.leaving(NOW_US) }), left.deployed(20, 100).acts]).toEqual([['/v1/rfqs/rfq/cancel'], []])
    const other = asking()
    other.open()
    other.quoted('a1', 'a', '60000000')
    other.commit(24_001)
    expect(paths(other.deployed(20, 100))).toEqual([])
  })

  it('are read again when the service does not take a signature', () => {
    const { bettor, open, quoted, commit, deployed } = asking()
    deployed(20, 100)
    open()
    quoted('a1', 'a', '60000000')
    const refused = (code: string): string[] => paths(bettor.answered(calls(commit())[0]!.tag, answer(422, { error: { code } }), NOW_US))
    expect([refused('INVALID_SIGNATURE'), refused('RFQ_NOT_OPEN')]).toEqual([['/v1/deployment'], []])
  })
})
