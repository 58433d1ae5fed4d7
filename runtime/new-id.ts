// Ids: UUIDs of version 7, which sort by their time. Random bytes come by the page: asking the system for those of each
// id takes longer than all else about it.
import { v7 as uuid } from 'uuid'

const bytesEach = 16
const page = new Uint8Array(256 * bytesEach)
let at = page.length

export const newId = (time: Date = new Date()): string => uuid({ msecs: time.getTime(), rng: randomBytes })

/** Each byte is handed out once. */
function randomBytes(): Uint8Array {
  if (at === page.length) {
    crypto.getRandomValues(page)
    at = 0
  }
  at += bytesEach
  return page.subarray(at - bytesEach, at)
}
