import { eventCatalogue } from '#contract/api.ts'
import { eventRecordOf } from '#contract/event.ts'
import type { listEventTypes } from '#contract/events.ts'
import { readScopeOf } from '#contract/scopes.ts'
import type { Handler } from '../execution/handler.ts'

const $schema = 'https://json-schema.org/draft/2020-12/schema'

// The contract does not change while a process lives.
const catalogue = eventCatalogue.map((event) => ({
  type: event.type,
  summary: event.summary,
  scope: readScopeOf(event.type),
  schema: { $schema, title: event.type, ...eventRecordOf(event) },
}))

export const listTypes: Handler<typeof listEventTypes> = async () => ({ data: catalogue })
