// People who were refused, have signed in or out: from there to their audit entries, which neither delay nor fail an answer.
// What finds no room, or cannot be written, is passed to `onLost`.
import type { Database } from '#prisma/client.ts'
import { newId } from '#runtime/new-id.ts'
import { loop } from '#runtime/loop.ts'
import type { Part } from '#runtime/process.ts'
import { appendEach } from './append.ts'
import type { Draft } from './entry.ts'
import { entryThrottle } from './entry-throttle.ts'
import type { PersonEntry } from './person-entry.ts'

export type PeopleLog = Part & { record(entry: PersonEntry | null): void; size(): number }
type Membership = { readonly id: string; readonly name: string; readonly workspaceId: string }

const lookEveryMs = 1_000
/** Of one account. It is recorded in no more. */
const workspacesMax = 50

export function openPeopleLog(db: Database, onLost: (count: number, error?: unknown) => void): PeopleLog {
  const throttle = entryThrottle()
  async function write(entries: readonly PersonEntry[]): Promise<void> {
    if (entries.length === 0) return
    try {
      let cause: unknown
      const lost = await appendEach(db, await draftsOf(db, entries), (error) => (cause = error))
      if (lost > 0) onLost(lost, cause)
    } catch (error) {
      onLost(entries.length, error)
    }
  }
  const writing = loop(
    async () => (await write(throttle.take()), lookEveryMs),
    () => {},
  )
  return {
    record: (entry) => void (entry === null || throttle.add(entry) || onLost(1)),
    size: throttle.size,
    close: async () => {
      await writing.close()
      await write(throttle.take(true))
    },
  }
}

async function draftsOf(db: Database, entries: readonly PersonEntry[]): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const entry of entries) for (const member of await membersOf(db, entry)) drafts.push(draftOf(entry, member))
  return drafts
}

async function membersOf(db: Database, { who }: PersonEntry): Promise<readonly Membership[]> {
  if (who.kind === 'member') return [who]
  return await db.member.findMany({
    where: { accountId: who.id, status: 'active', deletedAt: null },
    select: { id: true, name: true, workspaceId: true },
    orderBy: { workspaceId: 'asc' },
    take: workspacesMax,
  })
}

/** Who only says to be somebody is a visitor, and the member is whom it was about. */
function draftOf(entry: PersonEntry, { id, name, workspaceId }: Membership): Draft {
  const { who: _who, isSignedIn, sessionId, at, ...rest } = entry
  const actor = isSignedIn ? { type: 'user' as const, id, name } : visitor
  const session = sessionId === undefined ? null : { type: 'session', id: sessionId, name: null }
  return {
    ...rest,
    id: newId(at),
    workspaceId,
    at: at.toISOString(),
    changes: {},
    actor: { ...actor, keyPrefix: null },
    target: isSignedIn ? session : { type: 'member', id, name },
    outcome: entry.code === null ? 'success' : 'denied',
  }
}

const visitor = { type: 'system', id: 'visitor', name: 'Visitor' } as const
