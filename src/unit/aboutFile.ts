/** What `act` gives, which writes to an open file. What the system throws in it names the file, which Node does not know by then. */
export function aboutFile<T>(path: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { syscall, path: known } = error as NodeJS.ErrnoException
    if (typeof syscall === 'string' && known === undefined) Object.assign(error as Error, { path })
    throw error
  }
}
