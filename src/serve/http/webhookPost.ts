import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { mayDeliverTo } from '../parlay/webhookUrl.ts'
import type { WebhookAttempt } from '../parlay/webhookSends.ts'

const NO_ANSWER = 0

export interface WebhookPostTerms {
  /** Finds all addresses of a name, as `dns.lookup` does. */
  readonly lookup?: (hostname: string, options: LookupAllOptions, found: (error: Error | null, addresses: LookupAddress[]) => void) => void
  /** Certificates in PEM that endpoints may be certified by; absent: those that Node knows. */
  readonly ca?: string
}

/** POSTs attempts of webhook deliveries. It connects to no address that a delivery may not go to, whatever the name in the URL resolves to. */
export class WebhookPost {
  private readonly allowsLocal: boolean
  private readonly agent: Agent

  constructor(allowsLocal: boolean, { lookup = systemLookup, ca }: WebhookPostTerms = {}) {
    this.allowsLocal = allowsLocal
    const checked: LookupFunction = (hostname, options, found) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return found(error, '')
        const open = addresses.filter(({ address }) => mayDeliverTo(address, { allowsLocal }))
        if (open.length === 0) return found(new Error(`${hostname} is in a private network`), '')
        return options.all === true ? found(null, open) : found(null, open[0]!.address, open[0]!.family)
      })
    }
    this.agent = new Agent({ connect: { lookup: checked, ...(ca === undefined ? {} : { ca }) } })
  }

  /** The status of the answer, or 0 for none until the signal. Redirects are not followed. */
  async post({ url, headers, body }: Pick<WebhookAttempt, 'url' | 'headers' | 'body'>, signal: AbortSignal): Promise<number> {
    try {
      const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
      // A name that is an address is not looked up.
      if (isIP(host) !== 0 && !mayDeliverTo(host, { allowsLocal: this.allowsLocal })) return NO_ANSWER
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: this.agent, signal, headersTimeout: 0, bodyTimeout: 0 })
      await answer.body.dump()
      return answer.statusCode
    } catch {
      return NO_ANSWER
    }
  }
}
