import { parlayRoutes } from '../../../src/serve/parlay/routes.ts'
import { requestSchemas } from '../../../src/serve/parlay/schemas/requests.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../../src/venue/profile.ts'

/** Shapes and routes of the service as its document has it. */
export const shapes = requestSchemas(profileOf(PARLAY_SETTINGS), { allowsLocal: false })
export const routes = parlayRoutes(shapes)
