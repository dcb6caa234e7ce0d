let depth = 0

/** Does something of parlor's own that is over when it returns, though Node keeps a resource of it until memory is collected. */
export function asOwnWork<T>(act: () => T): T {
  depth++
  try {
    return act()
  } finally {
    depth--
  }
}

/** Whether such work is being done: what begins now is not a strategy's, whoever waits for it. */
export const isOwnWork = (): boolean => depth > 0
