// Comments, and the subjects that they are on: a task, a project or a CRM entity.
import { commented, type Comment, type CommentedSegment } from '#contract/comments.ts'
import type { Author, Imported } from '#contract/imports.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, query } from '#prisma/statements.ts'
import { columnOf, externalIdsOf, type Filter } from '../collection/definition.ts'
import type { About, Call } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { choiceOf } from '../validation/query-parameters.ts'
import { subjectFields } from './rules.ts'

export type FoundSubject = About & { readonly archived: boolean }

type SubjectRows = {
  readonly noun: string
  /** The table, as `s`, with what hides its rows. */
  readonly from: string
  /** Of a row, as columns of `selectSubject`. */
  readonly columns: string
  /** Selects the subject of the comment `t`. */
  readonly ofRow: string
  /** Selects the ids of those that are deleted, or hidden with a deleted project. */
  readonly deleted: (workspaceId: string) => Prisma.Sql
}

const ofRow = (from: string, column: string): string =>
  `SELECT FROM ${from} WHERE s.workspace_id = t.workspace_id AND s.id = t.${column} AND s.deleted_at IS NULL`

const deletedOf =
  (table: string) =>
  (workspaceId: string): Prisma.Sql =>
    Prisma.sql`SELECT s.id FROM ${Prisma.raw(table)} s
      WHERE s.workspace_id = ${workspaceId}::uuid AND s.deleted_at IS NOT NULL`
const deletedTasks = deletedOf('task')

const shownTasks =
  'task s JOIN project p ON p.workspace_id = s.workspace_id AND p.id = s.project_id AND p.deleted_at IS NULL'

const subjects: Readonly<Record<CommentedSegment, SubjectRows>> = {
  tasks: {
    noun: 'task',
    from: shownTasks,
    columns: `s.project_id AS "projectId", NULL AS kind, p.archived_at IS NOT NULL AS archived,
      json_build_object('task', json_build_object('id', s.id, 'identifier', s.identifier, 'title', s.title)) AS related`,
    ofRow: ofRow(shownTasks, 'task_id'),
    deleted: (workspaceId) => Prisma.sql`${deletedTasks(workspaceId)} UNION ALL
      SELECT s.id FROM project p JOIN task s ON s.workspace_id = p.workspace_id AND s.project_id = p.id
      WHERE p.workspace_id = ${workspaceId}::uuid AND p.deleted_at IS NOT NULL`,
  },
  projects: {
    noun: 'project',
    from: 'project s',
    columns: `s.id AS "projectId", NULL AS kind, s.archived_at IS NOT NULL AS archived, '{}'::json AS related`,
    ofRow: ofRow('project s', 'project_id'),
    deleted: deletedOf('project'),
  },
  'crm-entities': {
    noun: 'CRM entity',
    from: 'crm_entity s',
    columns: `NULL::uuid AS "projectId", s.kind, false AS archived,
      json_build_object('crmEntity', json_build_object('id', s.id, 'kind', s.kind, 'name', s.name)) AS related`,
    ofRow: ofRow('crm_entity s', 'crm_entity_id'),
    deleted: deletedOf('crm_entity'),
  },
}

const selectSubject = query(
  {
    id: column.uuid,
    projectId: column.uuid.orNull,
    kind: column.text.orNull,
    archived: column.bool,
    related: column.json.of<About['related']>(),
  },
  (segment: CommentedSegment, workspaceId: string, id: string) => {
    const { columns, from } = subjects[segment]
    return Prisma.sql`SELECT s.id, ${Prisma.raw(columns)} FROM ${Prisma.raw(from)}
      WHERE s.workspace_id = ${workspaceId}::uuid AND s.id = ${id}::uuid AND s.deleted_at IS NULL`
  },
  [
    ['tasks', '', ''],
    ['projects', '', ''],
    ['crm-entities', '', ''],
  ],
)

/** Throws `not_found` for a subject that does not exist, is deleted, or is hidden with its project. */
export async function findSubject(
  segment: CommentedSegment,
  id: string,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
): Promise<FoundSubject> {
  const [found] = await selectSubject(db, segment, workspaceId, id)
  if (found === undefined) throw notFoundById(subjects[segment].noun)
  return found
}

