import { livePage } from '../../report/livePage.ts'
import { type AsyncApi, type OpenApi, referencePage } from '../../report/referencePage.ts'
import type { Description } from '../../serve/descriptions.ts'
import type { Page } from '../../serve/http/transport.ts'

const redirect = (to: string): Page => ({ status: 301, type: 'text/plain', text: '', headers: [['location', to]] })

/**
 * What the port of a service answers by itself, by path: the descriptions of the service, the same as a page, redirects from where these
 * stood once, and the page of the session.
 */
export function servedPages({ openApi, asyncApi, retiredPages }: Description): Readonly<Record<string, Page>> {
  return {
    ...Object.fromEntries(Object.entries(retiredPages).map(([path, to]) => [path, redirect(to)])),
    ...livePage((openApi as OpenApi).info.title),
    '/openapi.json': { type: 'application/json', text: JSON.stringify(openApi) },
    '/asyncapi.json': { type: 'application/json', text: JSON.stringify(asyncApi) },
    '/reference': { type: 'text/html; charset=utf-8', text: referencePage(openApi as OpenApi, asyncApi as AsyncApi) },
  }
}
