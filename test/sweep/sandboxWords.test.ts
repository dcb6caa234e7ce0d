import { describe, expect, it } from 'vitest'
import { SCORE_COLUMNS, SCORE_FIGURES } from '../../src/score/scores.ts'
import { answerIn } from '../../src/sweep/sandbox/answers.ts'
import { type Answered, LETTERS_MAX, Lines, lineOf, toldHere } from '../../src/sweep/sandbox/words.ts'

const MARKED = [...SCORE_COLUMNS, 'markOut60s']
const scores = {
  service: 'parlay', makers: ['a'], clusters: ['one'], columns: MARKED, sums: Float64Array.from(MARKED, (_, i) => (i === 0 ? -0 : i * 10)), figures: SCORE_FIGURES, values: Float64Array.from(SCORE_FIGURES, (_, i) => (i === 0 ? NaN : i / 10)),
}
const played = { number: 3, play: { kind: 'played', digest: '0123456789abcdef'.repeat(4), differs: false, scores: [scores] } } as const

/** A session of one service, two makers and two clusters. */
const TERMS = { services: ['parlay'], makers: ['a', 'b'], clustersMax: 2 }

describe('a line between a sandbox and who began it', () => {
  it('has every bit of numbers and of arrays of doubles', () => {
    const read = { number: 1, read: { role: 'maker', isTrusted: false, parameters: { cap: { default: -0, min: -Infinity, max: Infinity, unit: 'usd' } } } } as unknown as Answered
    expect([answerIn(lineOf(played), TERMS), toldHere(lineOf(played))]).toEqual([played, played])
    expect([answerIn(lineOf(read), null), toldHere(lineOf(read))]).toEqual([read, read])
  })

  it('is cut where it ends, however it comes', () => {
    const lines = new Lines()
    expect(() => new Lines().take('x'.repeat(LETTERS_MAX + 1))).toThrow('a line has no end')
    expect(['{"a"', ':1}\n{"b', '":2}\n\n', 'rest'].map((text) => lines.take(text))).toEqual([[], ['{"a":1}'], ['{"b":2}', ''], []])
  })
})

describe('an answer out of a sandbox', () => {
  const line = (value: unknown): string => lineOf(value as Answered)
  const attempt = (play: object): object => ({ number: 1, play })
  it.each<[string, object]>([
    ['a result', played], ['a strategy that threw', attempt({ kind: 'strategy', who: 'a', message: 'boom' })], ['an end', attempt({ kind: 'endless', who: null })],
    ['an excess', attempt({ kind: 'excess', excess: { kind: 'memory', who: 'a', message: 'too much' } })], ['a death', attempt({ kind: 'died', who: null, message: 'gone', isBegun: true })],
    ['a strategy', { number: 2, read: { role: 'maker', isTrusted: false, about: 'mine', parameters: { cap: { default: 1, min: 0, max: 2, unit: 'usd' } } } }], ['a mistake in a file', { number: 2, read: { message: 'no' } }], ['a bug', { number: 2, bug: 'Error' }],
  ])('is taken for %s', (_, value) => {
    expect(answerIn(line(value), 'play' in value ? TERMS : null)).toEqual(value)
  })

  it.each<[string, object]>([
    ['a mistake in the input', { kind: 'input', message: 'no', position: { file: '/etc/passwd', line: 2 }, hint: 'yes' }], ['a full disk', { kind: 'system', message: 'no', code: 'ENOSPC', errno: -28 }],
  ])('that tells of %s is a failure of its session alone', (_, play) => {
    expect(answerIn(line(attempt(play)), TERMS)).toEqual({ number: 1, play: { kind: 'bug', who: null, message: 'no' } })
  })

  const withScores = (...other: readonly object[]): object => ({ number: 3, play: { ...played.play, scores: other } })
  it.each<[string, unknown]>([
    ['no number', { play: { kind: 'endless', who: null } }], ['a number that is none', { number: -1, play: { kind: 'endless', who: null } }], ['nothing', null], ['a list', []], ['a kind that there is not', attempt({ kind: 'won' })], ['no message', attempt({ kind: 'strategy', who: 'a' })], ['a fault of the system without words', attempt({ kind: 'system', code: 'ENOSPC' })], ['an end of somebody who is no name', attempt({ kind: 'endless', who: 7 })], ['a death without words', attempt({ kind: 'died', who: null })],
    ['an excess of another kind', attempt({ kind: 'excess', excess: { kind: 'greed', who: 'a', message: 'too much' } })], ['an excess of nobody', attempt({ kind: 'excess', excess: { kind: 'memory', message: 'too much' } })], ['an excess without words', attempt({ kind: 'excess', excess: { kind: 'memory', who: 'a' } })],
    ['an end that nobody asked for', attempt({ kind: 'aborted' })], ['no scores', withScores()], ['scores of another service', withScores({ ...scores, service: 'bank' })], ['sums of one maker for two', withScores({ ...scores, makers: ['a', 'b'] })], ['other columns', withScores({ ...scores, columns: MARKED.toReversed() })], ['a column that there is not', withScores({ ...scores, columns: [...SCORE_COLUMNS, 'bribes60s'] })], ['a column twice', withScores({ ...scores, columns: [...MARKED, 'markOut60s'], sums: Float64Array.from([...MARKED, ''], () => 1) })],
    ['a maker that was not there', withScores({ ...scores, makers: ['q'] })], ['a maker twice', withScores({ ...scores, makers: ['a', 'a'], sums: new Float64Array(2 * MARKED.length), values: new Float64Array(2 * SCORE_FIGURES.length) })], ['a service twice', withScores(scores, scores)],
    ['more clusters than there are', withScores({ ...scores, clusters: ['1', '2', '3'], sums: new Float64Array(3 * MARKED.length) })], ['a sum that is no integer', withScores({ ...scores, sums: scores.sums.with(1, 0.5) })], ['a figure without end', withScores({ ...scores, values: scores.values.with(1, Infinity) })],
    ['sums that are no doubles', withScores({ ...scores, sums: MARKED.map(() => 1) })], ['figures of another maker', withScores({ ...scores, values: Float64Array.of(1) })], ['a digest that is none', { number: 3, play: { ...played.play, digest: 'ab' } }],
    ['a role that there is not', { number: 2, read: { role: 'judge', isTrusted: false, parameters: {} } }], ['a parameter without bounds', { number: 2, read: { role: 'maker', isTrusted: false, parameters: { cap: { default: 1, unit: 'usd' } } } }],
    ['a line that is a text', { number: 2, read: { message: 'no', position: { file: 'a.ts', line: '2' } } }], ['a bug without words', { number: 2, bug: 7 }],
  ])('with %s is none', (_, value) => {
    expect([answerIn(line(value), TERMS), 'play' in ((value ?? {}) as object) ? null : answerIn(line(value), null)]).toEqual([null, null])
  })

  it('to another question is none', () => {
    expect([answerIn(line(played), null), answerIn(line({ number: 2, read: { message: 'no' } }), TERMS)]).toEqual([null, null])
  })

  it('that is no JSON is none', () => {
    expect(answerIn('{"number":1', TERMS)).toBeNull()
  })
})
