import type { RequestView } from '../../agent/views.ts'
import { NONE } from '../../unit/none.ts'
import type { DeskNames } from '../serviceHandler.ts'

export type RequestNoteKind = 'onRequest' | 'onBest'

/** What a view of a request shows but its legs, as plain numbers; −1 for what is not known. */
export type RequestNumbers = Pick<RequestView, 'request' | 'version' | 'expiresAtUs' | 'betMicros' | 'netStakeMicros' | 'bestOddsE4' | 'bookChanges'>

/** What one message about a request tells every seat that it reaches. The seats differ in the instant and in the number of the note. */
export interface RequestNote extends RequestNumbers {
  readonly names: DeskNames
  readonly kind: RequestNoteKind
  /** JSON of the legs. */
  readonly legs: string
  /** JSON of the fields that a note has of the request, empty until somebody reads it and once it is out of reach. */
  text: string
}

/** Notes that seats may still share, and texts that are kept: a power of two. */
const REACH = 1024
const orNone = (value: number): number => (Number.isNaN(value) ? NONE : value)

/**
 * The notes of requests, which are nearly all that a maker's desk is told. One message reaches every maker, so its note is one for all of
 * their desks, and its text is made when a client reads it.
 */
export class RequestNotes {
  private readonly latest: (RequestNote | undefined)[] = Array.from({ length: REACH }, () => undefined)
  private declare readonly legsText: (names: DeskNames, view: RequestView) => string
  private declare readonly fieldsText: (note: RequestNote) => string

  /** @param legsText JSON of a request's legs. @param fieldsText JSON of the fields of a note. */
  constructor(legsText: (names: DeskNames, view: RequestView) => string, fieldsText: (note: RequestNote) => string) {
    this.legsText = legsText
    this.fieldsText = fieldsText
  }

  /** The note of a view: the one that another seat was told last of the same, or a new one. */
  of(names: DeskNames, kind: RequestNoteKind, view: RequestView): RequestNote {
    const { request, version } = view
    const bookChanges = orNone(view.bookChanges)
    const bestOddsE4 = orNone(view.bestOddsE4)
    const place = (request * 61 + bookChanges) & (REACH - 1)
    const last = this.latest[place]
    const isOfVersion = last !== undefined && last.names === names && last.request === request && last.version === version
    if (isOfVersion && last.kind === kind && last.bookChanges === bookChanges && last.bestOddsE4 === bestOddsE4 && last.expiresAtUs === view.expiresAtUs) return last
    if (last !== undefined) last.text = ''
    const near = isOfVersion ? last : this.latest[(place - 1) & (REACH - 1)]
    const legs = near !== undefined && near.names === names && near.request === request && near.version === version ? near.legs : this.legsText(names, view)
    const { expiresAtUs, betMicros, netStakeMicros } = view
    return this.latest[place] = { names, kind, request, version, expiresAtUs, betMicros, netStakeMicros, bestOddsE4, bookChanges, legs, text: '' }
  }

  /** JSON of the fields that a note has of its request. */
  textOf(note: RequestNote): string {
    if (note.text !== '') return note.text
    const text = this.fieldsText(note)
    const place = (note.request * 61 + note.bookChanges) & (REACH - 1)
    if (this.latest[place] === note) note.text = text
    return text
  }
}
