// The tool that searches.
import { Type } from 'typebox'
import { search } from '../search.ts'
import { closed } from '../shared-fields.ts'
import { listed } from './listed-schema.ts'
import type { Tool } from './tool.ts'

const { q, types, limit, includeArchived } = search.input.properties

export const searchTool: Tool = {
  name: 'search.query',
  title: 'Search',
  description: 'Finds projects, tasks, CRM entities and documents by words.',
  toolset: 'context',
  scope: null,
  input: closed({
    q: listed(q),
    types: Type.Optional(listed(types)),
    includeArchived: Type.Optional(listed(includeArchived)),
    limit: Type.Optional(listed(limit)),
  }),
  valueScopes: {
    types: {
      projects: 'projects:read',
      tasks: 'tasks:read',
      'crm-entities': 'crm-entities:read',
      documents: 'documents:read',
    },
  },
  hints: { readOnly: true, destructive: false, idempotent: true },
}
