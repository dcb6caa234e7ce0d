import type { EndpointBehaviour } from '../../src/engine/parlay/endpointBehaviour.ts'

/** An endpoint that answers everything with 200 at once. */
export const SOUND_ENDPOINT: EndpointBehaviour = {
  timeout: 0, serverError: 0, requestTimeout: 0, tooManyRequests: 0, clientError: 0, networkError: 0,
  delay: { baseUs: 0, jitterUs: 0 }, downEveryUs: 0, downForUs: 0, outages: [],
}
