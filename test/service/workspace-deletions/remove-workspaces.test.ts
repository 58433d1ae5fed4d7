// The removal of a workspace: every row of it in every table there is, and nothing else.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { Database } from '#prisma/client.ts'
import { removalOrder } from '../../../service/workspace-deletions/rules.ts'
import { removeWorkspaces } from '../../../service/workspace-deletions/remove-workspaces.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'
import { fillWorkspace, rowsNaming } from '../../support/workspace-rows.ts'

const table = (name: string, refersTo: readonly string[] = []) => ({
  name,
  column: 'workspace_id',
  type: 'uuid',
  countedAs: name,
  refersTo,
  ownColumns: [],
})

test('tables are emptied before those that they refer to; keys and the workspace lock come last, files and the workspace apart', () => {
  const tables = ['workspace', 'event_sequence', 'file_blob', 'api_key'].map((name) => table(name))
  const [task, project] = [table('task', ['project', 'workspace']), table('project', ['workspace'])]

  const order = removalOrder([...tables, project, task])

  expect(order.map(({ name }) => name)).toEqual(['task', 'project', 'api_key', 'event_sequence'])
  const circle = [table('one', ['other']), table('other', ['one'])]
  expect(() => removalOrder(circle)).toThrow('Tables refer to each other in a circle: one, other')
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  async function given() {
    const { db } = database
    const [own, shared] = [await account(db), await account(db)]
    const doomed = await fillWorkspace(db, [own, shared])
    const other = await fillWorkspace(db, [shared])
    const removed: string[] = []
    const keyChanges: KeyChange[] = []
    const deps = {
      ...changeDeps(db, { notifyKeyChange: (change) => void keyChanges.push(change) }),
      fileStore: { remove: async ({ id }: { readonly id: string }) => void removed.push(id) },
      rowsMax: 1,
    }
    const schedule = (removeAfter = new Date()) =>
      db.workspaceDeletion.create({
        data: {
          id: doomed.workspaceId,
          createdAt: new Date(),
          createdBy: {},
          requestId: 'r',
          removeAfter,
          wasSuspended: false,
        },
      })
    const release = () => db.legalHold.deleteMany({})
    const record = () => db.workspaceDeletion.findUniqueOrThrow({ where: { id: doomed.workspaceId } })
    return { db, own, shared, doomed, other, removed, keyChanges, deps, schedule, release, record }
  }

  test('removes every row of it from every table there is, and nothing of another workspace; what is left counts them', async () => {
    const { db, own, shared, doomed, other, removed, keyChanges, deps, schedule, release, record } = await given()
    const before = await rowsNaming(db, doomed.workspaceId)
    const ofOther = await rowsNaming(db, other.workspaceId)
    expect([...before.keys()]).toEqual([...doomed.tables].toSorted())
    const [{ id: keyId } = { id: '' }] = await db.apiKey.findMany({ where: { workspaceId: doomed.workspaceId } })
    const [blob] = await db.fileBlob.findMany({ where: { workspaceId: doomed.workspaceId } })
    await release()
    ofOther.delete('legal_hold')
    await schedule()

    await untilDone(deps)

    const { startedAt, removedAt, removed: counts } = await record()
    expect([...(await rowsNaming(db, doomed.workspaceId)).keys()]).toEqual(['workspace_deletion'])
    expect(await rowsNaming(db, other.workspaceId)).toEqual(ofOther)
    expect([startedAt, removedAt]).toEqual([expect.any(Date), expect.any(Date)])
    const held = [...before].filter(([name]) => name !== 'legal_hold').map(([name, rows]) => [name, rows.length])
    expect(counts).toEqual({ ...Object.fromEntries(held), account: 1 })
    expect(removed).toEqual([blob?.id])
    expect(keyChanges).toEqual([{ kind: 'api-key', id: keyId }])
    expect(await db.keyChange.count({ where: { subjectId: keyId } })).toBe(1)
    expect(await db.account.findMany({ where: { id: { in: [own, shared] } }, select: { id: true } })).toEqual([
      { id: shared },
    ])
    const certificate = { where: { id: doomed.workspaceId } }
    await expect(db.workspaceDeletion.update({ ...certificate, data: { requestId: 'x' } })).rejects.toThrow(
      /certificate/,
    )
    await expect(db.workspaceDeletion.delete(certificate)).rejects.toThrow(/certificate/)
  })

  test('does not begin before its time, nor while there is a legal hold, whoever tries', async () => {
    const { db, doomed, deps, schedule, release, record } = await given()
    const tomorrow = new Date(Date.now() + 86_400_000)
    await schedule(tomorrow)
    const change = (data: object) => db.workspaceDeletion.update({ where: { id: doomed.workspaceId }, data })

    expect(await removeWorkspaces(deps)).toBe(false)
    await expect(change({ startedAt: new Date() })).rejects.toThrow(/may not begin/)
    await change({ removeAfter: new Date(Date.now() - 1_000) })
    expect(await removeWorkspaces(deps)).toBe(false)
    await expect(change({ startedAt: new Date() })).rejects.toThrow(/may not begin/)
    await expect(db.auditEntry.deleteMany({ where: { workspaceId: doomed.workspaceId } })).rejects.toThrow(
      /append-only/,
    )
    await release()
    await expect(db.auditEntry.deleteMany({ where: { workspaceId: doomed.workspaceId } })).rejects.toThrow(
      /append-only/,
    )

    await untilDone(deps)
    expect((await record()).removedAt).not.toBeNull()
  })

  test('goes on where it broke off, and counts nothing twice', async () => {
    const { db, doomed, deps, schedule, release, record } = await given()
    await release()
    await schedule()
    const fails = () => Promise.reject(new Error('not now'))

    await expect(removeWorkspaces({ ...deps, fileStore: { remove: fails } })).rejects.toThrow('not now')
    expect((await record()).removed).toEqual({})
    await expect(removeWorkspaces({ ...deps, recordKeyChanges: fails })).rejects.toThrow('not now')
    const { removed, removedAt } = await record()
    expect(removed).toMatchObject({ task: 2, file_blob: 1, attempt: 1 })
    expect(removed).not.toHaveProperty('api_key')
    expect(removedAt).toBeNull()
    expect(await db.apiKey.count({ where: { workspaceId: doomed.workspaceId } })).toBe(1)
    await untilDone(deps)

    expect((await record()).removed).toMatchObject({ task: 2, file_blob: 1, attempt: 1, api_key: 1, workspace: 1 })
  })

  test('two services at once remove it once', async () => {
    const { deps, doomed, schedule, release, record, db } = await given()
    await release()
    await schedule()

    await Promise.all([untilDone(deps), untilDone(deps)])

    expect((await record()).removed).toMatchObject({ task: 2, crm_entity: 2, member: 2, workspace: 1 })
    expect([...(await rowsNaming(db, doomed.workspaceId)).keys()]).toEqual(['workspace_deletion'])
  })
})

const runsMax = 200
async function untilDone(deps: Parameters<typeof removeWorkspaces>[0]): Promise<void> {
  for (let run = 0; run < runsMax; run++) if (!(await removeWorkspaces(deps))) return
  throw new Error('The removal does not end')
}

async function account(db: Database): Promise<string> {
  const [id, now] = [uuid(), new Date()]
  await db.account.create({ data: { id, name: 'Ada', email: `${id}@example.com`, createdAt: now, updatedAt: now } })
  return id
}
