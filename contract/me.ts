// What a key can learn of itself.
import { Type, type Static } from 'typebox'
import { Id, Timestamp, closed, nullable } from './fields.ts'
import { operation } from './operation.ts'
import { Surface } from './principal.ts'

export const Me = closed({
  object: Type.Literal('me'),
  apiKey: closed({
    id: Id,
    name: Type.String({ maxLength: 80 }),
    prefix: Type.String({ maxLength: 20 }),
    surfaces: Type.Array(Surface),
    expiresAt: nullable(Timestamp),
    rotateBy: nullable(Timestamp),
  }),
  scopes: Type.Array(Type.String({ maxLength: 80 })),
  workspaces: Type.Array(
    closed({ id: Id, name: Type.String({ maxLength: 200 }), slug: Type.String({ maxLength: 48 }) }),
  ),
  rateLimit: nullable(closed({ limit: Type.Integer(), remaining: Type.Integer(), resetSeconds: Type.Integer() })),
})
export type Me = Static<typeof Me>

export const getMe = operation({
  name: 'me.get',
  http: 'GET /me',
  summary: 'Who am I',
  description: 'The key, its scopes and workspaces, and what is left of its rate limit. Works with any valid key.',
  tenancy: 'none',
  scope: null,
  input: closed({}),
  output: Me,
  success: 200,
})
