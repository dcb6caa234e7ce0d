import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longSeries, thinned } from '../../src/report/html/longSeries.ts'
import { html, jsonText, Markup } from '../../src/report/html/markup.ts'

const listed = ({ atUs, values }: ReturnType<typeof thinned>): number[][] => [Array.from(atUs), ...values.map((list) => Array.from(list))]

describe('long series are thinned', () => {
  it('to the first, the last and the extremes of each stretch', () => {
    // There are two stretches of five. Rows of the first are 0 and 4, 2 (least) and 1 (greatest), of the second 5 and 9, 9 (least) and 7 (greatest).
    const values = [3, 9, 1, 4, 5, 5, 6, 8, 6, 2]
    expect(listed(thinned({ atUs: values.map((_, i) => 10 * i), values: [values] }, 8))).toEqual([
      [0, 10, 20, 40, 50, 70, 90], [3, 9, 1, 5, 5, 8, 2],
    ])
  })

  it('never beyond what is there, and by the same rows for all', () => {
    expect(listed(thinned({ atUs: [1, 2, 3], values: [[5, 6, 7]] }, 3))).toEqual([[1, 2, 3], [5, 6, 7]])
    const first = [0, 0, 9, 0, 0, 0]
    const second = [1, 2, 3, 4, -5, 6]
    // There is one stretch, with rows 0 and 5, extremes 0 and 2 of the first series, and 4 and 5 of the second.
    expect(listed(thinned({ atUs: [0, 1, 2, 3, 4, 5], values: [first, second] }, 5))).toEqual([[0, 2, 4, 5], [0, 9, 0, 0], [1, 3, -5, 6]])
  })

  it('with no peak or trough lost, and at most as many rows as asked for', () => {
    const value = fc.oneof({ arbitrary: fc.integer({ min: -9, max: 9 }), weight: 4 }, { arbitrary: fc.constant(NaN), weight: 1 }) as fc.Arbitrary<number>
    const rowsOf = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), value), { minLength: 1, maxLength: 300 })
    fc.assert(fc.property(rowsOf, fc.integer({ min: 6, max: 60 }),
      (rows, rowsMax) => {
        const values = [rows.map(([a]) => a), rows.map(([, b]) => b)]
        const kept = thinned({ atUs: rows.map((_, i) => i), values }, rowsMax)
        expect(kept.atUs.length).toBeLessThanOrEqual(rowsMax)
        expect(Array.from(kept.atUs)).toEqual([...new Set(Array.from(kept.atUs))].toSorted((a, b) => a - b))
        expect([kept.atUs[0], kept.atUs[kept.atUs.length - 1]]).toEqual([0, rows.length - 1])
        for (const [i, list] of kept.values.entries()) {
          const known = (of: ArrayLike<number>): number[] => Array.from(of).filter((value) => !Number.isNaN(value))
          expect(Array.from(list)).toEqual(Array.from(kept.atUs, (row) => values[i]![row]))
          if (known(values[i]!).length === 0) continue
          expect([Math.min(...known(list)), Math.max(...known(list))]).toEqual([Math.min(...known(values[i]!)), Math.max(...known(values[i]!))])
        }
      },
    ))
  })

  it('and handed over as differences, in milliseconds, with gaps', () => {
    const { series } = longSeries({
      id: 'x', title: 'X', note: '', names: ['a'], scale: 0.01, digits: 2, views: [{ name: 'V', atUs: [5_000_000, 6_500_000, 9_000_000], values: [[100, NaN, 250]] }],
    })
    expect(series.views).toEqual([{ name: 'V', atMs: [5000, 1500, 2500], values: [[100, null, 150]] }])
  })
})

describe('markup', () => {
  it('escapes what is put in, in text and in attributes, and nothing twice', () => {
    const inner = html`<b title="${'"\'<&'}">${'<i>'}</b>`
    expect(inner.text).toBe('<b title="&quot;&#39;&lt;&amp;">&lt;i&gt;</b>')
    expect(html`<p>${[inner, 1, null, false, undefined, ' & ']}</p>`.text).toBe(`<p>${inner.text}1 &amp; </p>`)
    expect(inner).toBeInstanceOf(Markup)
  })

  it('lets no data end its script element', () => {
    const value = { a: '</script><script>alert(1)</script>', b: '<!--' }
    expect(jsonText(value).text).not.toContain('<')
    expect(JSON.parse(jsonText(value).text)).toEqual(value)
  })
})
