import type { PreparedScenario } from '../scenario/run.ts'
import type { Exchange } from './exchange.ts'
import { outcomeDescription, outcomeFramesDescription } from './outcome/description.ts'
import { parlayDescription, parlayFramesDescription } from './parlay/description.ts'
import { RETIRED_PAGES } from './parlay/retiredPages.ts'
import { requestSchemas } from './parlay/schemas/requests.ts'

/** What describes a service to programs, as JSON. */
export interface Description {
  /** OpenAPI 3.1 of its calls. */
  readonly openApi: object
  /** AsyncAPI 3.0 of its streams and sockets. */
  readonly asyncApi: object
  /** Paths at which the description stood once, with where each leads now. */
  readonly retiredPages: Readonly<Record<string, string>>
}

export type Descriptions = Readonly<Partial<Record<Exchange['service'], Description>>>

/** Descriptions of a scenario's services, with the bounds of the profiles that are played. */
export function descriptionsOf({ resolved: { services: { parlay, outcome } } }: PreparedScenario, allowsLocal: boolean): Descriptions {
  const shapes = parlay === undefined ? null : requestSchemas(parlay.settings, { allowsLocal })
  const limits = outcome?.gate?.profile
  return {
    ...(shapes !== null && { parlay: { openApi: parlayDescription(shapes), asyncApi: parlayFramesDescription(shapes), retiredPages: RETIRED_PAGES } }),
    ...(outcome !== undefined && { outcome: { openApi: outcomeDescription(limits), asyncApi: outcomeFramesDescription(limits, limits?.marketOutcomesMax), retiredPages: {} } }),
  }
}
