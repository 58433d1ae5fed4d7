// The collection of documents: its columns, filters and references.
import { Document, documentCreated, documentDeleted, documentRestored, documentUpdated } from '#contract/documents.ts'
import { define } from '../collection/definition.ts'
import { crmEntities, expandMany, expandOne, fileReference, files, projects } from '../collection/expand.ts'
import { byName } from '../collection/pagination.ts'
import type { Call } from '../execution/call.ts'
import { projectArchived } from '../faults/shared-faults.ts'
import { arrayHasAll, arrayHasAny, columnIn, linkIn, optionalColumnIn, unless } from '../collection/filters.ts'
import { draft, applyPatch, erased } from './rules.ts'

export const documents = define({
  segment: 'documents',
  operations: {
    list: 'documents.list',
    get: 'documents.get',
    create: 'documents.create',
    update: 'documents.update',
    delete: 'documents.delete',
    restore: 'documents.restore',
    purge: 'documents.purge',
    'get-by-external-id': 'documents.get-by-external-id',
    upsert: 'documents.upsert',
    'delete-by-external-id': 'documents.delete-by-external-id',
    'set-external-id': 'documents.set-external-id',
    'remove-external-id': 'documents.remove-external-id',
    batch: 'documents.batch',
    count: 'documents.count',
    history: 'documents.history',
  },
  noun: 'document',
  object: 'document',
  table: 'document',
  titleColumn: 'title',
  textColumn: 'content',
  inSearch: { status: 't.status', archived: `t.status = 'archived'` },
  fields: Document.properties,
  links: [{ field: 'fileIds', table: 'document_file', owner: 'document_id', column: 'file_id', type: 'uuid' }],
  hiddenWithProject: true,
  references: [{ field: 'projectId', table: 'project' }, { field: 'crmEntityId', table: 'crm_entity' }, fileReference],
  filters: {
    status: columnIn('status'),
    includeArchived: unless(
      `t.status <> 'archived'`,
      ({ status }) => Array.isArray(status) && status.includes('archived'),
    ),
    tags: arrayHasAny('tags'),
    tagsAll: arrayHasAll('tags'),
    folder: optionalColumnIn('folder'),
    projectId: optionalColumnIn('project_id', 'uuid'),
    crmEntityId: optionalColumnIn('crm_entity_id', 'uuid'),
    fileId: linkIn('document_file', 'document_id', 'file_id'),
  },
  sorts: {
    createdAt: { field: 'createdAt', sql: 't.created_at', type: 'timestamptz' },
    updatedAt: { field: 'updatedAt', sql: 't.updated_at', type: 'timestamptz' },
    title: byName('title'),
  },
  expansions: {
    project: expandOne(projects, 'projectId'),
    crmEntity: expandOne(crmEntities, 'crmEntityId'),
    files: expandMany(files, 'fileIds'),
  },
  events: {
    created: documentCreated,
    updated: documentUpdated,
    deleted: documentDeleted,
    restored: documentRestored,
  },
  onlyOnRequest: ['content'],
  contentBytes: ({ content }) => Buffer.byteLength(content),
  draft,
  applyPatch,
  erased,
  resolve,
})

/** A document of an archived project takes no changes, and none can be moved into or out of one. */
async function resolve(next: Document, before: Document | null, { db }: Call): Promise<Document> {
  const ids = [next.projectId, before?.projectId ?? null].filter((id) => id !== null)
  if (ids.length === 0) return next
  const archived = await db.project.count({
    where: { workspaceId: next.workspaceId, id: { in: ids }, archivedAt: { not: null } },
  })
  if (archived === 0) return next
  throw projectArchived('documents')
}
