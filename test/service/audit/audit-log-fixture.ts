// A workspace with an audit log, without the rest of the service.
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import type { Database } from '#prisma/client.ts'
import { verifyChain } from '../../../service/audit/operations.ts'
import { append, startChain } from '../../../service/audit/rows.ts'
import type { Draft } from '../../../service/audit/rules.ts'
import { workspaceRow } from '../../prisma/rows.ts'

/** With so many entries. */
export async function startLog(db: Database, count = 0) {
  const workspaceId = await makeWorkspace(db)
  const write = (...drafts: readonly Partial<Draft>[]) => {
    const whole = (drafts.length === 0 ? [{}] : drafts).map((draft) => ({ ...draftIn(workspaceId), ...draft }))
    return db.$transaction((tx) => append(tx, workspaceId, whole))
  }
  const entries = (of = workspaceId) =>
    db.auditEntry.findMany({ where: { workspaceId: of }, orderBy: { number: 'asc' } })
  if (count > 0) await write(...Array.from({ length: count }, () => ({})))
  return {
    db,
    workspaceId,
    /** Appends entries, or one, in one transaction. */
    write,
    entries,
    verify: (from = 1) => verifyChain(db, workspaceId, from),
    /** Runs the statement with the append-only trigger switched off, as only the owner of the tables can. */
    tamper: async (sql: string) => {
      await db.$executeRawUnsafe('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only')
      await db.$executeRawUnsafe(sql)
      await db.$executeRawUnsafe('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only')
    },
    numbers: async () => (await entries()).map(({ number }) => Number(number)),
  }
}

export async function makeWorkspace(db: Database): Promise<string> {
  const { id } = await db.workspace.create({ data: workspaceRow({ allowUnboundKeys: true }) })
  await startChain(db, id)
  return id
}

/** Makes a key in the log's workspace: bound to it, or granted the given workspaces. Returns its id. */
export async function makeKey(
  { db, workspaceId }: { readonly db: Database; readonly workspaceId: string },
  grants: readonly string[] = [],
) {
  const id = uuid()
  const at = new Date(Date.now() - 1_000)
  const may = { scopes: [], surfaces: ['http'], ipAllowlist: [], bound: grants.length === 0 }
  const stamps = { version: 1, createdAt: at, updatedAt: at, createdBy: {} }
  await db.apiKey.create({ data: { workspaceId, id, name: 'Sync', description: null, ...may, ...stamps } })
  await db.apiKeyWorkspace.createMany({
    data: grants.map((granted) => ({ homeWorkspaceId: workspaceId, apiKeyId: id, workspaceId: granted })),
  })
  const secret = { hash: randomBytes(32), workspaceId, apiKeyId: id, prefix: 'wsk_abcdefgh', createdAt: at }
  await db.apiKeySecret.create({ data: secret })
  return id
}

const from = { surface: 'console', ip: '192.0.2.1', userAgent: 'test', requestId: 'request-1' } as const

export const draftIn = (workspaceId: string): Draft => ({
  id: uuid(),
  workspaceId,
  at: new Date().toISOString(),
  ...from,
  actor: { type: 'system', id: 'operator', name: 'operator', keyPrefix: null },
  action: 'webhooks.update',
  target: { type: 'webhook', id: uuid(), name: 'Receiver' },
  outcome: 'success',
  code: null,
  changes: { name: { from: 'Ä 1', to: 'Ö 2' }, filter: { from: null, to: { b: [1, 2.5], a: { z: true, y: null } } } },
  count: 1,
})
