// Documents: schema, events, operations, in that order.
import { Type, type Static } from 'typebox'
import { collection, expandable } from './collection/operations.ts'
import { event } from './event.ts'
import {
  Id,
  Labels,
  Name,
  closed,
  externalIdFields,
  nullable,
  optional,
  ExpectedVersion,
  Version,
} from './shared-fields.ts'
import { contentFields } from './imports.ts'
import {
  allLabelsFilter,
  crmEntityFilter,
  fileFilter,
  enumFilter,
  months,
  optionalProjectFilter,
  textFilter,
} from './collection/parameters.ts'
import {
  CrmEntityReference,
  DocumentRef,
  ProjectReference,
  accepted,
  shown,
  type References,
  FileIds,
  filesExpansion,
} from './references.ts'
import { tag, operation } from './operation.ts'

/** The content of one document, in UTF-8. */
export const contentBytesMax = 1024 * 1024

/** Permitted content fits however its JSON is written, with `\u0041` for each `A`, and the other fields with it. */
export const documentBodyBytesMax = 6 * contentBytesMax + 128 * 1024

/** Documents on a page that shows their content. */
export const contentPageItemsMax = 20

/** Edits of a document in one call, and the length of the text that one of them looks for and puts in its place. */
export const documentEditsMax = 50

export const editFindLengthMax = 20_000

export const editReplaceLengthMax = 200_000

/** Headings in the outline of a document. */
export const outlineHeadingsMax = 200

export const documentsTag = tag('documents', 'Company documents in Markdown.')

const statuses = ['draft', 'published', 'archived'] as const
export const DocumentStatus = Type.Enum([...statuses])
export type DocumentStatus = Static<typeof DocumentStatus>

const fieldsNaming = ({ project, crmEntity }: References) => ({
  title: Name,
  content: Type.String({
    maxLength: contentBytesMax,
    description: `Markdown, at most ${contentBytesMax} bytes in UTF-8. Lists include it if \`fields\` names it, at most ${contentPageItemsMax} per page; events and batch responses omit it.`,
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
  crmEntityId: Type.Union([crmEntity, Type.Null()], {
    description: 'The CRM entity that it is about. A document has this or `projectId`, or neither.',
  }),
  projectId: Type.Union([project, Type.Null()], {
    description: 'The project that it belongs to. A document has this or `crmEntityId`, or neither.',
  }),
  fileIds: FileIds,
  ...externalIdFields,
})
const writable = fieldsNaming(accepted)

export const Document = closed({
  ...contentFields('document'),
  ...fieldsNaming(shown),
  wordCount: Type.Integer({ minimum: 0, description: 'Runs of letters and digits in the content.' }),
  checksum: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content, in hex.' }),
})
export type Document = Static<typeof Document>

const { content: _content, ...briefly } = Document.properties
export const DocumentBrief = closed(briefly)

const expansions = {
  project: nullable(ProjectReference),
  crmEntity: nullable(CrmEntityReference),
  files: filesExpansion,
}

const withoutContent =
  'The event omits the content: get the document to read it. `checksum` is among the changes if the content has changed.'
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
  'documents.set-external-id': setDocumentExternalId,
  'documents.remove-external-id': removeDocumentExternalId,
  'documents.batch': batchDocuments,
  'documents.count': countDocuments,
  'documents.history': listDocumentChanges,
} = collection({
  segment: 'documents',
  singular: 'document',
  resource: Document,
  reference: DocumentRef,
  expanded: expandable(Document, expansions),
  expandedBrief: expandable(DocumentBrief, expansions),
  fields: { ...Document.properties, ...expansions },
  expansions: Object.keys(expansions),
  create: { ...optional(writable), title: Name },
  patch: optional(writable),
  filters: {
    status: enumFilter(statuses),
    includeArchived: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Archived ones as well; those that `status` names are always included.',
      }),
    ),
    tags: textFilter(50),
    tagsAll: allLabelsFilter,
    folder: textFilter(200),
    projectId: optionalProjectFilter,
    crmEntityId: crmEntityFilter,
    fileId: fileFilter,
  },
  sorts: ['createdAt', 'updatedAt', 'title'],
  groups: ['status', 'folder', 'projectId', 'crmEntityId', 'tags', ...months('createdAt', 'updatedAt')],
  events: { created: documentCreated, updated: documentUpdated, deleted: documentDeleted, restored: documentRestored },
  bodyBytesMax: documentBodyBytesMax,
})

