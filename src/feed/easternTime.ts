import { HOUR_US, MS_US } from '../unit/time.ts'

const wallClock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York', hourCycle: 'h23', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric',
})

/** The instant of a minute on US Eastern clocks, with months from 1. Null for a minute that daylight saving skips or repeats. */
export function easternTimeUs(year: number, month: number, day: number, hour: number, minute: number): number | null {
  const asUtcUs = Date.UTC(year, month - 1, day, hour, minute) * MS_US
  const fits = [4, 5].map((behind) => asUtcUs + behind * HOUR_US).filter((us) => {
    const shown = new Map(wallClock.formatToParts(new Date(us / MS_US)).map(({ type, value }) => [type, Number(value)]))
    return shown.get('month') === month && shown.get('day') === day && shown.get('hour') === hour && shown.get('minute') === minute
  })
  return fits.length === 1 ? fits[0]! : null
}
