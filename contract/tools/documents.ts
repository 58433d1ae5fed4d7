// The tools of documents. Their content is read in parts and edited in places.
import { Type } from 'typebox'
import { createDocument, getDocument, listDocuments, updateDocument } from '../documents.ts'
import { closed } from '../shared-fields.ts'
import { collectionTools, type CollectionTools } from './collection-tools.ts'

const section = Type.Optional(Type.String({ description: 'Heading, or its number in the outline' }))
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
        Type.Array(Edit, { description: '`find` is literal text that occurs once, unless `all` is true' }),
      ),
      section,
    },
  },
  texts: {
    list: {
      title: 'List documents',
      description:
        'Lists documents by folder, tag, status, project or CRM entity, without their content. Archived documents need `includeArchived`. To search the content, use search.query. Example: {"folder":["handbook/people"],"status":["published"],"sort":["-updatedAt"]}',
    },
    get: {
      title: 'Get a document',
      description:
        'Returns the Markdown of a document: all of it, one `section`, or the lines `fromLine` to `toLine`. A long one is cut at a line; the response then has its outline and `nextLine`. With `fields` that do not name `content`, only these are returned. Example: {"id":"0199a7c2-5f00-7000-8000-000000000002","section":"Opening hours"}',
    },
    create: {
      title: 'Create a document',
      description:
        'Creates a document in Markdown. Only `title` is required; `status` is `draft` by default. Returns the id, not the content. Example: {"title":"Offboarding","content":"# Offboarding\\n\\n…","folder":"handbook/people","status":"published"}',
    },
    update: {
      title: 'Update a document',
      description:
        'Updates a document. Send either `edits`, which find and replace text in the content (all of them or none; in one `section`, if you name it), or fields: `content` replaces the whole text, null clears a field. Use `edits` unless you rewrite the whole text. Example: {"id":"0199a7c2-5f00-7000-8000-000000000002","edits":[{"find":"9 to 5","replace":"10 to 6"}],"expectedVersion":3}',
    },
  },
}

export const documentTools = collectionTools(documentCollection)
