// Bodies that are read before their call is under way are held in memory until it has ended. How much of it one key can
// take up is bounded, however many bodies it sends at once and however slowly.
import type { ServerResponse } from 'node:http'
import { Fault } from '#contract/fault.ts'

export type HeldBytes = {
  /** To be told of each piece that comes: throws `unavailable` where it finds no place. Freed when the response closes. */
  holder(keyId: string, response: ServerResponse): OnBytes
}
export type OnBytes = (bytes: number) => void

const bounds = { all: 128 * 1024 * 1024, each: 16 * 1024 * 1024 }

export function heldBytes({ all, each } = bounds): HeldBytes {
  const byKey = new Map<string, number>()
  let total = 0

  function change(keyId: string, by: number): void {
    const bytes = (byKey.get(keyId) ?? 0) + by
    total += by
    if (bytes === 0) byKey.delete(keyId)
    else byKey.set(keyId, bytes)
  }

  function holder(keyId: string, response: ServerResponse): OnBytes {
    let held = 0
    response.once('close', () => change(keyId, -held))
    return (bytes) => {
      if (response.closed) return
      if (total + bytes > all || (byKey.get(keyId) ?? 0) + bytes > each) throw tooMuch()
      held += bytes
      change(keyId, bytes)
    }
  }
  return { holder }
}

const tooMuch = (): Fault =>
  new Fault('unavailable', 'Too much is being sent at once. Send fewer calls at a time.', { retryAfterSeconds: 1 })
