import { describe, expect, it } from 'vitest'
import { figureOf, type ItemFigure, passes } from '../../src/validation/figure.ts'
import type { Fill } from '../../src/validation/fillLog.ts'
import { figureTexts } from '../../src/validation/figureTexts.ts'
import { validate } from '../../src/validation/validate.ts'

const FIGURE: ItemFigure = {
  id: '1.x', title: '', claim: 'equals', known: 5, measured: 5.2, low: 4.9, high: 5.5, widthMax: 1, samples: 10, committed: 10, unit: '', settings: {}, remark: '',
}

describe('a figure', () => {
  it.each([
    ['passes with the known value in a narrow interval', {}, true],
    ['passes at the very end of it', { known: 4.9 }, true],
    ['fails beside it', { known: 4.8 }, false],
    ['fails above it', { known: 5.6 }, false],
    ['fails by an interval that is too wide', { widthMax: 0.5 }, false],
    ['fails without fills', { samples: 0, committed: 0 }, false],
    ['fails where commits and ledger differ', { committed: 11 }, false],
    ['of a direction passes below', { claim: 'below', known: 6 }, true],
    ['of a direction fails where the interval reaches it', { claim: 'below', known: 5.5 }, false],
    ['fails when it is undefined', { low: NaN }, false],
  ] as [string, Partial<ItemFigure>, boolean][])('%s', (_, changed, pass) => {
    expect(passes({ ...FIGURE, ...changed })).toBe(pass)
  })

  it('counts its fills at the commit and at the ledger, each fill by itself', () => {
    const fill: Fill = {
      request: 1, maker: 1, bettor: 0, markets: [0], sides: [1], committedUs: 5, valueAtCommit: 0.5, valueAtConfirm: 0.5, confirmedUs: 6, stakeMicros: 40,
      riskMicros: 60, position: 1, paidMicros: 40, riskedMicros: 60, toBettorMicros: 0, toMakerMicros: 100,
    }
    const about = { id: '1.x', title: '', unit: '', settings: {} }
    const countsOf = (fills: Fill[]) => {
      const { committed, samples } = figureOf(about, { known: 0, widthMax: 1 }, { measured: 0, low: 0, high: 0 }, fills)
      return [committed, samples]
    }
    expect(countsOf([fill, fill, fill])).toEqual([3, 3])
    expect(countsOf([fill, { ...fill, toMakerMicros: 99 }])).toEqual([2, 1])
    expect(countsOf([fill, { ...fill, confirmedUs: -1 }])).toEqual([1, 2])
  })

  it('is shown to two digits of its interval', () => {
    const texts = (changed: Partial<ItemFigure>) => figureTexts({ ...FIGURE, item: '1', source: '', pass: true, ...changed })
    expect(texts({})).toEqual({ known: '5.00', measured: '5.20', interval: '4.90 … 5.50' })
    expect(texts({ low: -40, high: 60, measured: -0.2, claim: 'below' })).toEqual({ known: '< 5', measured: '0', interval: '-40 … 60' })
    expect(texts({ low: 5.2, high: 5.2 }).measured).toBe('5.200000')
  })
})

describe('a validation', () => {
  it('of one seed is the same bytes twice, of another others; items keep their order', async () => {
    const of = async (seed?: string) => JSON.stringify(await validate({ items: ['7', '4'], samples: 'small', workers: 1, seed }))
    const [first, second, other] = [await of(), await of(), await of('2')]
    expect(second).toBe(first)
    expect(other).not.toBe(first)
    expect([...first.matchAll(/"item":"(\d+)"/g)].map((match) => match[1]).join('')).toBe('444444447777')
  })

  it.each([1, 2])('tells its progress, and ends on an abort, with %d at work', async (workers) => {
    const controller = new AbortController()
    const shares: number[] = []
    const run = validate({
      items: ['1', '2'], samples: 'small', workers, signal: controller.signal,
      onProgress: ({ share }) => {
        shares.push(share)
        if (share > 0.3) controller.abort()
      },
    })
    await expect(run).rejects.toMatchObject({ name: 'Interrupted' })
    expect(shares.every((share, i) => i === 0 || share >= shares[i - 1]!)).toBe(true)
    expect(shares.at(-1)).toBeLessThan(1)
  })

  it('has a verdict for each item', async () => {
    const { pass, items, wrong } = await validate({ items: ['10'], wrong: ['7'], samples: 'small', workers: 1 })
    expect(items).toEqual([
      { id: '7', title: 'hold of a parlay', wrong: true, pass: false, figures: 4 }, { id: '10', title: 'worth of the last look', wrong: false, pass: true, figures: 2 },
    ])
    expect([pass, wrong]).toEqual([false, ['7']])
  })

  it('knows its items, and measures one at least', async () => {
    await expect(validate({ items: [], samples: 'small', workers: 1 })).rejects.toThrow('no item to measure')
    await expect(validate({ items: ['99'], samples: 'small', workers: 1 })).rejects.toMatchObject({ message: 'no item 99', hint: expect.stringContaining('1, 2, 3') })
  })
})

it.each([1, 2])('what is told of progress and throws ends a validation of %i threads', async (workers) => {
  const own = new Error('not wanted')
  await expect(validate({ items: ['7', '6'], samples: 'small', workers, onProgress: () => { throw own } })).rejects.toBe(own)
})
