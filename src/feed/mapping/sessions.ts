/** What one recorder took of a socket without a break that overlaps. */
export interface Session {
  readonly number: number
  /** When the last frame came that is no whole book, µs. */
  lastUs: number
}

/** The sessions of an import: those that columns name, and those that files are. */
export class Sessions {
  private readonly all: Session[] = []
  private readonly ofName = new Map<string, Session>()
  private readonly fileSessions = new Map<string, Session>()

  named(name: string): Session {
    return this.ofName.get(name) ?? this.begun(this.ofName, name)
  }

  /** A file that begins no earlier than another one ended goes on with its session: the recorder began a file, or came back. `atUs`: of a row of the file. */
  ofFile(file: string, atUs: number): Session {
    const known = this.fileSessions.get(file)
    if (known !== undefined) return known
    const before = this.all.findLast(({ lastUs }) => lastUs <= atUs)
    if (before === undefined) return this.begun(this.fileSessions, file)
    this.fileSessions.set(file, before)
    return before
  }

  private begun(map: Map<string, Session>, key: string): Session {
    const session = { number: this.all.length, lastUs: -Infinity }
    this.all.push(session)
    map.set(key, session)
    return session
  }
}
