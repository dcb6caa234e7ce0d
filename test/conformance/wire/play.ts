import { inTime, isUnread, type Seen } from './client.ts'
import { OUTCOME_AREAS, openOutcome, OUTCOME_SESSIONS } from './outcome/index.ts'
import { openParlay, PARLAY_AREAS, PARLAY_SESSIONS } from './parlay/index.ts'
import type { Area, Row } from './rules.ts'
import { ServedProcess, type SessionTerms } from './session.ts'

/** Some rows wait for a fault that comes again every minute, or for window after window. */
const ROW_MS = 400_000

/** What came of a row. */
export interface Outcome {
  readonly ids: readonly string[]
  readonly area: string
  readonly session: string
  readonly about: string
  /** Why it is refuted; null: it is proven. */
  readonly why: string | null
  readonly seen: readonly Seen[]
}

export interface PlayTerms {
  /** The checkout whose `parlor serve` is played. */
  readonly root: string
  /** Whether an area of a session is played. */
  readonly isPlayed: (session: string, area: string) => boolean
  /** How many rules of a session are tried at a time. */
  readonly abreast: number
  /** How many sessions are played at a time. */
  readonly sessions: number
}

/** One session that is to be played, with what comes of its rows. */
interface Job {
  readonly name: string
  readonly play: (terms: PlayTerms) => Promise<Outcome[]>
}

type Open<W> = (served: ServedProcess, noted: Seen[], place: number) => W

/** Plays the sessions of both services side by side, as many as are wanted. The outcomes come in the order of the tables. */
export async function playAll(terms: PlayTerms): Promise<readonly Outcome[]> {
  const parlay = jobsOf(PARLAY_SESSIONS, PARLAY_AREAS, openParlay, terms)
  const outcome = jobsOf(OUTCOME_SESSIONS, OUTCOME_AREAS, openOutcome, terms)
  const jobs = [...parlay, ...outcome]
  const outcomes: Outcome[][] = jobs.map(() => [])
  // Each table has its longest sessions first, and so has the whole.
  const places = [...parlay.map((_, i) => [i, i] as const), ...outcome.map((_, i) => [i, parlay.length + i] as const)].toSorted(([a], [b]) => a - b)
  const waiting = places.map(([, place]) => [place, jobs[place]!] as const)
  const next = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const [place, { name, play }] = job
      const beganMs = Date.now()
      outcomes[place] = await play(terms)
      console.error(`${name}: ${Math.round((Date.now() - beganMs) / 1000)} s`)
    }
  }
  await Promise.all(Array.from({ length: terms.sessions }, next))
  return outcomes.flat()
}

function jobsOf<W>(sessions: Readonly<Record<string, SessionTerms>>, areas: readonly Area<W>[], open: Open<W>, { isPlayed }: PlayTerms): Job[] {
  return Object.entries(sessions).flatMap(([name, session]) => {
    const played = areas.filter((area) => area.session === name && isPlayed(name, `${area.service}/${area.name}`))
    return played.length === 0 ? [] : [{ name, play: (terms: PlayTerms) => playSession(session, played, open, terms) }]
  })
}

async function playSession<W>(session: SessionTerms, areas: readonly Area<W>[], open: Open<W>, { root, abreast }: PlayTerms): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let served: ServedProcess
  try {
    served = await ServedProcess.start(root, session)
  } catch (error) {
    return areas.flatMap((area) => area.rows.map((row) => ({ ...partsOf(area, row), why: messageOf(error), seen: [] })))
  }
  try {
    for (const area of areas) outcomes.push(...await playArea(served, area, open, abreast))
  } finally {
    await served.end().catch((error: unknown) => { console.error(String(error)) })
  }
  return outcomes
}

async function playArea<W>(served: ServedProcess, area: Area<W>, open: Open<W>, abreast: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  // Rows that need what does not come say so.
  await area.begins?.(open(served, [], 0)).catch(() => {})
  const rows = [...area.rows.entries()]
  const next = async (): Promise<void> => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) outcomes[row[0]] = await playRow(served, area, row[1], row[0], open)
  }
  await Promise.all(Array.from({ length: area.isOneByOne === true ? 1 : area.isAtOnce === true ? rows.length : abreast }, next))
  return outcomes
}

const messageOf = (error: unknown): string => String(error instanceof Error ? error.message : error)
const partsOf = <W>({ name, service, session }: Area<W>, [ids, about]: Row<W>): Pick<Outcome, 'ids' | 'area' | 'session' | 'about'> => ({ ids: ids.split(' '), area: `${service}/${name}`, session, about })

async function playRow<W>(served: ServedProcess, area: Area<W>, row: Row<W>, place: number, open: Open<W>): Promise<Outcome> {
  const seen: Seen[] = []
  let why: string | null = null
  try {
    await inTime(row[2](open(served, seen, place)), 'the end of the row', ROW_MS)
    const passed = seen.find(isUnread)
    if (passed !== undefined) why = `nobody looks whether ${passed.method} ${passed.path} succeeds`
    if (seen.length === 0) why = 'nothing was seen'
  } catch (error) {
    why = messageOf(error)
  }
  return { ...partsOf(area, row), why, seen }
}
