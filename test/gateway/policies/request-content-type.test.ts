import { expect, test } from 'vitest'
import { checkContent } from '../../../gateway/policies/request-content-type.ts'
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
  ['POST', { 'transfer-encoding': 'chunked' }, 'unsupported_media_type'],
  ['POST', { 'transfer-encoding': 'chunked', 'content-type': json }, 'passes'],
  ['POST', { 'content-length': '1', 'content-type': json, 'content-encoding': 'br' }, 'unsupported_media_type'],
  ['POST', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }, 'unsupported_media_type'],
  ['PATCH', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }, 'passes'],
])('%s with %j: %s', (method, headers, code) => {
  expect(codeOf(() => checkContent(method, headers, 10))).toBe(code)
})
