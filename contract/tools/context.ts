// The tools about the workspace as a whole: search, the list of changes, and who the caller is.
import { Type } from 'typebox'
import { closed, nullable } from '../shared-fields.ts'
import { words, type Tool } from './tool.ts'
import { searchHitsMax } from '../search.ts'
import { pageItemsMax } from '../pagination.ts'

const changedTypes = ['projects', 'tasks', 'crm-entities', 'documents', 'members'] as const

export const changesTool: Tool = {
  name: 'changes.list',
  title: 'List changes',
  description:
    'Lists the changes in the workspace since a time, oldest first, at most 30 days back: the time, the object, the action (created, updated with old and new values, commented, deleted) and who did it. Use it for standups, handovers and synchronization; for the objects themselves, use `<type>.list` with `updatedAfter`. To continue, now or later, send `next` of the response as `since`: no change is missed or repeated. The ids are those of webhook events. Example: {"since":"2026-11-21T00:00:00Z","types":["tasks"]}',
  toolset: 'context',
  scope: 'events:read',
  input: closed({
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description:
          'A time (RFC 3339), a day (from its start in UTC), or `next` of a response. Default: 24 hours ago.',
      }),
    ),
    id: Type.Optional(
      Type.String({
        description:
          'Only changes of this object, and comments on it: UUID, `WEB-42` or `WEB`; other names with its type in `types`. Then `since` is 30 days ago by default.',
      }),
    ),
    types: Type.Optional(Type.Array(words(changedTypes), { minItems: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageItemsMax, description: 'Default 50.' })),
  }),
  valueScopes: { types: Object.fromEntries(changedTypes.map((type) => [type, `${type}:read` as const])) },
  hints: { readOnly: true, destructive: false, idempotent: true },
}

const searchTypes = ['projects', 'tasks', 'crm-entities', 'documents', 'members', 'custom-fields'] as const
export type SearchType = (typeof searchTypes)[number]

export const searchTool: Tool = {
  name: 'search.query',
  title: 'Search',
  description:
    'Finds objects of all types by words in title or text, misspelt titles, identifiers (WEB-42), emails and phone numbers; "in quotes" is a phrase. It also finds members, whose id you need to assign something, and custom fields, whose `key` you need to set one. Use it first when you have a name but no id; to filter by status, dates or relations, use `<type>.list`. The best match comes first, with type, id, identifier, title, status and the text around the words. Without `q` it lists members or custom fields, if `types` names only these. Example: {"q":"acme renewal","types":["crm-entities","documents"]}',
  toolset: 'context',
  scope: null,
  input: closed({
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
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

const text = Type.String()
const Count = Type.Integer({ minimum: 0 })

export const whoamiTool: Tool = {
  name: 'whoami',
  title: 'Who am I',
  description:
    'Returns the workspace with its time zone and currency, the member that `me` stands for, the key, its scopes, the requests left in the rate limit, and the hidden tools with the reason. Use it when a call was denied, before a large job, or to learn the date in the workspace. Takes no arguments: {}',
  toolset: 'context',
  scope: null,
  input: closed({}),
  output: closed({
    workspace: nullable(
      closed({
        id: text,
        name: text,
        timeZone: Type.Optional(text),
        currency: Type.Optional(text),
        now: Type.Optional(text),
      }),
    ),
    me: nullable(
      closed({ id: text, name: Type.Optional(text), email: Type.Optional(text), role: Type.Optional(text) }),
    ),
    key: closed({ id: text, name: text, expiresAt: nullable(text), rotateBy: nullable(text) }),
    scopes: Type.Array(text),
    rateLimit: nullable(closed({ limit: Count, burst: Count, remaining: Count, resetSeconds: Count })),
    hiddenTools: Type.Array(closed({ tools: Type.Array(text), reason: text })),
  }),
  hints: { readOnly: true, destructive: false, idempotent: true },
}
