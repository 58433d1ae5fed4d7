import { expect, test } from 'vitest'
import { checkSingleHeaders } from '../../../gateway/auth/request-policies.ts'
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
