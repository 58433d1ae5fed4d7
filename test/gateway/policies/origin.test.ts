import { expect, test } from 'vitest'
import { checkOrigin } from '../../../gateway/policies/origin.ts'
import { codeOf } from '../support/checks.ts'

test.each([
  [undefined, 'api.example.com', 'passes'],
  ['https://api.example.com', 'api.example.com', 'passes'],
  ['https://api.example.com', 'api.example.com:8443', 'passes'],
  ['http://localhost:3000', 'api.example.com', 'passes'],
  ['http://127.0.0.1:3000', 'api.example.com', 'passes'],
  ['http://[::1]:3000', 'api.example.com', 'passes'],
  ['https://example.com', 'api.example.com', 'origin_not_allowed'],
  ['http://localhost.evil.example', 'api.example.com', 'origin_not_allowed'],
  ['http://127.0.0.1.evil.example', 'api.example.com', 'origin_not_allowed'],
  ['null', 'api.example.com', 'origin_not_allowed'],
  ['', 'api.example.com', 'origin_not_allowed'],
  ['https://evil.example', undefined, 'origin_not_allowed'],
])('a page of %s at the host %s: %s', (origin, host, code) => {
  expect(codeOf(() => checkOrigin(origin, host))).toBe(code)
})
