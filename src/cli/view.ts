import type { Command } from 'commander'
import { InputError } from '../unit/inputError.ts'
import { common, type CommonOptions, print, printJson, wholeNumber } from './common.ts'
import { type OpenOption, openPage } from './openPage.ts'
import { RUNS_FOLDER } from './run.ts'
import type { Interruption } from './signals.ts'

interface ViewCommandOptions extends CommonOptions, OpenOption {
  readonly port?: string
}

const PORT_MAX = 65_535

export function addView(program: Command, interruption: () => Interruption): void {
  const command = program.command('view').argument('[folder]', `folder of results; default: ${RUNS_FOLDER}`)
    .summary('show a folder of results as pages: list, search, open, compare')
    .description('Show the runs, sweeps, leagues and validations of a folder as pages, on this machine alone: a list to search and sort, the page of each, and two runs compared. Ctrl-C ends it. Nothing is written.')
    .option('--port <n>', 'port to listen at; default: a free one')
    .option('--open', 'open the list in the browser')
  common(command, 'parlor view', 'parlor view runs --port 8080 --open')
    .action(async (folder: string | undefined, options: ViewCommandOptions) => { await view(folder ?? RUNS_FOLDER, options, interruption()) })
}

async function view(folder: string, { port, open: isOpened, json }: ViewCommandOptions, { signal }: Interruption): Promise<void> {
  const actions = await import('../actions/view.ts')
  const { url, close } = await actions.view(folder, port === undefined ? {} : { port: portOf(port) })
  if (json === true) printJson({ url, pid: process.pid })
  else print(`${url}\nCtrl-C ends it.`)
  if (isOpened === true) await openPage(url)
  const { promise, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => { resolve() })
  if (signal.aborted) resolve()
  await promise
  await close()
}

function portOf(text: string): number {
  const port = wholeNumber(text, 'a --port')
  if (port > PORT_MAX) throw new InputError(`expected a --port up to ${PORT_MAX}, got ${text}`)
  return port
}
