// The calling key itself: what it may do, and a new secret for it.
import { Type, type Static } from 'typebox'
import { ApiKeyWithSecret, OverlapHours, apiKeyRotated } from './api-keys.ts'
import { Surface } from './surface.ts'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'

export const meTag = tag('me', 'The key of the request: its scopes and workspaces, and the rotation of its secret.')

export const Me = closed({
  object: Type.Literal('me'),
  apiKey: closed({
    id: Id,
    name: Type.String({ maxLength: 80 }),
    prefix: Type.String({ maxLength: 20 }),
    ownerId: nullable(Id),
    owner: nullable(
      closed({
        id: Id,
        name: Type.String({ maxLength: 200 }),
        email: Type.String({ maxLength: 254 }),
        role: Type.String({ maxLength: 20 }),
      }),
    ),
    homeWorkspaceId: Type.String({
      format: 'uuid',
      description: 'The workspace in which the key was created and is managed.',
    }),
    surfaces: Type.Array(Surface),
    expiresAt: nullable(Timestamp),
    rotateBy: nullable(Timestamp),
  }),
  scopes: Type.Array(Type.String({ maxLength: 80 })),
  workspaces: Type.Array(
    closed({
      id: Id,
      name: Type.String({ maxLength: 200 }),
      slug: Type.String({ maxLength: 48 }),
      timeZone: Type.String({ maxLength: 64, description: 'IANA time zone.' }),
      defaultCurrency: Type.String({ maxLength: 3, description: 'ISO 4217.' }),
      suspended: Type.Boolean({ description: 'No requests are accepted in it at present.' }),
      sandbox: Type.Boolean(),
    }),
  ),
  workspaceSelection: closed({
    required: Type.Boolean({ description: 'Whether each request must name one of the workspaces.' }),
    defaultWorkspaceId: nullable(Id),
    header: Type.Literal('x-workspace-id'),
    parameter: Type.Literal('workspaceId'),
  }),
  rateLimit: nullable(
    closed({
      limit: Type.Integer({ description: 'Requests a minute that the key may send.' }),
      burst: Type.Integer({ description: 'The burst of requests that it may send.' }),
      remaining: Type.Integer({ description: 'Of those, how many are left.' }),
      resetSeconds: Type.Integer(),
    }),
  ),
})
export type Me = Static<typeof Me>

export const getMe = operation({
  name: 'me.get',
  http: 'GET /me',
  summary: 'Who am I',
  description:
    'The key, its owner (`me`), scopes and surfaces, its workspaces and how to choose one, and what remains of its rate limit. Works with any valid key.',
  tenancy: 'none',
  scope: null,
  input: closed({}),
  output: Me,
  success: 200,
})

export const rotateMe = operation({
  name: 'me.rotate',
  http: 'POST /me/rotate',
  summary: 'Rotate the secret of the current key',
  description:
    'The secret is shown only in this response; the same Idempotency-Key returns it again. The old secret keeps working for `overlapHours`; zero ends it at once, after which the request cannot be repeated. Rotate before `rotateBy`: an overdue key is denied here as everywhere, and gets its new secret in the workspace settings. Send this in the workspace that the key was created in.',
  scope: 'api-keys:rotate-self',
  input: closed({ overlapHours: Type.Optional(OverlapHours) }),
  output: ApiKeyWithSecret,
  success: 200,
  errors: ['workspace_not_allowed', 'invalid_transition'],
  emits: [apiKeyRotated],
  audited: true,
})
