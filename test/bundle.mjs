import { bundleFolder } from '../tools/bundle/cache.mjs'

/** Makes the bundle of the command line, which processes and threads of the tests start from, before the first of them needs it. */
export default async function setup() {
  const folder = await bundleFolder()
  if (folder !== null) process.env['PARLOR_TEST_BUNDLE'] = folder
}
