const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const hour = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })

/** Days are those of UTC, as they are counted; hours are the reader's. */
export const periodName = (from: string, by: 'hour' | 'day'): string =>
  (by === 'day' ? day : hour).format(new Date(from))
