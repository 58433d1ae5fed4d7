// The string formats that the contract's schemas name, beside the standard ones and in place of two of them.
import { eventCatalogue } from '#contract/api.ts'
import { parseRange } from '#runtime/address.ts'

const eventTypes = eventCatalogue.map(({ type }) => type)
const segments = new Set(eventTypes.map((type) => type.split('.')[0]))

// Ours to set, or able to change what the request is.
const reservedHeaders =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|cookie|user-agent|webhook-.*|x-.*-(event|delivery-id|signature|signature-timestamp))$/i

const day = /^\d{4}-\d\d-\d\d$/
const time = /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):\d\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/

export const formats: Record<string, (text: string) => boolean> = {
  // RFC 3339 knows leap seconds and the year 0; neither JavaScript nor the database has a value for them.
  date: (text) => day.test(text) && isStorable(text),
  'date-time': (text) => time.test(text) && isStorable(text),
  'ip-or-cidr': (text) => parseRange(text) !== null,
  'event-pattern': (text) =>
    text === '*' ||
    eventTypes.some((type) => type === text) ||
    (text.endsWith('.*') && segments.has(text.slice(0, -2))),
  'webhook-header': (text) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text) && !reservedHeaders.test(text),
}

/** A day that the calendar has, of the years 1 to 9999, wherever on Earth it is written down. */
function isStorable(text: string): boolean {
  const named = text.slice(0, 10)
  const [start, at] = [new Date(named), new Date(text)]
  if (Number.isNaN(start.getTime()) || Number.isNaN(at.getTime())) return false
  return start.toISOString().startsWith(named) && at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999
}
