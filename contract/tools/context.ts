// The tool that finds things by words, members and custom fields among them: what a model needs to assign a member or
// to set a field.
import { Type } from 'typebox'
import { closed, nullable } from '../shared-fields.ts'
import { words, type Tool } from './tool.ts'
import { searchHitsMax } from '../search.ts'
import { pageItemsMax } from '../pagination.ts'

// The tool that tells what has changed.

const changedTypes = ['projects', 'tasks', 'crm-entities', 'documents', 'members'] as const

export const changesTool: Tool = {
  name: 'changes.list',
  title: 'What has changed',
  description:
    'What changed in the workspace since a moment, oldest first, at most 30 days back: when, which object, created, updated (which fields, from what to what), commented, deleted, and by whom. For standups, handovers and keeping in step; for the objects themselves use `<type>.list` with `updatedAfter`. Give `next` of the answer as `since` to read on, now or later: nothing is missed or repeated. The ids are those of webhook events. Example: {"since":"2026-11-21T00:00:00Z","types":["tasks"]}',
  toolset: 'context',
  scope: 'events:read',
  input: closed({
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'A time (RFC 3339), a day (from its start in UTC), or `next` of an answer. Default: 24 hours ago.',
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

// The tool that tells a model on whose behalf it acts, and within which limits.

const text = Type.String()
const Count = Type.Integer({ minimum: 0 })

export const whoamiTool: Tool = {
  name: 'whoami',
  title: 'Who am I',
  description:
    'Workspace with time zone and currency, the member that `me` stands for, key, scopes, what is left of the rate limit (calls), and the tools that are hidden and why. Use it when a call was refused, before a large job, or to know what today is where the workspace is. Takes no arguments: {}',
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
