// What follows a commit that has recorded events, whoever made it: those who wait are told, and the dispatcher.
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'
import { openWaiting, type Waiting } from '../events/waiting.ts'
import { announcer, type Announce, type Publish } from './publish.ts'

/** Closed first: nobody who calls then waits any longer. */
export type News = Part & Pick<Waiting, 'more'> & { readonly announceEvents: Announce }

export function openNews(db: Database, publish: Publish, log: FastifyBaseLogger): News {
  const { more, tell, close } = openWaiting(db, (err) => log.warn({ err }, 'looking for events failed, trying again'))
  const announceEvents = announcer(publish, tell, (err, notices) =>
    log.warn({ err, events: notices.length }, 'events not announced, the sweeper will find them'),
  )
  return { more, announceEvents, close }
}
