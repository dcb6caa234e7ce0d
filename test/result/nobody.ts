import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { newFolder } from '../scenario/small.ts'

const NOBODY = 65_534

/** A folder that every user can reach and read. */
export function reachableFolder(): string {
  const folder = newFolder()
  for (let above = folder; basename(above).startsWith('parlor-'); above = dirname(above)) chmodSync(above, 0o755)
  return folder
}

/**
 * Runs a script in a process that may not write what belongs to this one. `modules`: by an imported name, the path below `src/`. The superuser
 * may write everything, so that the process becomes another user's when its modules are loaded.
 */
export function asNobody(modules: Readonly<Record<string, string>>, script: string): { readonly status: number | null; readonly out: string; readonly err: string } {
  const imports = Object.entries(modules).map(([name, path]) => `const { ${name} } = await import(${JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)})`)
  const become = `if (process.getuid() === 0) { process.setgroups([]); process.setgid(${NOBODY}); process.setuid(${NOBODY}) }`
  const temporary = reachableFolder()
  chmodSync(temporary, 0o777)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', [...imports, become, script].join('\n')], { encoding: 'utf8', env: { ...process.env, TMPDIR: temporary } })
  return { status, out: stdout, err: stderr }
}
