// Whatever names an entity names the survivor once it is merged: each object that does is changed, and an event says so.
// Where objects name entities is read off what their collections declare. Deleted objects follow in silence: nobody
// sees them until they are restored.
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Collection, Resource } from '../collection/definition.ts'
import { select } from '../collection/rows.ts'
import { documents } from '../documents/collection.ts'
import type { Call } from '../execution/handler.ts'
import { projects } from '../projects/collection.ts'
import { tasks } from '../tasks/collection.ts'
import { crmEntities } from './collection.ts'
import { followComments } from './comments.ts'
import {
  commentPlace,
  holding,
  mark,
  naming,
  rename,
  renamed,
  type Moment,
  type Move,
  type Place,
} from '../collection/reference-columns.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

const referrersMax = 1_000

type Follower = { readonly place: Place; readonly follow: (move: Move, call: Call, next: Moment) => Promise<void> }

const followers = (): Follower[] => [
  ...followersIn(crmEntities),
  ...followersIn(projects),
  ...followersIn(tasks),
  ...followersIn(documents),
]

/** Entities that were merged into the source: nobody sees them, but their ids lead on. */
const merged: Place = { field: 'mergedIntoId', table: 'crm_entity' }

export async function assertFewRefer(move: Move, { db }: Pick<Call, 'db'>): Promise<void> {
  const places = [...followers().map(({ place }) => place), commentPlace, merged]
  const each = places.map((place) => Prisma.sql`SELECT 1 FROM ${holding(place, move)}`)
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM (${Prisma.join(each, ' UNION ALL ')} LIMIT ${referrersMax + 1}) AS named`
  if (Number(row?.count) <= referrersMax) return
  throw new Fault('limit_reached', `More than ${referrersMax} objects name the source: it cannot be merged at once.`, {
    limit: referrersMax,
  })
}

export async function followSurvivor(move: Move, call: Call, next: Moment): Promise<void> {
  for (const { follow } of followers()) await follow(move, call, next)
  await followComments(move, call, next)
  await rename(call.db, merged, move)
}

function followersIn<R extends Resource>(collection: Collection<R>): Follower[] {
  const { table, links, references } = collection
  const naming = references.filter((reference) => reference.table === crmEntities.table)
  return naming.map(({ field }) => {
    const place = { field, table, link: links.find((link) => link.field === field) }
    return { place, follow: (move, call, next) => follow(collection, place, move, call, next) }
  })
}

async function follow<R extends Resource>(
  collection: Collection<R>,
  place: Place,
  move: Move,
  call: Call,
  next: Moment,
): Promise<void> {
  const { db } = call
  const where = Prisma.sql`${naming(place, move)} AND t.deleted_at IS NULL`
  const found = await select(db, collection, { where, tail: Prisma.sql`ORDER BY t.id`, all: false })
  await rename(db, place, move)
  const changed = found.map((before) => {
    const { call: part, keep } = call.part(next())
    const after = bumpVersion(renamed(before, place, move), part)
    part.emit(collection.events.updated, collection.brief(after), collection.brief(before))
    keep()
    return after
  })
  await mark(db, collection.table, changed)
}
