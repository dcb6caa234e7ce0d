import { ERROR_STATUS } from '../../venue/parlay/wire/errors.ts'
import { asyncApiOf } from '../asyncapi.ts'
import { openApiOf, type ServiceAbout } from '../openapi.ts'
import { type ParlayWords, parlayRoutes } from './routes.ts'
import { PARLAY_FRAMES } from './schemas/frames.ts'
import type { RequestSchemas } from './schemas/requests.ts'
import { errorResponse } from './schemas/responses.ts'

/** Version of the service's interface (PQ-452). */
export const INTERFACE_VERSION = '2.1.0'

const ABOUT: ServiceAbout<ParlayWords> = {
  title: 'Parlay Quote Service API',
  version: INTERFACE_VERSION,
  about: 'A marketplace where bettors ask for prices of parlays and makers compete to quote them. Served by parlor in a replayed market: no real money moves.',
  schemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  },
  waysIn: { public: [], credential: ['apiKey', 'jwt'], frame: [] },
  statusOf: (code) => ERROR_STATUS[code],
  errorBody: errorResponse,
  headers: {
    'X-RateLimit-Limit': 'calls that the window lets through', 'X-RateLimit-Remaining': 'calls that are left in it',
    'X-RateLimit-Reset': 'its end in Unix seconds, rounded up',
  },
}

/** OpenAPI of the parlay service, with the bounds of the profile that is played. */
export const parlayDescription = (shapes: RequestSchemas) => openApiOf<ParlayWords>(parlayRoutes(shapes), ABOUT)

/** AsyncAPI of the parlay service's streams and socket. */
export const parlayFramesDescription = (shapes: RequestSchemas) => asyncApiOf<ParlayWords>(parlayRoutes(shapes), PARLAY_FRAMES, ABOUT)
