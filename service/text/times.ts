// Days and times as text (RFC 3339). Input has times in UTC, so that no offset reaches a database: it has bounds of its
// own for them, which are narrower. Pure.

const day = /^\d{4}-\d\d-\d\d$/
const local = String.raw`\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d`
const offset = String.raw`(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`
const time = new RegExp(String.raw`^(${local}:[0-5]\d)(\.\d{1,9})?(${offset})$`)
const leapSecond = new RegExp(String.raw`^${local}:60(?:\.\d{1,9})?${offset}$`)
const spaceForPlus = new RegExp(String.raw`^${local}:[0-5]\d(?:\.\d{1,9})? \d\d:\d\d$`)

/** A day that the calendar has. Neither JavaScript nor the database has a value for the year 0. */
export const isDay = (text: string): boolean => day.test(text) && isStorable(text, text)

/** A time of the years 1 to 9999, wherever on Earth it is written down. */
export const isTime = (text: string): boolean => time.test(text) && isStorable(text.slice(0, 10), text)

/** The same moment in UTC, with the digits that it was given; what is no time stays as it is. */
export function inUtc(text: string): string {
  const [, seconds = '', fraction = '', zone = ''] = time.exec(text) ?? []
  if (!isTime(text)) return text
  return new Date(seconds + zone).toISOString().replace('.000Z', `${fraction}Z`)
}

/** Returns what is wrong with text that is no time. */
export function timeError(text: unknown): string {
  const example = 'Must be a time of RFC 3339, such as 2026-01-31T12:00:00Z.'
  if (typeof text !== 'string') return example
  if (leapSecond.test(text)) return 'Leap seconds are not taken: send the second before it or the one after.'
  return time.test(text) && isDay(text.slice(0, 10)) ? 'Must lie in the years 0001 to 9999, in UTC too.' : example
}

/** A `+` that was not encoded arrives as a space: `2026-01-31T12:00:00 02:00`. */
export const lacksPlus = (text: string): boolean => spaceForPlus.test(text)

function isStorable(named: string, text: string): boolean {
  const [start, at] = [new Date(named), new Date(text)]
  if (Number.isNaN(start.getTime()) || Number.isNaN(at.getTime())) return false
  return start.toISOString().startsWith(named) && at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999
}

/** Is it the name of a time zone? Of an offset, such as +02:00, the database reads the sign the other way round. */
export function isTimeZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone })
    return /^[a-z]/i.test(timeZone)
  } catch {
    return false
  }
}
