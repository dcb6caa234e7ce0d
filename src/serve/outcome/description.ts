import { OUTCOME_CODES } from '../../venue/outcome/protocol/codes.ts'
import type { PageLimits } from '../../venue/outcome/wire/paging.ts'
import { asyncApiOf } from '../asyncapi.ts'
import { openApiOf, type ServiceAbout } from '../openapi.ts'
import { outcomeFrames } from './frames.ts'
import { ErrorBody } from './responses.ts'
import { type OutcomeWords, outcomeRoutes } from './routes.ts'
import { signedTypes } from './signedTypes.ts'

/** Routes are prefixed with this version. The document states no other version of the interface (OM-290, OM-291). */
const VERSION = 'v1'

const STATUS_OF_CODE = new Map(Object.values(OUTCOME_CODES).map(({ code, status }) => [code, status]))

const ABOUT: ServiceAbout<OutcomeWords> = {
  title: 'Outcome-Market RFQ API',
  version: VERSION,
  about: 'Takers ask for quotes of combinations of outcomes, makers quote, confirm or decline. Served by parlor in a replayed market: no real money moves.',
  schemes: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'Text of an API key.' },
    session: { type: 'http', scheme: 'bearer', description: 'access_token of a wallet session, with exactly one Origin: that of the sign-in.' },
  },
  waysIn: { public: [], origin: [], credential: ['apiKey', 'session'], session: ['session'] },
  statusOf: (code) => STATUS_OF_CODE.get(code)!,
  errorBody: ErrorBody,
  headers: { 'X-Request-ID': 'id of the call, that of an error body too' },
}

/** OpenAPI of the outcome service and the types that its clients sign, with the page sizes of the profile that is played. */
export const outcomeDescription = (limits?: PageLimits) => openApiOf<OutcomeWords>(outcomeRoutes(limits), { ...ABOUT, signed: signedTypes() })

/** AsyncAPI of the outcome service's sockets, with the most outcomes of a subscription that the profile allows. */
export const outcomeFramesDescription = (limits?: PageLimits, outcomesMax?: number) => asyncApiOf<OutcomeWords>(outcomeRoutes(limits), outcomeFrames(outcomesMax), ABOUT)
