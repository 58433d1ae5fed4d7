// Ids of events, and of their deliveries, begin with the milliseconds of their time.

const msMax = 2 ** 48 - 1

/** Not later than any id of this time, and later than all ids of an earlier one. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), msMax).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
