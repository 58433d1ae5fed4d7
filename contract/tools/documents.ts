// The tools of documents. Their content is read in parts and edited in places.
import { Type } from 'typebox'
import { createDocument, getDocument, listDocuments, updateDocument } from '../documents.ts'
import { closed } from '../shared-fields.ts'
import { collectionTools, type CollectionTools } from './collection-tools.ts'

const section = Type.Optional(Type.String({ description: 'Its heading, or its number in the outline' }))
const line = Type.Optional(Type.Integer({ minimum: 1 }))

const Edit = closed({ find: Type.String(), replace: Type.String(), all: Type.Optional(Type.Boolean()) })

export const documentCollection: CollectionTools = {
  segment: 'documents',
  operations: { list: listDocuments, get: getDocument, create: createDocument, update: updateDocument },
  filters: ['status', 'folder', 'tags', 'projectId', 'crmEntityId', 'includeArchived'],
  descriptions: {
    q: 'Words of the title',
    content: 'Markdown',
    folder: 'handbook/people',
    projectId: 'UUID or key',
    crmEntityId: 'CRM entity',
  },
  expansions: { project: 'projects:read', crmEntity: 'crm-entities:read' },
  more: {
    get: { section, fromLine: line, toLine: line },
    update: {
      edits: Type.Optional(
        Type.Array(Edit, { description: 'Literal text that occurs once, or `all`, and what replaces it' }),
      ),
      section,
    },
  },
  texts: {
    list: {
      title: 'List documents',
      description:
        'Documents by folder, tag, status, project or CRM entity, without their content. What is archived needs `includeArchived`. Words in the content: search.query. Example: {"folder":["handbook/people"],"status":["published"],"sort":["-updatedAt"]}',
    },
    get: {
      title: 'Read a document',
      description:
        'The Markdown of a document, whole, one `section`, or `fromLine` to `toLine`; a long one is cut at a line, with its outline and `nextLine` to go on. With `fields` and no `content` among them, only these. Example: {"id":"0199a7c2-5f00-7000-8000-000000000002","section":"Opening hours"}',
    },
    create: {
      title: 'Create a document',
      description:
        'Writes a new document in Markdown, a draft unless `status` says otherwise; only `title` is needed. Answers with its id, not with its content. Example: {"title":"Offboarding","content":"# Offboarding\\n\\n…","folder":"handbook/people","status":"published"}',
    },
    update: {
      title: 'Change a document',
      description:
        'Either `edits`, which find and replace text in the content (all or none; within `section`, if given), or fields that are set: `content` replaces all of it, null empties a field. Prefer edits for anything short of a rewrite. Example: {"id":"0199a7c2-5f00-7000-8000-000000000002","edits":[{"find":"9 to 5","replace":"10 to 6"}],"expectedVersion":3}',
    },
  },
}

export const documentTools = collectionTools(documentCollection)
