import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { eventRecordOf } from '#contract/event.ts'
import { deliveredEvent } from '#contract/internal/deliveries.ts'

const about = {
  id: 'e1',
  workspaceId: 'w1',
  sequence: 7,
  occurredAt: '2026-11-22T12:00:00.000Z',
  requestId: 'r1',
  actor: { type: 'api_key', id: 'k1', name: 'Key' },
}
const asked = (exampleOf?: string) => ({
  eventType: 'webhooks.test',
  eventBody: JSON.stringify({ ...about, type: 'webhooks.test', data: { id: 'h1', exampleOf }, changes: {} }),
})

test('a test of each kind delivers an example that fits the schema of the kind, and says that it is a test', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const event of eventCatalogue) {
    const { eventType, eventBody } = deliveredEvent(asked(event.type))

    const body = JSON.parse(eventBody)
    expect(ajv.validate(eventRecordOf(event), body), `${event.type} ${ajv.errorsText()}`).toBe(true)
    expect([eventType, body.type]).toEqual([event.type, event.type])
    expect(body).toMatchObject({ ...about, test: true })
    expect(body.data.workspaceId ?? 'w1').toBe('w1')
  }
})

test('a test without a kind, or of one that is no more, and every real event are delivered to the byte', () => {
  const real = { eventType: 'projects.created', eventBody: '{"data":{"exampleOf":"tasks.created"} }' }

  for (const recorded of [real, asked(), asked('projects.exploded')]) expect(deliveredEvent(recorded)).toBe(recorded)
})
