import { MINUTE_US, MS_US, SECOND_US } from '../../unit/time.ts'
import { offsetOf } from './zone.ts'

/** ISO 8601 as most recordings have it: `2025-06-19T19:00:00`, with up to nine decimals, with `Z`, an offset or neither. */
export class IsoTime {
  /** Whether the text that was read last names no zone. */
  isNaive = false
  /** The date that was read last: times of one day mostly follow each other. */
  private date = ''
  private dateUs = NaN

  /** µs since the epoch, rounded up, and as if in UTC for a text that names no zone. NaN for a text of any other form, which may be a time too. */
  read(text: string): number {
    if (text.length < 19 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return NaN
    const between = text.charCodeAt(10)
    if (between !== 84 && between !== 32) return NaN
    const hour = twoDigits(text, 11)
    const minute = twoDigits(text, 14)
    const second = twoDigits(text, 17)
    if (!(hour < 24 && minute < 60 && second < 60)) return NaN
    let us = (hour * 60 + minute) * MINUTE_US + second * SECOND_US
    let at = 19
    if (text.charCodeAt(at) === 46) {
      let unit = SECOND_US / 10
      let rest = 0
      for (at += 1; at < text.length; at += 1) {
        const digit = text.charCodeAt(at) - 48
        if (!(digit >= 0 && digit <= 9)) break
        if (unit >= 1) us += digit * unit
        else if (digit > 0) rest = 1
        unit /= 10
      }
      if (at === 20 || at > 29) return NaN
      us += rest
    }
    return this.dayUs(text) + us - this.offsetUs(text, at)
  }

  /** NaN for a date that there is not. */
  private dayUs(text: string): number {
    const date = text.slice(0, 10)
    if (date !== this.date) {
      const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN
      // A day that the month does not have may be moved on.
      this.dateUs = Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? NaN : ms * MS_US
      this.date = date
    }
    return this.dateUs
  }

  private offsetUs(text: string, at: number): number {
    this.isNaive = at === text.length
    if (this.isNaive) return 0
    const sign = text.charCodeAt(at)
    if (sign === 90) return at + 1 === text.length ? 0 : NaN
    if ((sign !== 43 && sign !== 45) || at + 6 !== text.length || text.charCodeAt(at + 3) !== 58) return NaN
    return offsetOf(sign === 45, twoDigits(text, at + 1), twoDigits(text, at + 4))
  }
}

/** NaN for what is no two digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}
