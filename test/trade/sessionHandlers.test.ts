import { expect, it } from 'vitest'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import { makerSession, playInside, playMaker } from './makerPlay.ts'

const SECOND = 1_000_000

/** A maker that withdraws by timers, lets go of what is over, and notes what it is called with. */
function strategyOf(heard: string[], withdraws: boolean): MakerStrategy {
  const open: number[] = []
  const handlers: MakerHandlers = {
    onStart(desk) {
      heard.push('start')
      desk.after(0, 1)
    },
    onRequest(request, desk) {
      open.push(request.request)
      desk.quote(request, { probability: 0.1, validUs: 60 * SECOND })
      if (withdraws && open.length % 2 === 1) desk.after(1_500_001, 1000 + request.request)
    },
    onTimer(tag, desk) {
      heard.push(`timer ${tag} ${desk.nowUs}`)
      if (tag > 1000) desk.withdrawQuote(tag - 1000)
      else if (tag < 20) desk.after(7 * SECOND, tag + 1)
    },
    onRequestEnded(request, desk) {
      heard.push(`over ${open.indexOf(request.request)} ${desk.nowUs}`)
      open.splice(open.indexOf(request.request), 1, -1)
    },
    onEnd: () => void heard.push('end'),
  }
  return maker({}, () => handlers) as unknown as MakerStrategy
}

// On the outcome service a withdrawal whose RFQ is over names no quote inside, and its quote outside (docs/lockstep.md): here one RFQ is filled before that.
it.each([['parlay', true], ['outcome', false]] as const)('a maker with timers, and with ends of requests, leaves outside the rows that it leaves inside, and hears the same (%s)', async (service, withdraws) => {
  const prepared = await makerSession(service)
  const [inside, outside]: [string[], string[]] = [[], []]
  const digest = playInside(strategyOf(inside, withdraws), service, prepared)
  expect(await playMaker(strategyOf(outside, withdraws), service, prepared)).toBe(digest)
  // Requests have numbers of the client's own outside, which begin anew.
  const heard = (of: readonly string[]): string[] => of.map((line) => line.replace(/^timer 1\d{3} /, 'timer of a request '))
  expect(heard(outside)).toEqual(heard(inside))
  for (const what of ['timer 3 ', 'over ', 'start', 'end']) expect(inside.some((line) => line.startsWith(what))).toBe(true)
})
