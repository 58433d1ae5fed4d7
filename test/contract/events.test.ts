// Events and their deliveries, as the contract defines them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { v7 as uuid, validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { deliveryErrors } from '#contract/delivery-errors.ts'
import { deliveryBody, eventRecordOf, patternMatches } from '#contract/event.ts'
import { deliveredEvent } from '#contract/internal/deliveries.ts'
import { deliveryId } from '#contract/internal/webhook-request.ts'

test('a full payload is the event to the byte, a thin one leaves out what it tells of the object', () => {
  const event = '{"id":"e1",  "type":"projects.updated","data":{"name":"Ä"},"changes":{},"related":{}}'

  expect(deliveryBody(event, 'full')).toBe(event)
  expect(deliveryBody(event, 'thin')).toBe('{"id":"e1","type":"projects.updated"}')
})

test('a pattern takes one kind, a segment, or all', () => {
  const kind = 'projects.created'

  for (const pattern of ['*', 'projects.*', kind])
    expect([pattern, patternMatches(pattern, kind)]).toEqual([pattern, true])
  expect(patternMatches('projects.*', 'projectsx.created')).toBe(false)
  expect(patternMatches(kind, 'projects.updated')).toBe(false)
})

test('the guide explains each code of a failed delivery, and no other', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/managing-webhooks.md'), 'utf8')
  const [, section = ''] = /\n## Deliveries\n([^]*)$/.exec(guide) ?? []
  const rows = section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)

  expect(Object.fromEntries(Array.from(rows, ([, code, meaning]) => [code, meaning]))).toEqual(deliveryErrors)
})

const id = fc.integer({ min: 0, max: 2 ** 47 }).map((msecs) => uuid({ msecs }))

test('a delivery id is a UUID version 7 with the time of its event, the same for the same event and webhook alone', () => {
  const property = fc.property(id, id, id, (event, webhook, other) => {
    const made = deliveryId(event, webhook)
    expect(validate(made) && version(made)).toBe(7)
    expect(made.slice(0, 13)).toBe(event.slice(0, 13))
    expect(deliveryId(event.toUpperCase(), webhook)).toBe(made)
    if (other === webhook || other === event) return
    expect([deliveryId(event, other), deliveryId(other, webhook)]).not.toContain(made)
  })
  fc.assert(property)
})

const known = { id: 'e1', workspaceId: 'w1', sequence: 7, requestId: 'r1' }
const actor = { type: 'api_key', id: 'k1', name: 'Key' }
const about = { ...known, occurredAt: '2026-11-22T12:00:00.000Z', actor }
const asked = (exampleOf?: string) => ({
  eventType: 'webhooks.test',
  eventBody: JSON.stringify({ ...about, type: 'webhooks.test', data: { id: 'h1', exampleOf }, changes: {} }),
})

test('a test of each kind delivers an example that fits the schema of the kind, and says that it is a test', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
  for (const event of eventCatalogue) {
    const { eventType, eventBody } = deliveredEvent(asked(event.type))

    const body = JSON.parse(eventBody)
    expect(ajv.validate(eventRecordOf(event), body), `${event.type} ${ajv.errorsText()}`).toBe(true)
    expect(eventType).toBe(event.type)
    expect(body).toMatchObject({ ...about, type: event.type, test: true })
    expect(body.data.workspaceId ?? 'w1').toBe('w1')
  }
})

test('a test without a kind, or of one that is no more, and every real event are delivered to the byte', () => {
  const real = { eventType: 'projects.created', eventBody: '{"data":{"exampleOf":"tasks.created"} }' }

  for (const recorded of [real, asked(), asked('projects.exploded')]) expect(deliveredEvent(recorded)).toBe(recorded)
})
