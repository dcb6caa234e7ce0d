import { statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { acting } from './options.ts'

export interface ViewOptions {
  /** A free one by default. */
  readonly port?: number
}

/** Pages of a folder of results, for this machine alone. */
export interface View {
  readonly url: string
  /** Ends the server. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/**
 * Shows a folder of results as pages: a list of runs, sweeps, leagues and validations, the page of each, and two runs compared. The server listens
 * on this machine alone, answers no other name than its own, and changes nothing. Each page is made of the files as they are when it is asked for.
 *
 * @param folder the folder whose folders are results, `runs` by default
 * @returns where the pages are
 * @throws InputError for a folder that is not there, and for a port that is taken
 * @example
 * const { url, close } = await view('runs')
 */
export const view = (folder = 'runs', { port = 0 }: ViewOptions = {}): Promise<View> => acting(async () => {
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) throw new InputError('no such folder', { position: { file: folder }, hint: 'expected a folder of results, as runs' })
  const { promise, resolve: isListening, reject } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const own = (server.address() as AddressInfo).port
    void answerTo(folder, { method: request.method ?? '', url: request.url ?? '/', host: request.headers.host ?? '', own }).then((answer) => { send(response, answer) })
  })
  server.once('error', (cause: NodeJS.ErrnoException) => {
    reject(new InputError(cause.code === 'EADDRINUSE' ? `port ${port} is taken` : `cannot listen at port ${port} (${cause.code})`, { hint: 'leave --port out, and a free one is taken', cause }))
  })
  server.listen(port, LOOPBACK, isListening)
  await promise
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/`,
    async close() {
      const { promise: isClosed, resolve: closed } = Promise.withResolvers<void>()
      server.close(() => { closed() })
      server.closeAllConnections()
      await isClosed
    },
  }
})

interface Asked {
  readonly method: string
  readonly url: string
  readonly host: string
  /** The port of this server. */
  readonly own: number
}

interface Answered {
  readonly status: number
  readonly type: 'text/html' | 'text/plain'
  readonly body: string
}

const said = (status: number, body: string): Answered => ({ status, type: 'text/plain', body: `${body}\n` })

/** Never rejects. A page of another site that knows this port has another host in its request: it gets nothing. */
async function answerTo(folder: string, { method, url, host, own }: Asked): Promise<Answered> {
  if (![`${LOOPBACK}:${own}`, `localhost:${own}`].includes(host)) return said(403, 'this server answers to its own name alone')
  if (method !== 'GET' && method !== 'HEAD') return said(405, 'there is nothing to change here')
  try {
    const page = await pageAt(folder, new URL(url, `http://${LOOPBACK}`))
    return page === null ? said(404, 'there is no such page') : { status: 200, type: 'text/html', body: page }
  } catch (error) {
    return said(500, error instanceof Error ? error.message : String(error))
  }
}

/** Null where there is no such page. Names are those of the list, so that no other file is read. */
async function pageAt(folder: string, { pathname, searchParams }: URL): Promise<string | null> {
  const [{ listResults }, { listPage, resultUrl }] = await Promise.all([import('../report/resultList.ts'), import('../report/listPage.ts')])
  const results = listResults(folder)
  if (pathname === '/') return listPage(basename(resolve(folder)), results)
  const shown = results.find(({ name, isDamaged }) => !isDamaged && resultUrl(name) === pathname)
  if (shown !== undefined) {
    const { pageOfResult } = await import('../report/folderReport.ts')
    return pageOfResult(join(folder, shown.name))
  }
  const [a, b] = ['a', 'b'].map((side) => results.find(({ name, kind }) => kind === 'run' && name === searchParams.get(side))?.name)
  if (pathname !== '/compare' || a === undefined || b === undefined) return null
  const [{ diff }, { diffPage }] = await Promise.all([import('./diff.ts'), import('../report/diffPage.ts')])
  return diffPage(await diff(join(folder, a), join(folder, b)), { a, b })
}

function send(response: ServerResponse, { status, type, body }: Answered): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY',
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
