// A body that is read before its call goes on is held in memory until the call has ended. How much memory the bodies of
// one key take up is bounded, however many it sends at once and however slowly.
import { type Fault, overCapacity } from '#contract/faults/fault.ts'
import type { RequestContext } from '../request/request-context.ts'

export type BodyMemory = {
  /**
   * Returns what is to be called with the size of each piece that arrives; that throws `unavailable` when a bound is
   * reached. The bytes are freed when the response closes.
   */
  countBytes(keyId: string, context: Closing): OnBytes
  /** Of all keys, in bytes. */
  held(): number
}
type Closing = Pick<RequestContext, 'isClosed' | 'onClose'>
export type OnBytes = (bytes: number) => void

const bounds = { all: 128 * 1024 * 1024, each: 16 * 1024 * 1024 }

export function bodyMemory({ all, each } = bounds): BodyMemory {
  const byKey = new Map<string, number>()
  let total = 0

  function change(keyId: string, by: number): void {
    const bytes = (byKey.get(keyId) ?? 0) + by
    total += by
    if (bytes === 0) byKey.delete(keyId)
    else byKey.set(keyId, bytes)
  }

  function countBytes(keyId: string, context: Closing): OnBytes {
    let held = 0
    context.onClose(() => change(keyId, -held))
    return (bytes) => {
      if (context.isClosed) return
      if (total + bytes > all || (byKey.get(keyId) ?? 0) + bytes > each) throw tooMuch()
      held += bytes
      change(keyId, bytes)
    }
  }
  return { countBytes, held: () => total }
}

const tooMuch = (): Fault => overCapacity('body-memory', 'Too much is being sent at once. Send fewer calls at a time.')
