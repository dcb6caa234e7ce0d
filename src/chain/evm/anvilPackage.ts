/** The package with the local EVM chain of a platform, or null where there is none. */
export function anvilPackage(platform: string = process.platform, arch: string = process.arch): string | null {
  const name = ANVILS[`${platform}-${arch}`]
  return name === undefined ? null : `@foundry-rs/anvil-${name}`
}

const ANVILS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64', 'darwin-x64': 'darwin-amd64', 'linux-arm64': 'linux-arm64', 'linux-x64': 'linux-amd64', 'win32-x64': 'win32-amd64',
}
