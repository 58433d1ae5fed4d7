// Workspace resources: texts about a workspace (overview, members, labels, …) for people, and for models over MCP.
import { Type, type Static } from 'typebox'
import { Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'

export const resourcesTag = tag('resources', 'Texts about the workspace, for people and for models.')

const Uri = Type.String({ minLength: 1, maxLength: 200, description: '`workspace://…`, as in the list.' })

export const Resource = closed({
  object: Type.Literal('resource'),
  uri: Uri,
  name: Type.String({ maxLength: 80 }),
  title: Type.String({ maxLength: 80 }),
  description: Type.String({ maxLength: 400 }),
  mimeType: Type.Enum(['text/markdown', 'application/json']),
  kind: Type.Enum(['overview', 'members', 'labels', 'custom_fields', 'view', 'glossary']),
  size: Type.Integer({ minimum: 0, description: 'Bytes of the text, as this key may read it.' }),
  updatedAt: nullable(Timestamp),
})
export type Resource = Static<typeof Resource>

const ResourceWithText = closed({ ...Resource.properties, text: Type.String() })

export const listResources = operation({
  name: 'resources.list',
  http: 'GET /resources',
  summary: 'List workspace resources',
  description: 'The texts about the workspace, by URI. Texts that need a scope which the key lacks are left out.',
  scope: 'resources:read',
  input: closed(pageInput),
  output: pageOf(Resource),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})

export const readResource = operation({
  name: 'resources.read',
  http: 'GET /resources/content',
  summary: 'Read a workspace resource',
  description:
    'Members need the scope `members:read`, custom fields `workspaces:read`. Overview and labels omit what the key may not read.',
  scope: 'resources:read',
  input: closed({ uri: Uri }),
  output: ResourceWithText,
  success: 200,
  errors: ['not_found', 'insufficient_scope'],
})
