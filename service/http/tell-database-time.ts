// Tells the gateway what a request has cost the database, whether it was answered or refused: the gateway charges it to
// the key.
import type { FastifyReply } from 'fastify'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { countDatabaseTime, type DatabaseTime } from '../execution/database-slots.ts'

const times = new WeakMap<FastifyReply, DatabaseTime>()

/** Counts what the work costs that answers this request. */
export function countedFor<T>(reply: FastifyReply, work: () => T): T {
  const time: DatabaseTime = { ms: 0 }
  times.set(reply, time)
  return countDatabaseTime(time, work)
}

/** Before the head of the answer is sent. Of one that streams, what is spent afterwards stays untold. */
export function tellDatabaseTime(reply: FastifyReply): void {
  const ms = Math.round(times.get(reply)?.ms ?? 0)
  if (ms > 0) reply.header(databaseTimeHeader, ms)
}
