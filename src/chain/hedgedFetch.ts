import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `fetch` that sends a request again, beside itself, when no whole answer has come after `againMs`: `triesMax` times in all. Whichever
 * is answered first counts, and the others are ended. Only for requests that may arrive twice. Throws what ended the first try, once all have failed.
 */
export const hedgedFetch = (fetchOnce: typeof fetch, againMs: number, triesMax: number): typeof fetch => async (input, init = {}) => {
  const others = new AbortController()
  const signal = init.signal == null ? others.signal : AbortSignal.any([init.signal, others.signal])
  const tries: Promise<Response>[] = []
  try {
    for (;;) {
      tries.push(fetchOnce(input, { ...init, signal }))
      const first = Promise.any(tries)
      if (tries.length === triesMax) return await first
      const answer = await Promise.race([first, sleep(againMs, null, { signal: others.signal })])
      if (answer !== null) return answer
    }
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    others.abort()
  }
}