// The content of a document, read and changed in part: for long documents, and for callers that pay for each word.

const line = (description: string, minimum = 1) => Type.Integer({ minimum, description })

const sectionOf = (description: string) => Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description })

const headingTitleMax = 200

const OutlineHeading = closed({
  section: Type.String({ maxLength: 60, description: 'Its number, such as `2.1`: the first one below the second.' }),
  level: Type.Integer({ minimum: 1, maximum: 6, description: 'The number of `#`.' }),
  title: Type.String({ maxLength: headingTitleMax, description: 'The text of the heading, as it is written.' }),
  fromLine: line('The line of the heading.'),
  toLine: line('The last line of the section, with those of the sections below it.'),
})

export const readDocumentContent = operation({
  name: 'documents.read-content',
  http: 'GET /documents/{id}/content',
  summary: 'Read a part of a document',
  description:
    'A section, a range of lines, or the whole content, with the outline. Headings in code blocks, lists and quotations do not count.',
  scope: 'documents:read',
  input: closed({
    id: DocumentRef,
    section: Type.Optional(
      sectionOf(
        'The number of a section in the outline, `2.1`, or its heading, `Opening hours` or `## Opening hours`. Its subsections are included. Cannot be combined with lines.',
      ),
    ),
    fromLine: Type.Optional(line('The first line, counted from 1.')),
    toLine: Type.Optional(line('The last line. A value beyond the end means the last line.')),
    maxBytes: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: contentBytesMax,
        description:
          'The maximum bytes of the whole lines in UTF-8; at least one line is returned. `nextLine` is where to continue.',
      }),
    ),
  }),
  output: closed({
    id: Id,
    object: Type.Literal('document_content'),
    version: Version,
    title: Type.String({ maxLength: 255, description: 'Title of the document.' }),
    text: Type.String({ description: 'The Markdown of these lines, with their line ends.' }),
    fromLine: line('The first returned line.'),
    toLine: line('The last returned line; less than `fromLine` if there is none.', 0),
    nextLine: Type.Union([line('The line at which to continue.'), Type.Null()], {
      description: 'The first line that `maxBytes` left out; null where it left out none.',
    }),
    totalLines: Type.Integer({ minimum: 0, description: 'Lines of the whole document.' }),
    totalBytes: Type.Integer({ minimum: 0, description: 'Bytes of the whole document in UTF-8.' }),
    outline: Type.Array(OutlineHeading, {
      maxItems: outlineHeadingsMax,
      description: `Headings of the requested section, otherwise of the document. If there are more than ${outlineHeadingsMax}, those of the upper levels.`,
    }),
    headingCount: Type.Integer({
      minimum: 0,
      description: 'The number of headings without the limit of the outline.',
    }),
  }),
  success: 200,
  errors: ['not_found'],
})

const Edit = closed({
  find: Type.String({
    minLength: 1,
    maxLength: editFindLengthMax,
    description: 'Literal text, including line breaks. It must occur exactly once, unless `all` is set.',
  }),
  replace: Type.String({ maxLength: editReplaceLengthMax, description: 'The replacement; may be empty.' }),
  all: Type.Optional(
    Type.Boolean({ default: false, description: 'Replace every occurrence; at least one is required.' }),
  ),
})

export const editDocument = operation({
  name: 'documents.edit',
  http: 'POST /documents/{id}/edit',
  summary: 'Edit the content of a document',
  description:
    'Finds text in the content and replaces it. The edits apply in order, each to the result of the one before, and all of them or none. If all lines of the document have the same line ending, line breaks in the edits are converted to it.',
  scope: 'documents:write',
  input: closed({
    id: DocumentRef,
    expectedVersion: Type.Optional(ExpectedVersion),
    section: Type.Optional(
      sectionOf('Edit only this section, by its number in the outline or its heading. Other text stays as it is.'),
    ),
    edits: Type.Array(Edit, { minItems: 1, maxItems: documentEditsMax, description: 'Made in this order.' }),
  }),
  output: closed({
    ...DocumentBrief.properties,
    replacements: Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: documentEditsMax,
      description: 'How often each edit has replaced its text, in the order of the edits.',
    }),
  }),
  success: 200,
  errors: ['not_found', 'version_mismatch', 'project_archived'],
  emits: [documentUpdated],
})
