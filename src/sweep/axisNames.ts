/** What a setting is called: of a participant by its name, `margin of fixed-margin`; of anything else by its path. @param makers names of the makers by their place in the file */
export function axisName(path: string, makers: readonly (string | undefined)[], bettors: readonly (string | undefined)[] = []): string {
  const [, role, place, rest] = /^(makers|bettors)\.(\d+)\.(?:params\.)?(.+)$/.exec(path) ?? []
  const name = (role === 'makers' ? makers : bettors)[Number(place)]
  return rest === undefined || name === undefined ? path : `${rest} of ${name}`
}

/** The settings of a point in words: `margin 4%`. Where two axes end alike, each has its whole name. @param names of axes, by path */
export function settingsText(settings: Readonly<Record<string, string>>, names: Readonly<Record<string, string>> = {}): string {
  const lastOf = (path: string): string => path.split('.').at(-1)!
  const paths = Object.keys(settings)
  const isAlone = (path: string): boolean => paths.filter((other) => lastOf(other) === lastOf(path)).length === 1
  return paths.map((path) => `${isAlone(path) ? lastOf(path) : names[path] ?? path} ${settings[path]}`).join(', ')
}
