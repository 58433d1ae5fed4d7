// The tool that tells what has changed.
import { Type } from 'typebox'
import { closed } from '../shared-fields.ts'
import { pageItemsMax } from '../size-limits.ts'
import { words } from './shared-arguments.ts'
import type { Tool } from './tool.ts'

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
