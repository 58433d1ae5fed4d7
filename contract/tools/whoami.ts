// The tool that tells a model on whose behalf it acts, and within which limits.
import { Type } from 'typebox'
import { closed, nullable } from '../shared-fields.ts'
import type { Tool } from './tool.ts'

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
