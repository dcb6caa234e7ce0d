/** What is nested deeper is damaged, and would overflow the stack of whoever writes it as text. */
export const NESTING_MAX = 100

/**
 * Whether lists and objects of JSON lie in each other deeper than any recording has them. Looks at one level after the other, so that no depth
 * overflows the stack.
 */
export function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  let level: object[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > NESTING_MAX) return true
    const next: object[] = []
    for (const one of level) {
      for (const child of Array.isArray(one) ? one as unknown[] : Object.values(one)) if (typeof child === 'object' && child !== null) next.push(child)
    }
    level = next
  }
  return false
}
