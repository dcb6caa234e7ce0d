import type { Seen } from '../client.ts'
import type { Area } from '../rules.ts'
import type { ServedProcess } from '../session.ts'
import { ACCESS } from './access.ts'
import { CONVENTIONS } from './conventions.ts'
import { FAULTS, LIMITS, SMALL } from './limits.ts'
import { DRAIN, HEARTBEATS, MINUTES, STREAMS, WIDE } from './streams.ts'
import { TRADES } from './trades.ts'
import { World } from './world.ts'

export { OUTCOME_SESSIONS } from './world.ts'
export const OUTCOME_AREAS: readonly Area<World>[] = [TRADES, ACCESS, CONVENTIONS, STREAMS, HEARTBEATS, MINUTES, DRAIN, WIDE, LIMITS, SMALL, FAULTS]
export const openOutcome = (served: ServedProcess, noted: Seen[], place: number): World => new World(served, noted, place)
