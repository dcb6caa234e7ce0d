import { expect, it } from 'vitest'
import { mistakeOf, topLevelAwait } from '../../src/scenario/roomCode.ts'

const BACKTICK = '`'

it.each([
  ['statements', 'const a = 1\nfunction f() { return [a, 2n, /`/.source, `${"a"}`] }', null],
  ['a long array', `const a = [${'1,'.repeat(200_000)}]`, null],
  ['an end of the function around it', '}); (function () {', 'what it has at its top is no module'],
  ['a second function in the same list', '}), (function () {', 'what it has at its top is no module'],
  ['a call of the function around it', '})(); (function () {', 'what it has at its top is no module'],
  ['a regular expression that a script divides by', `await /${BACKTICK}/.source; "${BACKTICK} ; }); (function () { //"`, 'what it has at its top is no module'],
  ['a comment of scripts', 'const a = 1 <!--a\n', 'as a script it would be another program'],
  ['another comment of scripts', '1\n--> a\n', 'as a script it would be another program'],
  ['an import that runs', 'import("a")', 'a strategy imports nothing while it runs'],
  ['an import in a default', 'function f(a = import("a")) {}', 'a strategy imports nothing while it runs'],
  ['the place that it lies in', 'import.meta', 'Unexpected import.meta expression'],
  ['a question what is made', 'function F() { return new.target }', null],
  ['half a template', `const a = ${BACKTICK}`, 'Unterminated string'],
])('code with %s runs only as what it is', (_, code, mistake) => {
  expect(mistakeOf('strategy.js', code)).toBe(mistake)
})

it.each([
  ['await 1', 0], ['for await (const a of []) {}', 0], ['const a = [await 1]', 11], ['async () => { await 1 }', null], ['async function f() { for await (const a of []) {} }', null],
  ['const a = { await: 1 }', null], ['let a\nawait using b = null', 6], ['{ using a = null }', null], ['async () => { await using a = null }', null], ['for (await using a of []) {}', 5],
])('%s waits at the top: %s', async (code, at) => {
  const { parseSync } = await import('rolldown/utils')
  expect(topLevelAwait(parseSync('strategy.js', code, { lang: 'js', sourceType: 'module' }).program)).toBe(at)
})
