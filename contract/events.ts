// The feed of a workspace: what was sent to webhooks, to be read at one's own pace.
import { Type } from 'typebox'
import { EventRecord } from './event.ts'
import { Id, closed } from './fields.ts'
import { pageItemsDefault, pageItemsMax } from './limits.ts'
import { operation } from './operation.ts'

export const listEvents = operation({
  name: 'events.list',
  http: 'GET /events',
  summary: 'Read the feed',
  description: 'Events after a sequence number, in order. Ask again with `lastSequence` as `after`.',
  audiences: ['api', 'settings'],
  scope: 'events:read',
  input: closed({
    after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
    types: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageItemsMax, default: pageItemsDefault })),
  }),
  output: closed({
    data: Type.Array(EventRecord, { maxItems: pageItemsMax }),
    lastSequence: Type.Integer({ minimum: 0 }),
    hasMore: Type.Boolean(),
  }),
  success: 200,
})

export const getEvent = operation({
  name: 'events.get',
  http: 'GET /events/{id}',
  summary: 'Get an event',
  description: 'One event by its id.',
  audiences: ['api', 'settings'],
  scope: 'events:read',
  input: closed({ id: Id }),
  output: EventRecord,
  success: 200,
  errors: ['not_found'],
})
