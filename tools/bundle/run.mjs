// Runs a script as the command line runs, from a bundle: `node tools/bundle/run.mjs SCRIPT [ARGS]`. Benches and long plays are started in this way.
import { enableCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleFolder, CACHE } from './cache.mjs'

const script = resolve(process.argv[2])
process.argv.splice(1, 2, script)
enableCompileCache(CACHE)
const folder = await bundleFolder(script)
const moduleOf = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href)

if (folder === null) await import(pathToFileURL(script).href)
else {
  const { nameSources } = await moduleOf('sourcePlaces')
  nameSources()
  await moduleOf('script')
}
