import { describe, expect, test } from 'vitest'
import { checkContent } from '../../../gateway/auth/request-policies.ts'
import { codeOf } from '../support/checks.ts'

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
