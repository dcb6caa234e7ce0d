import { spawn } from 'node:child_process'
import { resolve as resolvePath } from 'node:path'
import type { Command } from 'commander'
import { remark } from './common.ts'

/** Option of the commands that leave a page. */
export interface OpenOption {
  readonly open?: boolean
}

export const withOpen = (command: Command): Command => command.option('--open', 'open the page in the browser')

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }

/** Opens a page with the program of the desktop, and waits for nothing of it. @param page a path, or a URL */
export async function openPage(page: string): Promise<void> {
  // A path that begins with a dash would be an option.
  const path = page.startsWith('http://') ? page : resolvePath(page)
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program!, [...args, path], { detached: true, stdio: 'ignore' })
  await new Promise<void>((resolve) => {
    child.once('spawn', resolve)
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      remark(`${program} ${code === 'ENOENT' ? 'is missing' : `cannot be started (${code})`}, so that no browser is opened: the page is ${path}`)
      resolve()
    })
  })
  child.unref()
}
