import { expect, it } from 'vitest'
import { newFolder, put } from '../scenario/small.ts'
import { parlorHere } from './parlor.ts'

it('what a strategy file says about itself stands in one line each', async () => {
  const folder = newFolder()
  put(folder, 'mine.ts', `import { maker, pct } from 'parlor'
const made = maker({ 'margin\\nrival (maker)': pct(4, { about: 'mark-up\\nrival (maker)' }) }, () => ({}))
export default { ...made, about: 'quotes\\n\\nrival (maker)\\n  loses' }
`)
  const { out, code } = await parlorHere(folder, 'strategies', './mine.ts')
  expect(code).toBe(0)
  const lines = out.split('\n')
  expect(lines.filter((line) => line.startsWith('rival'))).toEqual([])
  expect(lines[1]).toBe('  quotes  rival (maker)   loses')
  expect(lines.find((line) => line.includes('margin'))).toMatch(/^ {2}margin rival \(maker\) .* mark-up rival \(maker\)$/)
})

it('a maxAge is said to give way to that of a scenario’s history, and no other parameter is', async () => {
  const folder = newFolder()
  put(folder, 'mine.ts', `import { maker, pct, seconds } from 'parlor'
export default maker({ margin: pct(4), maxAge: seconds(30, { about: 'oldest leg price used' }) }, () => ({}))
`)
  const { out } = await parlorHere(folder, 'strategies', './mine.ts')
  const lineOf = (name: string) => out.split('\n').find((line) => line.startsWith(`  ${name} `))
  expect(lineOf('maxAge')).toMatch(/30s .*oldest leg price used; history\.maxAge of a scenario takes the place of this default$/)
  expect(lineOf('margin')).not.toContain('history')
})
