import { beforeAll, describe, expect, it } from 'vitest'
import { formatSummary } from '../../src/report/summaryText.ts'
import { ifEnough } from '../../src/score/enough.ts'
import type { Summary } from '../../src/score/summary.ts'
import { playStory } from '../record/story.ts'
import { summaryOf } from './summaryRun.ts'

const curse = { estimate: -14, low: -20, high: -8, level: 0.95, count: 12, label: '12 clusters' }

describe('a conditional figure', () => {
  it('is shown from 20 on each side on', () => {
    expect(ifEnough(curse, { won: 20, lost: 20 })).toBe(curse)
  })

  it('is a dash below, and says why', () => {
    // The curse of −14 ¢, which rested on five lost quotes.
    expect(ifEnough(curse, { won: 400, lost: 5 })).toMatchObject({ estimate: null, low: null, high: null, label: '5 lost: fewer than 20: no interval' })
    expect(ifEnough(curse, { won: 19, lost: 0 }).label).toBe('19 won, 0 lost: fewer than 20: no interval')
  })

  it('that is undefined keeps its own label', () => {
    const none = { ...curse, estimate: null, low: null, high: null, label: 'undefined: no interval' }
    expect(ifEnough(none, { won: 0, lost: 0 })).toBe(none)
  })
})

describe('counts beside the figures', () => {
  let summary: Summary
  beforeAll(async () => { summary = await summaryOf(playStory) })

  it('are of quotes with a fair value and selections of known drift', () => {
    const [shade, clara] = summary.makers
    // shade said F with the quote that it filled (F = 0.245) and lost none. It confirmed 1 and declined 1. clara, without any F, confirmed 2.
    expect(shade!.marks[0]).toMatchObject({ won: 1, wonWithFair: 1, lostWithFair: 0 })
    expect(clara!.marks[0]).toMatchObject({ won: 2, wonWithFair: 0, lostWithFair: 0 })
    expect([shade!.lastLook.asymmetryOf, clara!.lastLook.asymmetryOf]).toEqual([{ declined: 1, confirmed: 1 }, { declined: 0, confirmed: 2 }])
  })

  it('are printed, with a dash for what rests on too few', () => {
    const [shade] = summary.makers
    const marks = [{ ...shade!.marks[0]!, winnersCurseCents: curse, markOutCents: { ...curse, estimate: 3 }, won: 25, wonWithFair: 25, lostWithFair: 20 }]
    const lastLook = { ...shade!.lastLook, asymmetryCents: { ...curse, estimate: 7 }, asymmetryOf: { declined: 19, confirmed: 25 } }
    const hits = { ...shade!.hits, committedVersions: 20, ofCommitted: { ...curse, estimate: 0.5 } }
    const text = formatSummary({ ...summary, makers: [{ ...shade!, marks, lastLook, hits }] })
    expect(text).toMatch(/^book .* curse 10s c +of .*\nshade .* -14\.0 \[-20\.0, -8\.00\]\/12 +25\+20 /m)
    expect(text).toMatch(/^last look .* asymmetry c +of\nshade .* - +19\+25$/m)
    expect(text.replaceAll(/\s+/g, ' ')).toContain('; shade has 1 fill: too few for its ratios; ')
    expect(text).toMatch(/^mark-out c +10s +of\nshade +3\.00 .* 25$/m)
    expect(text).toMatch(/^quoting .* committed +fills of them %\nshade .* 20 +50\.0 /m)
    // Three quotes of a margin of 0 c, one of 8 c: too few for a share.
    expect(text).toMatch(/^win curve % +0 +8\nshade +- +-\nof, in all +3 +1$/m)
  })
})
