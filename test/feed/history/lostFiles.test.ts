import { expect, it } from 'vitest'
import { canBeSpared } from '../../../src/feed/history/lostFiles.ts'

const [FIRST, SECOND] = ['parts/1970-01-01.0', 'parts/1970-01-01.1']
const part = (name: string, firstUs: number, lastUs: number) => ({ name: `${name}.arrow`, ticks: 1, firstUs, lastUs, markets: 1 })
/** The second part has no file of what it leaves behind. */
const HEAD = { parts: [part(FIRST, 10, 20), part(SECOND, 10, 20)], files: { [`${FIRST}.last.arrow`]: { bytes: 1, sha256: '' } } }

it.each<[string, string, number, number, boolean, boolean]>([
  // what, file, foldUs, toUs, depth shown, spared
  ['prices that end before the session', `${FIRST}.arrow`, 21, 30, false, true],
  ['prices that end as it begins', `${FIRST}.arrow`, 20, 30, false, false],
  ['what prices before it leave behind', `${FIRST}.last.arrow`, 21, 30, false, false],
  ['prices before it of which nothing else is kept', `${SECOND}.arrow`, 21, 30, false, false],
  ['prices that begin at its end', `${FIRST}.arrow`, 0, 10, false, true],
  ['prices that begin before its end', `${FIRST}.arrow`, 0, 11, false, false],
  ['what prices after it leave behind', `${FIRST}.last.arrow`, 0, 10, false, true],
  ['a part that the store does not know', 'parts/1970-01-01.7.arrow', 21, 30, false, false],
  ['markets', 'markets/0.json', 21, 30, false, false],
  ['depth where none is shown', 'depth/1970-01-01.0.arrow', 0, 30, false, true],
  ['depth where some is shown', 'depth/1970-01-01.0.arrow', 21, 30, true, false],
])('a session can do without %s or not', (_, name, foldUs, toUs, showsDepth, spared) => {
  expect(canBeSpared(HEAD, name, { foldUs, toUs, showsDepth })).toBe(spared)
})
