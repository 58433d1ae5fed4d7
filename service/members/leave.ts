// Who was removed has nothing left to do: what names the member as assignee, member or owner goes on without, each
// object with its next version and its event, in batches. Where that stands is read off what collections declare.
// Deleted and hidden objects follow in silence: nobody sees them until they are restored.
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Collection } from '../collection/define.ts'
import type { Resource } from '../collection/resource.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import {
  drop,
  dropped,
  mark,
  naming,
  placesOf,
  type Holder,
  type Moment,
  type Place,
} from '../collection/reference-columns.ts'
import { select } from '../collection/find.ts'
import { moments } from '../collection/reference-columns.ts'
import type { Call } from '../execution/handler.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'
import { bumpVersion } from '../object-versions/bookkeeping-fields.ts'

type Parts = ChangeParts & { readonly eachCollection: EachCollection }
type Leaver = { readonly workspaceId: string; readonly id: string }
/** Takes the member out of so many objects at most; gives how many they were. */
type Leave = (holder: Holder, max: number, call: Call, next: Moment) => Promise<number>

const leaversMax = 20
const objectsMax = 200

/** One batch for each member that was removed and may be named yet; false where there is none. */
export async function leaveBatches(parts: Parts, max = objectsMax): Promise<boolean> {
  const leavers = await leaving(parts.db)
  await attemptEach(leavers, ({ workspaceId, id }) =>
    changeAsSystem(parts, workspaceId, null, (call) =>
      leaveAll(parts.eachCollection, { workspaceId, from: id }, max, call),
    ),
  )
  return leavers.length > 0
}

const leaving = (db: Database): Promise<Leaver[]> =>
  db.$queryRaw`
    SELECT workspace_id AS "workspaceId", id FROM member WHERE deleted_at IS NOT NULL AND left_at IS NULL
    ORDER BY deleted_at LIMIT ${leaversMax}::int`

async function leaveAll(eachCollection: EachCollection, holder: Holder, max: number, call: Call): Promise<void> {
  const { workspaceId, from: id } = holder
  const next = moments(call)
  let left = max
  for (const leave of leavesIn(eachCollection)) {
    left -= await leave(holder, left, call, next)
    // There may be more of these: the next batch begins with them.
    if (left === 0) return
  }
  await call.db.member.update({ where: { workspaceId_id: { workspaceId, id } }, data: { leftAt: call.now } })
}

/** Of those that refer to others first. */
const leavesIn = (eachCollection: EachCollection): Leave[] =>
  eachCollection<Leave[]>((collection) =>
    placesOf(collection, 'member').map(
      (place) => (holder, max, call, next) => leave(collection, place, { holder, max, call, next }),
    ),
  )
    .toReversed()
    .flat()

type Asked = { readonly holder: Holder; readonly max: number; readonly call: Call; readonly next: Moment }

async function leave<R extends Resource>(
  collection: Collection<R>,
  place: Place,
  { holder, max, call, next }: Asked,
): Promise<number> {
  const where = Prisma.sql`${naming(place, holder)} AND t.deleted_at IS NULL`
  const tail = Prisma.sql`ORDER BY t.id LIMIT ${max}::int`
  const found = await select(call.db, collection, { where, tail, all: false })
  const changed = found.map((before) => {
    const { call: part, keep } = call.subcall(next())
    const after = bumpVersion(dropped(before, place, holder), part)
    part.emit(collection.events.updated, collection.brief(after), collection.brief(before))
    keep()
    return after
  })
  // Where these were all, what nobody sees goes with them.
  const those = found.length < max ? null : found.map(({ id }) => id)
  await drop(call.db, place, holder, those)
  await mark(call.db, collection.table, changed)
  return found.length
}
