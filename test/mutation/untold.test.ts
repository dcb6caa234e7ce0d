import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mutantsOf } from './mutants.ts'
import { isUntold, UNTOLD } from './untold.ts'

it.each(UNTOLD)('$file has the mutant of "$text" that nobody can tell', ({ file, text, operator, replacement }) => {
  const source = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
  const known = mutantsOf(file, source).filter((mutant) => mutant.text === text && isUntold(file, mutant))
  expect(known.length).toBeGreaterThan(0)
  for (const mutant of known) expect(mutant).toMatchObject({ text, operator, replacement })
})
