// What a request costs in database time: for as long as its calls hold a slot. Whoever answers the request tells the
// gateway, which charges it to the key's rate limit (gateway/rate-limit/charge.ts).
import { AsyncLocalStorage } from 'node:async_hooks'

export type DatabaseTime = { ms: number }

const current = new AsyncLocalStorage<DatabaseTime>()

/** What is spent within `work`, at any depth, is added to `time`. */
export const countDatabaseTime = <T>(time: DatabaseTime, work: () => T): T => current.run(time, work)

export function spendDatabaseTime(ms: number): void {
  const time = current.getStore()
  if (time !== undefined) time.ms += ms
}
