import { describe, expect, it } from 'vitest'
import { allSources, code } from './sources.ts'

/** Words of the protocol of one service. Strategies have their own for what they mean, or need none (src/agent/vocabulary.ts). */
const OF_ONE_SERVICE = /(?<![a-z])(?:acceptance|bookSeq|contentTag|coreMicros|idempotency|rfq|termsTag|validAfter|validBefore)/i

const wordsIn = (text: string): string[] => code(text).match(/[A-Za-z_$][\w$]*/g)?.filter((word) => OF_ONE_SERVICE.test(word)) ?? []

describe('the vocabulary of strategies', () => {
  it('has no word of the protocol of one service', () => {
    const files = allSources().filter(({ path }) => path.startsWith('agent/') || path === 'index.ts')
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap(({ path, text }) => wordsIn(text).map((word) => `src/${path} says ${word}`))).toEqual([])
  })

  it.each([
    ['row.acceptance = NONE', 'acceptance'], ['const contentTag = 1', 'contentTag'], ['messages.take(Acceptance.made)', 'Acceptance'],
    ['let rfqs = 0', 'rfqs'], ['terms.validAfterS = 1', 'validAfterS'],
  ])('would notice %s', (text, word) => {
    expect(wordsIn(text)).toEqual([word])
  })

  it.each(['// an acceptance', 'selection.selection', 'const accepted = 1', "say('rfq')"])('takes none from %s', (text) => {
    expect(wordsIn(text)).toEqual([])
  })
})
