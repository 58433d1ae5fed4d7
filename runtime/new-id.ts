// Ids: UUIDs of version 7, which sort by their time. Random bytes come by the page: asking the system for those of each
// id takes longer than all else about it.
import { v7 as uuid } from 'uuid'

const bytesEach = 16
const page = new Uint8Array(256 * bytesEach)
let at = page.length

export const newId = (time: Date = new Date()): string => uuid({ msecs: time.getTime(), rng: randomBytes })

/** So many ids of one moment, each of which sorts after the one before. */
export const newIds = (count: number, time: Date = new Date()): string[] =>
  Array.from({ length: count }, (_, seq) => uuid({ msecs: time.getTime(), seq, rng: randomBytes }))

/** No id of this moment, or of a later one, sorts before it. */
export const firstIdAt = (time: Date): string =>
  uuid({ msecs: Math.max(0, time.getTime()), seq: 0, random: new Uint8Array(bytesEach) })

/** Each byte is handed out once. */
function randomBytes(): Uint8Array {
  if (at === page.length) {
    crypto.getRandomValues(page)
    at = 0
  }
  at += bytesEach
  return page.subarray(at - bytesEach, at)
}
