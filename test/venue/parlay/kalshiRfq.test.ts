import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { PARLAY_PROFILES } from '../../../src/venue/parlay/protocol/profile.ts'
import { Driver, ms, sec, usd } from './driver.ts'

const RECORDED = fileURLToPath(new URL('../../../../shared/data/kalshi-rfq/', import.meta.url))
const BETTOR = 1
const MAKER = 2

interface Step {
  readonly at: string
  readonly step: string
  readonly data: Readonly<Record<string, string>>
}

/** µs of an ISO 8601 instant with up to six decimals. */
function microsOf(iso: string): number {
  const [, time, fraction = ''] = /^(.*?\d\d:\d\d:\d\d)\.?(\d*)/.exec(iso)!
  return Date.parse(`${time}Z`) * 1000 + Number(fraction.padEnd(6, '0'))
}

const steps = (scenario: string): Step[] =>
  readFileSync(`${RECORDED}scenario_${scenario}.jsonl`, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Step)

const quoteOf = (scenario: string): Step['data'] => steps(scenario).find(({ step }) => step === 'quote_terminal')!.data

describe('the profile kalshi-rfq@2026-07', () => {
  let d: Driver
  let request: number
  let quote: number

  beforeEach(() => {
    d = new Driver(PARLAY_PROFILES['kalshi-rfq@2026-07'])
    d.listMarkets(1)
    d.send('deposit', BETTOR, { amountMicros: usd(1000) })
    d.send('deposit', MAKER, { amountMicros: usd(1000) })
    // One contract at 52 cents, as recorded: its complement is the maker's 48.
    request = d.send('createRequest', BETTOR, { betMicros: usd(0.52) }, [[1, 'no']])!['request'] as number
    const contentTag = d.view.request(request)!.contentTag
    quote = d.send('submitQuote', MAKER, { request, version: 1, contentTag, oddsE4: 19_230 })!['quote'] as number
  })

  const accept = (): unknown => d.send('commitRequest', BETTOR, { request, version: 1, quote, bookSeq: 1, oddsE4: 10_001 })
  const confirm = () => d.send('confirmSelection', MAKER, { request, quote })!

  it('takes a confirmation until 30 s have passed', () => {
    accept()
    d.at(sec(30))
    expect(confirm()['code']).toBe('noPendingSelection')
  })

  it('takes a confirmation one microsecond before, and executes 15.78 s later', () => {
    accept()
    d.at(sec(30) - 1)
    expect(confirm()['code']).toBe('ok')
    expect(d.view.position(1)!.state).toBe(3)
    d.pulse(sec(45.78) - 2)
    expect(d.view.position(1)!.state).toBe(3)
    expect(d.pulse(sec(45.78) - 1).map(({ event }) => event)).toEqual(['vaultTransactionChanged', 'statusChanged'])
    expect(d.view.position(1)!.state).toBe(1)
  })

  it('fences nobody while a fill executes', () => {
    accept()
    confirm()
    expect([d.view.balance(BETTOR).fenced, d.view.balance(MAKER).fenced]).toEqual([false, false])
    expect(d.send('withdraw', MAKER, { amountMicros: usd(1) })!['code']).toBe('ok')
  })

  describe('beside the recorded round trips', () => {
    beforeEach((context) => {
      if (existsSync(RECORDED)) return
      console.warn(`SKIPPED ${context.task.name}: no recorded data at ${RECORDED}`)
      context.skip()
    })

    it.each(['accept_yes', 'accept_no'])('%s is confirmed, and executed within 0.2 s of the recorded time', (scenario) => {
      const { created_ts: created, accepted_ts: accepted, confirmed_ts: confirmed, executed_ts: executed } = quoteOf(scenario)
      const [acceptUs, confirmUs, executeUs] = [accepted!, confirmed!, executed!].map((iso) => microsOf(iso) - microsOf(created!))
      d.at(acceptUs!)
      accept()
      d.at(confirmUs!)
      expect(confirm()['code']).toBe('ok')
      const playedUs = confirmUs! + ms(15_780)
      expect(Math.abs(playedUs - executeUs!)).toBeLessThan(200_000)
      d.pulse(playedUs)
      expect(d.of('statusChanged').map((row) => row['status'])).toEqual([3])
    })

    it('lapse: the confirmation that came too late is refused, and the accepted quote is over', () => {
      const created = microsOf(quoteOf('lapse')['created_ts']!)
      d.at(microsOf(quoteOf('lapse')['accepted_ts']!) - created)
      accept()
      d.at(microsOf(steps('lapse').find(({ step }) => step === 'late_confirm_error')!.at) - created)
      expect(confirm()['code']).toBe('noPendingSelection')
    })

    it('delete_after_accept: a quote cannot be withdrawn once it is accepted', () => {
      accept()
      expect(d.send('withdrawQuote', MAKER, { request })!['code']).toBe('conflict')
    })
  })
})
