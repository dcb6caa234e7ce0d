import { HOUR_US, MINUTE_US, MS_US } from '../../unit/time.ts'

const DAY_MS = 86_400_000
const QUARTER_US = 15 * MINUTE_US
const OFFSET = /^([+-])(\d\d):(\d\d)$/
/** Clocks stand from 12 hours behind UTC to 14 ahead of it. */
const [FIRST_OFFSET_US, LAST_OFFSET_US] = [-12 * HOUR_US, 14 * HOUR_US]

/** An offset from UTC, µs. NaN for one that no clock has. */
export function offsetOf(isBehind: boolean, hours: number, minutes: number): number {
  const us = (hours * HOUR_US + minutes * MINUTE_US) * (isBehind ? -1 : 1)
  return minutes < 60 && us >= FIRST_OFFSET_US && us <= LAST_OFFSET_US ? us + 0 : NaN
}

/** The same of a name as `+02:00`. Undefined for a name of another form. */
function offsetOfName(name: string): number | undefined {
  const offset = OFFSET.exec(name)
  return offset === null ? undefined : offsetOf(offset[1] === '-', Number(offset[2]), Number(offset[3]))
}

/** Whether a name is `UTC`, an offset as `+02:00`, or a zone that this Node knows. */
export function isZone(name: string): boolean {
  const offsetUs = offsetOfName(name)
  if (offsetUs !== undefined) return !Number.isNaN(offsetUs)
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The clocks of a time zone. */
export class Zone {
  /** µs ahead of UTC, where that never changes. */
  private declare readonly fixedUs: number | null
  private declare readonly clock: Intl.DateTimeFormat | null
  /** Offsets, µs, by quarter of an hour on the zone's clocks, the one of the earlier instant first: zones change at whole quarters. */
  private readonly known = new Map<number, readonly number[]>()

  /** Precondition: `isZone`. */
  constructor(name: string) {
    this.fixedUs = offsetOfName(name) ?? (/^(UTC|GMT|Etc\/UTC)$/i.test(name) ? 0 : null)
    this.clock = this.fixedUs !== null ? null : new Intl.DateTimeFormat('en-US', {
      timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    })
  }

  /** The instants at which the zone's clocks show a time, in order, all µs since the epoch: none for a time that they skip, two for one that they repeat. */
  instantsUs(wallUs: number): readonly number[] {
    if (this.fixedUs !== null) return [wallUs - this.fixedUs]
    const quarter = Math.floor(wallUs / QUARTER_US)
    let offsetsUs = this.known.get(quarter)
    if (offsetsUs === undefined) {
      offsetsUs = this.offsetsOfWall((quarter * QUARTER_US) / MS_US)
      this.known.set(quarter, offsetsUs)
    }
    return offsetsUs.map((offsetUs) => wallUs - offsetUs)
  }

  private offsetsOfWall(wallMs: number): number[] {
    const fits = new Set([-DAY_MS, DAY_MS].map((away) => this.offsetAt(wallMs + away)).filter((offset) => this.offsetAt(wallMs - offset) === offset))
    return [...fits].sort((a, b) => b - a).map((offset) => offset * MS_US)
  }

  /** How far the clocks are ahead of UTC at an instant, ms. */
  private offsetAt(atMs: number): number {
    const shown = new Map(this.clock!.formatToParts(new Date(atMs)).map(({ type, value }) => [type, Number(value)]))
    const part = (name: Intl.DateTimeFormatPartTypes) => shown.get(name)!
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - Math.floor(atMs / 1000) * 1000
  }
}
