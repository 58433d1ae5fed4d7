// Projects between the contract and the tables.
import type { Actor } from '#contract/fields.ts'
import type { Project } from '#contract/projects.ts'
import { Prisma, type Project as Row } from '#prisma/generated/client.ts'
import { Fault } from '#contract/fault.ts'
import { asColumns } from '../columns.ts'
import { duplicate } from '../database-fault.ts'
import type { Db } from '../handler.ts'

const withMembers = { members: { select: { memberId: true }, orderBy: { position: 'asc' } } } as const
type RowWithMembers = Row & { readonly members: readonly { readonly memberId: string }[] }

export async function findProjects(db: Db, where: Prisma.ProjectWhereInput, page: object): Promise<RowWithMembers[]> {
  return db.project.findMany({ where, include: withMembers, ...page })
}

/** Somebody else's, a deleted one and none at all are the same. */
export async function findProject(db: Db, workspaceId: string, id: string): Promise<Project> {
  const project = await findAny(db, workspaceId, id)
  if (project.deletedAt !== null) throw noProject()
  return project
}

/** The project, deleted or not. Nobody else changes it until this transaction ends. */
export async function lockAnyProject(tx: Db, workspaceId: string, id: string): Promise<Project> {
  await tx.$queryRaw`SELECT 1 FROM project WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid FOR UPDATE`
  return findAny(tx, workspaceId, id)
}

export async function lockProject(tx: Db, workspaceId: string, id: string): Promise<Project> {
  const project = await lockAnyProject(tx, workspaceId, id)
  if (project.deletedAt !== null) throw noProject()
  return project
}

async function findAny(db: Db, workspaceId: string, id: string): Promise<Project> {
  const row = await db.project.findUnique({ where: { workspaceId_id: { workspaceId, id } }, include: withMembers })
  if (row === null) throw noProject()
  return fromRow(row)
}

const noProject = (): Fault => new Fault('not_found', 'No project has this id.')

/** The first of these keys that is free; null where none is, or where the external id is taken. */
export async function insertProject(tx: Db, project: Project, keys: readonly string[]): Promise<string | null> {
  const row = asColumns(toRow(project))
  // Named one by one: a column that a later migration adds gets its default.
  const columns = Prisma.raw(Object.keys(row).join(', '))
  const [inserted] = await tx.$queryRaw<{ key: string }[]>`
    INSERT INTO project (${columns})
    SELECT ${columns}
    FROM unnest(${[...keys]}::text[]) WITH ORDINALITY AS c (candidate, preference),
         jsonb_populate_record(NULL::project, ${JSON.stringify(row)}::jsonb || jsonb_build_object('key', candidate))
    WHERE NOT EXISTS (SELECT FROM project WHERE workspace_id = ${project.workspaceId}::uuid AND key = candidate)
    ORDER BY preference LIMIT 1
    ON CONFLICT DO NOTHING
    RETURNING key`
  if (inserted === undefined) return null
  await insertMembers(tx, project)
  return inserted.key
}

export async function updateProject(tx: Db, project: Project, membersChanged: boolean): Promise<void> {
  const { workspaceId, id, ...data } = toRow(project)
  await tx.project.update({ where: { workspaceId_id: { workspaceId, id } }, data })
  if (!membersChanged) return
  await tx.projectMember.deleteMany({ where: { workspaceId, projectId: id } })
  await insertMembers(tx, project)
}

/** Names the other project where there is one: keys and external ids are unique, deleted projects included. */
export async function assertNoTwin(
  db: Db,
  { workspaceId, id, externalSource, externalId }: Project,
  key: string | null,
): Promise<void> {
  const external = externalId === null ? [] : [{ externalSource, externalId }]
  const either = [...(key === null ? [] : [{ key }]), ...external]
  if (either.length === 0) return
  const twin = await db.project.findFirst({
    where: { workspaceId, id: { not: id }, OR: either },
    select: { id: true, key: true },
  })
  if (twin !== null) throw duplicate(twin.key === key ? 'key' : 'externalId', twin.id)
}

async function insertMembers(tx: Db, { workspaceId, id, memberIds }: Project): Promise<void> {
  if (memberIds.length === 0) return
  await tx.projectMember.createMany({
    data: memberIds.map((memberId, position) => ({ workspaceId, projectId: id, memberId, position })),
  })
}

export function fromRow({ members, lastTaskNumber: _number, customFields: _fields, ...row }: RowWithMembers): Project {
  return {
    ...row,
    object: 'project',
    // The table's checks allow no other values.
    status: row.status as Project['status'],
    health: row.health as Project['health'],
    priority: row.priority as Project['priority'],
    memberIds: members.map(({ memberId }) => memberId),
    startDate: dateText(row.startDate),
    dueDate: dateText(row.dueDate),
    completedAt: timeText(row.completedAt),
    archivedAt: timeText(row.archivedAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: timeText(row.deletedAt),
    createdBy: row.createdBy as Actor,
    updatedBy: row.updatedBy as Actor,
  }
}

const toRow = ({ object: _object, memberIds: _memberIds, ...project }: Project) => ({
  ...project,
  startDate: date(project.startDate),
  dueDate: date(project.dueDate),
})

const date = (text: string | null): Date | null => (text === null ? null : new Date(text))
const dateText = (at: Date | null): string | null => at?.toISOString().slice(0, 10) ?? null
const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
