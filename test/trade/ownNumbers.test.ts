import { describe, expect, it } from 'vitest'
import { counts, firstShown, numbered, type Shown } from '../engine/numbered.ts'
import { makerSession, playInside, playMaker } from './makerPlay.ts'

const BETS = 16

describe.each(['parlay', 'outcome'] as const)('a maker that plays as a client of the %s service', (service) => {
  async function outside(crowd: number): Promise<Shown[]> {
    const shown: Shown[] = []
    await playMaker(numbered(shown), service, await makerSession(service, { bets: BETS, crowd }))
    return shown
  }

  async function inside(): Promise<Shown[]> {
    const shown: Shown[] = []
    playInside(numbered(shown), service, await makerSession(service, { bets: BETS, isInside: true }))
    return shown
  }

  it('is shown numbers that count 1, 2, 3, …, the same as inside and the same where rivals quote more', async () => {
    const [alone, crowded] = [await outside(0), await outside(5)]
    const told = (shown: readonly Shown[]) => shown.filter(({ handler }) => handler !== 'onBest' && handler !== 'onBestBid')
    expect(told(crowded)).toEqual(told(alone))
    expect(alone).toEqual(await inside())
    const kinds = firstShown(crowded, service)
    expect(Object.keys(kinds)).toEqual(expect.arrayContaining(['positions', 'quotes', 'requests']))
    for (const [kind, numbers] of Object.entries(kinds)) expect([kind, numbers]).toEqual([kind, counts(numbers.length)])
  })
})
