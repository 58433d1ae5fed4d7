import { expect, test } from 'vitest'
import { checkAccept, mcpTypes, negotiatedType, restTypes } from '../../../gateway/auth/request-policies.ts'

test.each([
  undefined,
  '',
  '*/*',
  'application/json',
  'application/*',
  'text/html, application/json;q=0.5',
  'text/html, */*;q=0.1',
  'APPLICATION/JSON',
])('%s takes what the API answers', (accept) => {
  expect(() => checkAccept(accept, restTypes)).not.toThrow()
})

test.each(['text/html', 'application/xml, text/*', 'application/json;q=0', '*/*;q=0.000'])('%s does not', (accept) => {
  expect(() => checkAccept(accept, restTypes)).toThrow(expect.objectContaining({ code: 'not_acceptable' }))
})

test('an event stream is enough for MCP, and not for the API', () => {
  expect(() => checkAccept('text/event-stream', mcpTypes)).not.toThrow()
  expect(() => checkAccept('text/event-stream', restTypes)).toThrow()
})

test.each([
  [undefined, 'text/html'],
  ['application/json, text/html', 'text/html'],
  ['application/json, text/html;q=0.9', 'application/json'],
  ['text/*;q=0.1, */*;q=0.2', 'application/json'],
  ['*/*, text/html;q=0', 'application/json'],
])('of the two forms of a page, %s likes %s better', (accept, type) => {
  expect(negotiatedType(accept, ['text/html', 'application/json'])).toBe(type)
})
