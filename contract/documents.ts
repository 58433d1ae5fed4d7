// Documents: schema, events, operations, in that order.
import { Type, type Static } from 'typebox'
import { collection, expandable } from './collection/operations.ts'
import { event } from './event-declaration.ts'
import { Id, Labels, Name, closed, externalIdFields, nullable, optional, resourceFields } from './shared-fields.ts'
import { contentBytesMax, contentPageItemsMax, documentBodyBytesMax } from './size-limits.ts'
import { allLabelsFilter, idFilter, enumFilter, projectFilter, textFilter } from './filter-parameters.ts'
import { CrmEntityReference, ProjectReference } from './expandable-references.ts'
import { accepted, shown, type References } from './references.ts'
import { tag } from './tag.ts'

export const documentsTag = tag('documents', 'Company documents in Markdown.')

const statuses = ['draft', 'published', 'archived'] as const
export const DocumentStatus = Type.Enum([...statuses])
export type DocumentStatus = Static<typeof DocumentStatus>

const fieldsNaming = ({ project }: References) => ({
  title: Name,
  content: Type.String({
    maxLength: contentBytesMax,
    description: `Markdown, at most ${contentBytesMax} bytes in UTF-8. Lists show it where \`fields\` names it, at most ${contentPageItemsMax} a page; answers of batches and events leave it out.`,
  }),
  summary: nullable(Type.String({ maxLength: 2_000 })),
  folder: nullable(
    Type.String({
      maxLength: 200,
      format: 'folder',
      description: 'Names with `/` between them, such as `handbook/people`.',
    }),
  ),
  tags: Labels,
  status: DocumentStatus,
  crmEntityId: nullable(Id),
  projectId: nullable(project),
  ...externalIdFields,
})
const writable = fieldsNaming(accepted)

export const Document = closed({
  ...resourceFields('document'),
  ...fieldsNaming(shown),
  wordCount: Type.Integer({ minimum: 0, description: 'Runs of letters and digits in the content.' }),
  checksum: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content, in hex.' }),
})
export type Document = Static<typeof Document>

const { content: _content, ...briefly } = Document.properties
export const DocumentBrief = closed(briefly)

const expansions = { project: nullable(ProjectReference), crmEntity: nullable(CrmEntityReference) }

const withoutContent =
  'Without its content: get the document for it. `checksum` is among the changes where the content has changed.'
export const documentCreated = event('documents.created', DocumentBrief, `A document was created. ${withoutContent}`)
export const documentUpdated = event('documents.updated', DocumentBrief, `A document was changed. ${withoutContent}`)
export const documentDeleted = event('documents.deleted', DocumentBrief, `A document was deleted. ${withoutContent}`)
export const documentRestored = event(
  'documents.restored',
  DocumentBrief,
  `A deleted document was restored. ${withoutContent}`,
)

export const {
  'documents.list': listDocuments,
  'documents.get': getDocument,
  'documents.create': createDocument,
  'documents.update': updateDocument,
  'documents.delete': deleteDocument,
  'documents.restore': restoreDocument,
  'documents.purge': purgeDocument,
  'documents.get-by-external-id': getDocumentByExternalId,
  'documents.upsert': upsertDocument,
  'documents.delete-by-external-id': deleteDocumentByExternalId,
  'documents.batch': batchDocuments,
  'documents.count': countDocuments,
} = collection({
  segment: 'documents',
  singular: 'document',
  resource: Document,
  brief: DocumentBrief,
  expanded: expandable(Document, expansions),
  fields: { ...Document.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: { ...optional(writable), title: Name },
  patch: optional(writable),
  filters: {
    status: enumFilter(statuses),
    includeArchived: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Archived ones as well; those that `status` names are shown in any case.',
      }),
    ),
    tags: textFilter(50),
    tagsAll: allLabelsFilter,
    folder: textFilter(200),
    projectId: projectFilter,
    crmEntityId: idFilter,
  },
  sorts: ['createdAt', 'updatedAt', 'title'],
  groups: ['status', 'folder', 'projectId'],
  events: { created: documentCreated, updated: documentUpdated, deleted: documentDeleted, restored: documentRestored },
  bodyBytesMax: documentBodyBytesMax,
})
