import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { newFolder, prepared, SMALL } from '../scenario/small.ts'
import { parlor, parlorHere } from './parlor.ts'

const dir = join(newFolder(), 'small')
let filled: number[]
let stories: ReturnType<typeof explainRequest>[]

beforeAll(async () => {
  const { loaded, prepared: ready } = await prepared(SMALL)
  await runScenario(loaded, ready, { target: { path: dir, force: false, numbered: false } })
  filled = [...readTable(join(dir, 'tables', 'positions.arrow')).numbers('request', 'int64')]
  stories = filled.map((request) => explainRequest(dir, request))
})

describe('the story of a request', () => {
  it('is in the order of time, and its money is that of the tables', () => {
    expect(filled.length).toBeGreaterThan(3)
    for (const { timeline, quotes, money, versions, outcome } of stories) {
      expect(timeline[0]).toMatchObject({ afterMs: 0, what: expect.stringContaining('asks for prices') })
      expect(timeline.every(({ atUs }, i) => i === 0 || timeline[i - 1]!.atUs <= atUs)).toBe(true)
      const winner = quotes.find(({ state }) => state === 'filled')!
      expect(outcome).toBe(`filled by ${winner.maker} at ${winner.odds.toFixed(4)}`)
      expect(money!.stakeMicros + money!.takerFeeMicros).toBe(versions[0]!.betMicros)
      // Taker fee 1 %, floored; the payout is the stake at the odds, floored (PQ-418, PQ-087).
      expect(money!.takerFeeMicros).toBe(Math.floor(versions[0]!.betMicros / 100))
      expect(money!.riskMicros).toBe(Math.floor((money!.stakeMicros * Math.round(winner.odds * 10_000)) / 10_000) - money!.stakeMicros)
      if (money!.outcome === 'void') continue
      expect(money!.bettorProfitMicros! + money!.makerProfitMicros! + money!.profitFeeMicros! + money!.takerFeeMicros).toBe(0)
      if (winner.reference !== null) expect(winner.margin).toBeCloseTo(winner.probability / winner.reference - 1, 12)
    }
  })

  it('says of every losing quote why it lost', () => {
    const reasons = stories.flatMap(({ quotes }) => quotes)
    for (const { state, why } of reasons) {
      if (state === 'filled') expect(why).toMatch(/^won: chosen, and confirmed/)
      else expect(why).toMatch(/^(outbid by|equal to|better than|too late|expired|replaced|chosen|ended|withdrawn|still)/)
    }
    expect(reasons.some(({ why }) => why.startsWith('outbid by'))).toBe(true)
  })

  it('may be named with its service, and only with one that the run has', async () => {
    const request = filled[0]!
    const [named, plain, other] = [await parlorHere('.', 'explain', dir, `parlay:${request}`), await parlorHere('.', 'explain', dir, String(request)), await parlorHere('.', 'explain', dir, `outcome:${request}`)]
    expect([named.code, named.out]).toEqual([0, plain.out])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('the run has no service outcome')])
  })

  it.each(['b5c85fa2-71af-8e95-a5d1-d9cc713749d0', 'parlay:B5C85FA2-71AF-8E95-A5D1-D9CC713749D0', `0x${'5e'.repeat(32)}`, '5e'.repeat(32)])(
    'is not found by an id of the wire, %s, of a run that was not served', async (id) => {
      const { code, err } = await parlorHere('.', 'explain', dir, id)
      expect([code, err]).toEqual([2, expect.stringContaining('is an id of the wire, and the run has numbers alone')])
      expect(err).toContain('expected a number, as the tables have')
    })

  it.each(['twelve', '5e'.repeat(31), '1.5'])('is refused by %s, which is no number and no id', async (id) => {
    const { code, err } = await parlorHere('.', 'explain', dir, id)
    expect([code, err]).toEqual([2, expect.stringContaining(`expected the number of a request, a whole number, got ${id}`)])
  })

  it('is told on the command line, as text and as JSON', async () => {
    const request = filled[0]!
    const [text, json] = [await parlor('.', 'explain', dir, String(request)), await parlorHere('.', 'explain', dir, String(request), '--json')]
    expect([text.code, json.code]).toEqual([0, 0])
    expect(text.out).toContain(`request ${request} of `)
    expect(text.out).toContain('over reference')
    expect(text.out).toMatch(/taker fee [\d.]+ USDC against risk/)
    expect(JSON.parse(json.out)).toEqual(JSON.parse(JSON.stringify(explainRequest(dir, request))))
  })

  it('is refused for what the run does not have', () => {
    expect(() => explainRequest(dir, 100_000)).toThrow('no request 100000')
    expect(() => explainRequest(newFolder(), 1)).toThrow('not a complete run')
  })
})

describe('a request that did not reach a maker', () => {
  // Half of the requests are missed, and a stream is closed for about half of the time.
  const TOLD = `${SMALL.slice(0, SMALL.indexOf('makers:'))}makers:
  - { use: fixed-margin, name: careless, capital: 50000 USDC, faults: { ignore: 50% } }
  - { use: shade, name: flaky, capital: 50000 USDC, faults: { disconnect: { every: 1m, for: 1m } } }
`
  const playedInto = async (text: string): Promise<string> => {
    const path = join(newFolder(), 'run')
    const { loaded, prepared: ready } = await prepared(text)
    await runScenario(loaded, ready, { target: { path, force: false, numbered: false } })
    return path
  }

  it('is told with those that were away and those that missed it, where deliveries are recorded', async () => {
    const path = await playedInto(`${TOLD}record: { deliveries: true }\n`)
    const deliveries = readTable(join(path, 'tables', 'deliveries.arrow'))
    const [requests, makers, fates, handlers] = ['request', 'maker', 'fate', 'handler'].map((name) => deliveries.column(name))
    const first = (fate: string, maker: string): number => requests!.numbers!.find((_, row) => fates!.values![fates!.codes![row]!] === fate
      && makers!.values![makers!.codes![row]!] === maker && handlers!.texts![row] === 'onRequest')!
    const [ignored, away, delivered] = [first('ignored', 'careless'), first('away', 'flaky'), first('delivered', 'careless')]
    const told = explainRequest(path, ignored)
    expect(told.missed.filter(({ maker }) => maker === 'careless')).toEqual([{ maker: 'careless', fate: 'ignored' }])
    expect(told.timeline.filter(({ who }) => who === 'careless').map(({ what }) => what)).toEqual(['missed it'])
    const gone = explainRequest(path, away)
    expect(gone.missed.filter(({ maker }) => maker === 'flaky')).toEqual([{ maker: 'flaky', fate: 'away' }])
    expect(gone.timeline.find(({ who }) => who === 'flaky')!.what).toBe('was away: the request does not reach it')
    expect(explainRequest(path, delivered).missed.map(({ maker }) => maker)).not.toContain('careless')
    expect((await parlorHere('.', 'explain', path, String(ignored))).out).toMatch(/^did not quote: (?:.*, )?careless \(missed it\)/m)
    expect((await parlorHere('.', 'explain', path, String(away))).out).toMatch(/^did not quote: .*flaky \(was away\)/m)
    // Without the table the same maker is one that did not quote.
    const plain = await playedInto(TOLD)
    const { missed, silent, timeline } = explainRequest(plain, ignored)
    expect([missed, silent.includes('careless'), timeline.some(({ who }) => who === 'careless')]).toEqual([[], true, false])
    expect((await parlorHere('.', 'explain', plain, String(ignored))).out).toMatch(/^did not quote: (?:.*, )?careless(?:,|$)/m)
  })
})
