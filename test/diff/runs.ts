import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { changedRun, scenarioOfRun } from '../../src/proof/changedRun.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { played } from '../scenario/finishedRun.ts'
import { newFolder, put } from '../scenario/small.ts'

/** Plays a scenario into a folder of its own. Returns that of the run. */
export async function ran(text: string, files: Readonly<Record<string, string>> = {}, set: readonly string[] = []): Promise<string> {
  const folder = newFolder()
  for (const [name, content] of Object.entries(files)) put(folder, name, content)
  return (await played(loadScenario(put(folder, 'small.yaml', text), { set }), folder)).path
}

/** Plays a run again with something changed, beside the run. */
export async function changed(run: string, set: readonly string[], from?: string): Promise<{ readonly path: string; readonly digest: string; readonly said: readonly string[] }> {
  const said: string[] = []
  const prepared = await changedRun({ run, set, ...(from === undefined ? {} : { from }) }, { say: (line) => { said.push(line) } })
  const { path, manifest } = await runScenario(scenarioOfRun(run, from === undefined ? set : []), prepared, { target: { path: join(run, '..', 'changed'), numbered: true, force: false } })
  return { path, digest: manifest.digest, said }
}

/** Takes a column out of a table, as runs of older versions lack it. */
export function withoutColumn(run: string, table: string, column: string): void {
  const path = join(run, 'tables', `${table}.arrow`)
  const whole = tableFromIPC(readFileSync(path))
  writeFileSync(path, tableToIPC(whole.select(whole.schema.names.filter((name) => name !== column)), 'file'))
}
