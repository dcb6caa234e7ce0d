import type { RequestView } from '../../agent/views.ts'
import { NONE } from '../../unit/none.ts'
import type { DeskNames } from '../serviceHandler.ts'

export type RequestNoteKind = 'onRequest' | 'onBest'

/** One version of a request, as every seat is told it. */
export interface RequestVersion extends Pick<RequestView, 'request' | 'version' | 'betMicros' | 'netStakeMicros'> {
  readonly names: DeskNames
  /** JSON of the legs. */
  readonly legs: string
}

/** What one message about a request tells every seat that it reaches. The seats differ in the instant and in the number of the note. Numbers that are not known are −1. */
export interface RequestNote extends Pick<RequestView, 'expiresAtUs' | 'bestOddsE4' | 'bookChanges'> {
  readonly of: RequestVersion
  readonly kind: RequestNoteKind
  /** JSON of the fields that a note has of the request, empty until somebody reads it and once it is out of reach. */
  text: string
}

/** Notes that seats may still share, texts that are kept, and versions: a power of two. */
const REACH = 1024
const orNone = (value: number): number => (Number.isNaN(value) ? NONE : value)

/**
 * The notes of requests, which are nearly all that a maker's desk is told. One message reaches every maker, so its note is one for all of
 * their desks, and its text is made when a client reads it.
 */
export class RequestNotes {
  private readonly latest: (RequestNote | undefined)[] = Array.from({ length: REACH }, () => undefined)
  private readonly versions: (RequestVersion | undefined)[] = Array.from({ length: REACH }, () => undefined)
  private declare readonly legsText: (names: DeskNames, view: RequestView) => string
  private declare readonly fieldsText: (note: RequestNote) => string

  /** @param legsText JSON of a request's legs. @param fieldsText JSON of the fields of a note. */
  constructor(legsText: (names: DeskNames, view: RequestView) => string, fieldsText: (note: RequestNote) => string) {
    this.legsText = legsText
    this.fieldsText = fieldsText
  }

  /** The note of a view: the one that another seat was told last of the same, or a new one. */
  of(names: DeskNames, kind: RequestNoteKind, view: RequestView): RequestNote {
    const { request } = view
    const bookChanges = orNone(view.bookChanges)
    const bestOddsE4 = orNone(view.bestOddsE4)
    const { expiresAtUs } = view
    const place = placeOf(request, bookChanges)
    const last = this.latest[place]
    const isSame = last !== undefined && last.kind === kind && last.bookChanges === bookChanges && last.bestOddsE4 === bestOddsE4 && last.expiresAtUs === expiresAtUs
    if (isSame && isOf(last, names, view)) return last
    if (last !== undefined) last.text = ''
    const of = this.versionOf(names, view)
    return this.latest[place] = { of, kind, expiresAtUs, bestOddsE4, bookChanges, text: '' }
  }

  private versionOf(names: DeskNames, view: RequestView): RequestVersion {
    const { request, version, betMicros, netStakeMicros } = view
    const place = request & (REACH - 1)
    const last = this.versions[place]
    if (last !== undefined && last.request === request && last.version === version && last.names === names) return last
    return this.versions[place] = { names, request, version, betMicros, netStakeMicros, legs: this.legsText(names, view) }
  }

  /** JSON of the fields that a note has of its request. The text of a note that another has displaced is made again for each read. */
  textOf(note: RequestNote): string {
    if (note.text !== '') return note.text
    const text = this.fieldsText(note)
    if (this.latest[placeOf(note.of.request, note.bookChanges)] === note) note.text = text
    return text
  }
}

const placeOf = (request: number, bookChanges: number): number => (request * 61 + bookChanges) & (REACH - 1)
const isOf = ({ of }: RequestNote, names: DeskNames, { request, version }: RequestView): boolean => of.request === request && of.version === version && of.names === names
