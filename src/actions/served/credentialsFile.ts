import { readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeWholeText } from '../../arrow/wholeFile.ts'
import { codeOf } from '../../result/failures.ts'
import { NeededFolder, permitted } from '../../result/folders.ts'

const OWNER_ONLY = 0o600

/** The credentials of a session's clients: a file for its owner alone, which another session may replace by its own. */
export class CredentialsFile {
  private readonly path: string
  private readonly folder: NeededFolder
  private text: string | null = null

  constructor(path: string) {
    this.path = path
    this.folder = new NeededFolder(dirname(path))
  }

  /** Whoever waits for the file finds it whole. Throws InputError where nothing can be made. */
  write(credentials: unknown): void {
    const text = `${JSON.stringify(credentials, null, 2)}\n`
    permitted(() => { this.folder.make() })
    try {
      writeWholeText(this.path, text, OWNER_ONLY)
    } catch (error) {
      this.folder.removeIfEmpty()
      throw error
    }
    this.text = text
  }

  /**
   * Removes what it wrote, with the folders that it made. Harmless before that, and where the file is another session's by now. Throws what
   * the system says of a file that cannot be read or removed, with its path.
   */
  remove(): void {
    if (this.text === null) return
    if (textOf(this.path) === this.text) rmSync(this.path, { force: true })
    this.folder.removeIfEmpty()
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    // Node gives no path with EISDIR.
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
