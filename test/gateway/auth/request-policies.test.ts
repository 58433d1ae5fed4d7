import { expect, test, describe } from 'vitest'
import {
  checkSingleHeaders,
  checkAccept,
  mcpTypes,
  negotiatedType,
  restTypes,
  checkContent,
} from '../../../gateway/auth/request-policies.ts'
import { codeOf } from '../support/checks.ts'

test.each([
  [['Host', 'a', 'Accept', 'b', 'accept', 'c'], 'passes'],
  [['Host', 'a', 'HOST', 'a'], 'invalid_header'],
  [['Authorization', 'a', 'authorization', 'b'], 'invalid_header'],
  [['X-Workspace-Id', 'a', 'x-workspace-id', 'a'], 'invalid_header'],
  [['Content-Length', '1', 'Content-length', '1'], 'invalid_header'],
])('the headers %j: %s', (rawHeaders, code) => {
  expect(codeOf(() => checkSingleHeaders(rawHeaders))).toBe(code)
})

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

const json = 'application/json'
test.each([
  ['POST', {}, 'passes'],
  ['POST', { 'content-length': '0', 'content-type': 'text/plain' }, 'passes'],
  ['POST', { 'content-length': '10', 'content-type': json }, 'passes'],
  ['POST', { 'content-length': '11', 'content-type': json }, 'body_too_large'],
  ['POST', { 'content-length': '11', 'content-type': 'text/plain' }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': 'Application/JSON; charset=utf-8' }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': `${json};charset="UTF-8"` }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': `${json}; charset=utf8` }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': `${json}; charset=latin1` }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': `${json}; charset=UTF-16LE` }, 'unsupported_media_type'],
  [
    'POST',
    { 'content-length': '1', 'content-type': `${json}; charset=utf-8; charset=utf-16` },
    'unsupported_media_type',
  ],
  ['PATCH', { 'content-length': '1', 'content-type': `${json}; charset="iso-8859-1"` }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1' }, 'unsupported_media_type'],
  ['POST', { 'transfer-encoding': 'chunked', 'content-type': json }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': json, 'content-encoding': 'br' }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }, 'unsupported_media_type'],
  ['PATCH', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }, 'passes'],
])('%s with %j: %s', (method, headers, code) => {
  const bytesCome = () => Promise.reject(new Error('There is nothing to wait for'))

  expect(codeOf(() => checkContent({ method, headers, bytesCome }, 10))).toBe(code)
})

describe('a chunked body of a wrong type', () => {
  const headersOf = (type: string) => ({ 'transfer-encoding': 'chunked', 'content-type': type })
  const check = (type: string, come: boolean) =>
    checkContent({ method: 'POST', headers: headersOf(type), bytesCome: async () => come }, 10)

  test('is refused once a byte of it comes, and taken for none where it ends without one', async () => {
    await expect(check('text/plain', true)).rejects.toMatchObject({ code: 'unsupported_media_type' })
    await expect(check('text/plain', false)).resolves.toBeUndefined()
    await expect(check(`${json}; charset=latin1`, true)).rejects.toMatchObject({ code: 'unsupported_media_type' })
  })
})
