// Preloaded into processes of tests and their threads: worker threads start from the bundle, as those of the command line do. From the sources
// each would strip and compile what the bundle has in a few files.
import { registerHooks } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.env['PARLOR_TEST_BUNDLE']

if (folder !== undefined) {
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      return /\/src\/.*\.worker\.ts$/.test(found.url) ? { ...found, url: pathToFileURL(join(folder, `${basename(found.url, '.ts')}.js`)).href, format: 'module' } : found
    },
  })
}
