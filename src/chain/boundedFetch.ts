/** 64 MiB: more than any answer to what is asked of chains. */
const ANSWER_BYTES_MAX = 64 * 2 ** 20

/**
 * `fetch` for chains by URL, which may be anybody's: an answer that is not whole after `answerMs`, or has more than `bytesMax`, is an error.
 * Node's own fetch, and what viem and web3.js make of it, only bound the time until an answer begins. A name and a password in the URL go into
 * a header, because fetch takes no such URL.
 */
export const boundedFetch = (answerMs: number, bytesMax = ANSWER_BYTES_MAX): typeof fetch => async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const headers = new Headers(init.headers)
  if (url.username !== '' || url.password !== '') {
    headers.set('authorization', `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`)
    url.username = ''
    url.password = ''
  }
  const limit = AbortSignal.timeout(answerMs)
  const response = await fetch(url, { ...init, headers, signal: init.signal == null ? limit : AbortSignal.any([init.signal, limit]) })
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > bytesMax) throw new Error(`an answer of more than ${bytesMax / 2 ** 20} MiB`)
    parts.push(part as Uint8Array)
  }
  return new Response(response.status === 204 ? null : Buffer.concat(parts), { status: response.status, statusText: response.statusText, headers: response.headers })
}
