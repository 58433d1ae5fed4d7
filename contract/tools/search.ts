// The tool that finds things by words, members and custom fields among them: what a model needs to assign somebody or to
// set a field.
import { Type } from 'typebox'
import { closed } from '../shared-fields.ts'
import { searchHitsMax } from '../size-limits.ts'
import { words } from './shared-arguments.ts'
import type { Tool } from './tool.ts'

const searchTypes = ['projects', 'tasks', 'crm-entities', 'documents', 'members', 'custom-fields'] as const
export type SearchType = (typeof searchTypes)[number]

export const searchTool: Tool = {
  name: 'search.query',
  title: 'Search',
  description:
    'Finds objects of all types by words of title or text, misspelt titles, identifiers (WEB-42), emails; also members, to assign or own something by their id, and custom fields, to set by their `key`. Use it first when you have a name and no id; use `<type>.list` to filter by status, dates or relations. Best first: type, id, identifier, title, status, where the text has the words. Without `q` it lists members or custom fields, if `types` names them alone. Example: {"q":"acme renewal","types":["crm-entities","documents"]}',
  toolset: 'context',
  scope: null,
  input: closed({
    q: Type.Optional(Type.String({ minLength: 2, maxLength: 200 })),
    types: Type.Optional(Type.Array(words(searchTypes), { minItems: 1, description: 'Default: all.' })),
    includeArchived: Type.Optional(Type.Boolean({ description: 'Archived projects, documents and fields too.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: searchHitsMax, description: 'Default 20.' })),
  }),
  valueScopes: {
    types: {
      projects: 'projects:read',
      tasks: 'tasks:read',
      'crm-entities': 'crm-entities:read',
      documents: 'documents:read',
      members: 'members:read',
      'custom-fields': 'workspaces:read',
    },
  },
  hints: { readOnly: true, destructive: false, idempotent: true },
}
