// What follows a commit that has recorded events, whoever made it: those who wait are told, and the dispatcher.
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'
import { rarely } from '#runtime/throttled-log.ts'
import { openWaiting, type Waiting } from './long-poll.ts'
import { announcer, type Announce, type Publish } from '../outbox/publish.ts'

// While the broker is away there is one for each change.
const sayEveryMs = 10_000

/** Closed first: nobody who calls then waits any longer. */
export type News = Part & Pick<Waiting, 'more'> & { readonly announceEvents: Announce }

export function openNews(db: Database, publish: Publish, log: FastifyBaseLogger): News {
  const { more, tell, close } = openWaiting(db, (err) => log.warn({ err }, 'looking for events failed, trying again'))
  const saying = rarely(sayEveryMs)
  const announceEvents = announcer(publish, tell, (err, notices) =>
    saying('lost', notices.length, (events) =>
      log.warn({ err, events }, 'events not announced, the sweeper will find them'),
    ),
  )
  return { more, announceEvents, close }
}
