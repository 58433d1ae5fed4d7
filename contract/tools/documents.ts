// The tools of documents.
import { createDocument, getDocument, listDocuments, updateDocument } from '../documents.ts'
import { collectionTools } from './collection-tools.ts'

export const documentTools = collectionTools({
  segment: 'documents',
  operations: { list: listDocuments, get: getDocument, create: createDocument, update: updateDocument },
  filters: ['status', 'folder', 'tags', 'projectId', 'crmEntityId'],
  descriptions: {},
  expansions: { project: 'projects:read', crmEntity: 'crm-entities:read' },
  texts: {
    list: { title: 'List documents', description: 'documents by filter.' },
    get: { title: 'Get a document', description: 'One document.' },
    create: { title: 'Create a document', description: 'Makes a document.' },
    update: { title: 'Change a document', description: 'Changes a document.' },
  },
})
