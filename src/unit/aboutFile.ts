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

/** What `act` gives, which makes a file or a folder in `folder`. Where the system allows nobody or not this process to, what it throws says so of the folder. */
export function madeIn<T>(folder: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') (error as Error).message = `nothing can be made in ${folder} (${message})`
    throw error
  }
}