// Conditions and filters over the comment `t`, by what it is on.

export const subjectColumns = commented.map((segment) => columnOf(subjectFields[segment]))

const isOn = (segment: CommentedSegment): string => `t.${columnOf(subjectFields[segment])} IS NOT NULL`
const anyOf = (conditions: readonly string[]): string => `(${conditions.join(' OR ')})`

export const isOneOf = (segments: readonly CommentedSegment[]): string => anyOf(segments.map(isOn))

/** OFFSET 0: the object of one comment is looked up by its key, and not all objects of the workspace are read. */
export const isShownOn = (segments: readonly CommentedSegment[]) => ({
  ofRow: anyOf(segments.map((segment) => `EXISTS (${subjects[segment].ofRow} OFFSET 0)`)),
  amongMany: (workspaceId: string): Prisma.Sql =>
    Prisma.join(
      segments.map((segment) => {
        const column = Prisma.raw(`t.${columnOf(subjectFields[segment])}`)
        return Prisma.sql`(${column} IN (${subjects[segment].deleted(workspaceId)})) IS NOT TRUE`
      }),
      ' AND ',
    ),
})

const typeOfRow = `CASE ${commented.map((segment) => `WHEN ${isOn(segment)} THEN '${segment}'`).join(' ')} END`
const idOfRow = `coalesce(${subjectColumns.map((column) => `t.${column}`).join(', ')})`
export const subjectOfRow = `json_build_object('type', ${typeOfRow}, 'id', ${idOfRow})`

const textsOf = (given: unknown): string[] => [given].flat().map(String)

export const subjectTypeIn: Filter = {
  condition: (given) => {
    const { values, negated } = choiceOf(textsOf(given))
    // The schema takes no other values.
    const on = isOneOf(values as CommentedSegment[])
    return Prisma.raw(negated ? `NOT ${on}` : on)
  },
}

/** Comments on projects and on their tasks. */
export const inProject: Filter = {
  linked: (given, workspaceId) => {
    const { values, negated } = choiceOf(textsOf(given))
    const here = Prisma.sql`workspace_id = ${workspaceId}::uuid`
    const ofThem = Prisma.sql`project_id = ANY(${values}::uuid[])`
    const ofRow = Prisma.sql`(coalesce(t.${ofThem}, false) OR EXISTS (SELECT FROM task k
      WHERE k.workspace_id = t.workspace_id AND k.id = t.task_id AND k.${ofThem} OFFSET 0))`
    const theirTasks = Prisma.sql`SELECT k.id FROM task k WHERE k.${here} AND k.${ofThem}`
    const others = Prisma.sql`(t.${ofThem} OR t.task_id IN (${theirTasks})) IS NOT TRUE`
    if (negated) return { ids: null, all: others, onTheWay: Prisma.sql`NOT ${ofRow}` }
    const ids = Prisma.sql`SELECT c.id FROM comment c WHERE c.${here} AND c.${ofThem}
      UNION ALL SELECT c.id FROM task k JOIN comment c ON c.workspace_id = k.workspace_id AND c.task_id = k.id
      WHERE k.${here} AND k.${ofThem}`
    return { ids, all: Prisma.sql`t.id IN (${ids})`, onTheWay: ofRow }
  },
}

/** What is read of a comment beside its own columns. */
export const withFiles = { files: { select: { fileId: true }, orderBy: { position: 'asc' } } } as const

type CommentRow = Prisma.CommentGetPayload<{ include: typeof withFiles }>

export function toComment(type: CommentedSegment, row: CommentRow): Comment {
  const { taskId, projectId, crmEntityId, purgedAt: _purgedAt, otherExternalIds, files, ...rest } = row
  return {
    ...rest,
    externalIds: externalIdsOf(row, otherExternalIds),
    object: 'comment',
    // The table's check lets exactly one of the three be set.
    subject: { type, id: taskId ?? projectId ?? crmEntityId ?? '' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: row.createdBy as Author,
    updatedBy: row.updatedBy as Actor,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    imported: row.imported as Imported | null,
    fileIds: files.map(({ fileId }) => fileId),
  }
}
