import { describe, expect, it } from 'vitest'
import { servedPages } from '../../src/actions/served/servedPages.ts'
import { parlayDescription, parlayFramesDescription } from '../../src/serve/parlay/description.ts'
import { RETIRED_PAGES } from '../../src/serve/parlay/retiredPages.ts'
import { requestSchemas } from '../../src/serve/parlay/schemas/requests.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'

const shapes = requestSchemas(profileOf(PARLAY_SETTINGS, {}), { allowsLocal: false })
const pages = servedPages({ openApi: parlayDescription(shapes), asyncApi: parlayFramesDescription(shapes), retiredPages: RETIRED_PAGES })

describe('pages of the port of the parlay service', () => {
  it.each(Object.entries(RETIRED_PAGES))('PQ-461 %s redirects to %s, which is there', (path, to) => {
    expect(pages[path]).toMatchObject({ status: 301, text: '', headers: [['location', to]] })
    const [page, operation] = to.split('#') as [string, string]
    expect(pages[page]!.text).toContain(`id="${operation}"`)
  })

  it('are six retired ones, of operations of quotes', () => {
    expect(Object.keys(RETIRED_PAGES)).toHaveLength(6)
    expect(Object.values(pages).filter(({ status }) => status !== undefined)).toHaveLength(6)
  })
})
