import { describe, expect, it } from 'vitest'
import { outcomeDescription } from '../../../src/serve/outcome/description.ts'
import { outcomeRoutes } from '../../../src/serve/outcome/routes.ts'
import { faultsOfDescription } from '../../../src/serve/openapi.ts'
import { PAGE_LIMITS } from '../../../src/venue/outcome/wire/paging.ts'

type Described = Readonly<Record<string, Record<string, Record<string, unknown>>>>
const described = (limits = PAGE_LIMITS) => outcomeDescription(limits) as { paths: Described }

describe('the OpenAPI of the outcome service', () => {
  const { paths } = described()

  it('has nothing wrong, and every route', () => {
    expect(faultsOfDescription(outcomeDescription())).toEqual([])
    expect(Object.values(paths).flatMap((path) => Object.keys(path))).toHaveLength(outcomeRoutes().length)
  })

  it('OM-036 OM-107 shows the body and the key of an RFQ as they are sent', () => {
    const create = paths['/v1/rfqs']!['post']!
    expect(create['parameters']).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: true }])
    expect(create['requestBody']).toMatchObject({ required: true, content: { 'application/json': { schema: {
      required: ['stake', 'legs'], additionalProperties: false,
      properties: {
        stake: { type: 'string', pattern: '^(0|[1-9][0-9]*)$' },
        legs: { type: 'array', items: { required: ['outcome_id', 'side'], properties: { side: { enum: ['NO', 'YES'] } } } },
      },
    } } } })
    expect(Object.keys(create['responses'] as object)).toEqual(['201', '400', '401', '403', '404', '409', '429', '503'])
  })

  it('OM-083 shows that a decline carries no signature', () => {
    expect(paths['/v1/quotes/{quote_id}/confirm']!['post']!['requestBody']).toMatchObject({ content: { 'application/json': { schema: { oneOf: [
      { required: ['decision', 'signature'], properties: { decision: { const: 'CONFIRM' } } }, { required: ['decision'], properties: { decision: { const: 'DECLINE' } } },
    ] } } } })
  })

  it('OM-128 OM-021 shows who is let in', () => {
    expect(paths['/v1/me/api-keys']!['post']!['security']).toEqual([{ session: [] }])
    expect(paths['/v1/rfqs']!['post']!['security']).toEqual([{ apiKey: [] }, { session: [] }])
    expect(paths['/v1/markets']!['get']!['security']).toEqual([])
  })
})
