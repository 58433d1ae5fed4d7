// Whatever names an entity names the survivor once it is merged: each object that does is changed, and an event says so.
// Where objects name entities is read off what their collections declare. Deleted objects follow in silence: nobody
// sees them until they are restored.
import { Fault } from '#contract/fault.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Collection } from '../collection/define.ts'
import type { Resource } from '../collection/resource.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import { select } from '../collection/find.ts'
import type { Call } from '../execution/handler.ts'
import { crmEntities } from './collection.ts'
import { followComments } from './comments.ts'
import {
  commentPlace,
  holding,
  mark,
  naming,
  placesOf,
  rename,
  renamed,
  type Moment,
  type Move,
  type Place,
} from '../collection/reference-columns.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

const referrersMax = 1_000

type Follower = { readonly place: Place; readonly follow: (move: Move, call: Call, next: Moment) => Promise<void> }

/** Among them are entities that were merged into the source: nobody sees them, but their ids lead on. */
const followersIn = (eachCollection: EachCollection): Follower[] =>
  eachCollection<Follower[]>((collection) =>
    placesOf(collection, crmEntities.table).map((place) => ({
      place,
      follow: (move, call, next) => follow(collection, place, move, call, next),
    })),
  ).flat()

export async function assertFewRefer(
  eachCollection: EachCollection,
  move: Move,
  { db }: Pick<Call, 'db'>,
): Promise<void> {
  const places = [...followersIn(eachCollection).map(({ place }) => place), commentPlace]
  const each = places.map((place) => Prisma.sql`SELECT 1 FROM ${holding(place, move)}`)
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM (${Prisma.join(each, ' UNION ALL ')} LIMIT ${referrersMax + 1}) AS named`
  if (Number(row?.count) <= referrersMax) return
  throw new Fault('limit_reached', `More than ${referrersMax} objects name the source: it cannot be merged at once.`, {
    limit: referrersMax,
  })
}

export async function followSurvivor(
  eachCollection: EachCollection,
  move: Move,
  call: Call,
  next: Moment,
): Promise<void> {
  for (const { follow } of followersIn(eachCollection)) await follow(move, call, next)
  await followComments(move, call, next)
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
    const { call: part, keep } = call.subcall(next())
    const after = bumpVersion(renamed(before, place, move), part)
    part.emit(collection.events.updated, collection.brief(after), collection.brief(before))
    keep()
    return after
  })
  await mark(db, collection.table, changed)
}
