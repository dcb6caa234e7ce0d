import { totalmem } from 'node:os'
import { z } from 'zod'
import { ACTIONS_PER_INSTANT_MAX } from '../agent/instantBudget.ts'
import { LOOKS_AGAIN_MAX } from '../agent/looksAgain.ts'
import { thousands } from '../unit/numberText.ts'
import { list } from './fields.ts'
import { quantity, strict } from './settings.ts'
import { quantityText, shown } from './units.ts'

/** What a scenario may allow its strategy files, which rooms do not have otherwise. */
export const PERMISSIONS = ['clock', 'random'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The longest call of a strategy unless the scenario says otherwise, ms of a WorkClock. */
export const CALL_LIMIT_MS = 60_000
const CALL_LIMIT_MS_MIN = 100
const DAY_MS = 86_400_000

/** The memory of a thread that plays unless the scenario says otherwise, MiB: 4 GiB, and at most half of the machine's. */
export const MEMORY_LIMIT_MIB = Math.min(4096, Math.floor(totalmem() / 2 ** 21))
/** The engine itself needs nearly as much for a small session. */
const MEMORY_LIMIT_MIB_MIN = 128
const MEMORY_LIMIT_MIB_MAX = 2 ** 20

const permission = z.enum(PERMISSIONS, {
  error: (issue) => `expected ${PERMISSIONS.join(' or ')}, got ${shown(issue.input)}: a room has no files, network, timers or packages, and --trusted runs strategy files in none`,
})

/** The section `strategies` of a scenario: what strategy files may do, and how much. */
export const strategies = strict({
  allow: list(permission, 0, 'permissions').prefault([])
    .transform((allowed): readonly Permission[] => PERMISSIONS.filter((name) => allowed.includes(name)))
    .describe('what strategy files may do beside answering: clock (Date), random (Math.random); the run is not reproducible then'),
  actionsPerInstant: quantity('count', 1, 1e9).prefault(ACTIONS_PER_INSTANT_MAX)
    .describe(`most commands of a maker (calls of a cohort) at one simulated instant, not counting answers to market events; the run ends above it; default ${thousands(ACTIONS_PER_INSTANT_MAX)}`),
  looksAgain: quantity('count', 1, 1e9).prefault(LOOKS_AGAIN_MAX)
    .describe(`times that a participant is called again about one request, selection or position because it asked for that (later, decideLater, wait, checkIn); more end the run; default ${thousands(LOOKS_AGAIN_MAX)}`),
  callLimit: quantity('ms', CALL_LIMIT_MS_MIN, DAY_MS).prefault(quantityText('ms', CALL_LIMIT_MS))
    .describe('a call of a handler, or the loading of a file, that takes longer, while parlor works, ends the run; default 1m'),
  memoryLimit: quantity('memory', MEMORY_LIMIT_MIB_MIN, MEMORY_LIMIT_MIB_MAX).optional()
    .describe('memory of a thread that plays, beside its history; more ends the run; default 4 GiB, and at most half of the machine\'s'),
})

/** As the section stands in a scenario that was read. */
export type StrategiesFile = z.output<typeof strategies>
