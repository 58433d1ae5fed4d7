import { expect, test } from 'vitest'
import { deliveryBody } from '#contract/event.ts'

const event = '{"id":"e1",  "type":"projects.updated","data":{"name":"Ä"},"changes":{}}'

test('a full payload is the event to the byte, a thin one leaves out data and changes', () => {
  expect(deliveryBody(event, 'full')).toBe(event)
  expect(deliveryBody(event, 'thin')).toBe('{"id":"e1","type":"projects.updated"}')
})
