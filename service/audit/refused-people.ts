// People who were refused, from the refusal to their audit entries, which neither delay nor fail an answer. What finds no
// room, or cannot be written, is passed to `onLost`.
import type { Database } from '#prisma/client.ts'
import { newId } from '#runtime/new-id.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'
import { appendEach } from './append.ts'
import type { Draft } from './entry.ts'
import { refusalThrottle } from './refusal-throttle.ts'
import type { RefusedPerson } from './refused-person.ts'

export type RefusedPeople = Part & { record(refusal: RefusedPerson | null): void; size(): number }
type Membership = { readonly id: string; readonly name: string; readonly workspaceId: string }

const lookEveryMs = 1_000
/** Of one account. It is recorded in no more. */
const workspacesMax = 50

export function openRefusedPeople(db: Database, onLost: (count: number, error?: unknown) => void): RefusedPeople {
  const throttle = refusalThrottle()
  async function write(refusals: readonly RefusedPerson[]): Promise<void> {
    if (refusals.length === 0) return
    try {
      let cause: unknown
      const lost = await appendEach(db, await draftsOf(db, refusals), (error) => (cause = error))
      if (lost > 0) onLost(lost, cause)
    } catch (error) {
      onLost(refusals.length, error)
    }
  }
  const writing = loop(
    async () => (await write(throttle.take()), lookEveryMs),
    () => {},
  )
  return {
    record: (refusal) => void (refusal === null || throttle.add(refusal) || onLost(1)),
    size: throttle.size,
    close: async () => {
      await writing.close()
      await write(throttle.take(true))
    },
  }
}

async function draftsOf(db: Database, refusals: readonly RefusedPerson[]): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const refusal of refusals)
    for (const member of await membersOf(db, refusal)) drafts.push(draftOf(refusal, member))
  return drafts
}

async function membersOf(db: Database, { who }: RefusedPerson): Promise<readonly Membership[]> {
  if (who.kind === 'member') return [who]
  return await db.member.findMany({
    where: { accountId: who.id, status: 'active', deletedAt: null },
    select: { id: true, name: true, workspaceId: true },
    orderBy: { workspaceId: 'asc' },
    take: workspacesMax,
  })
}

/** Who only says to be somebody is a visitor, and the member is whom it was about. */
function draftOf(refusal: RefusedPerson, { id, name, workspaceId }: Membership): Draft {
  const { who: _who, isSignedIn, at, ...rest } = refusal
  const actor = isSignedIn ? { type: 'user' as const, id, name } : visitor
  return {
    ...rest,
    ...{ id: newId(at), workspaceId, at: at.toISOString(), changes: {} },
    actor: { ...actor, keyPrefix: null },
    target: isSignedIn ? null : { type: 'member', id, name },
    outcome: 'denied',
  }
}

const visitor = { type: 'system', id: 'visitor', name: 'Visitor' } as const
