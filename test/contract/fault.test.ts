import { expect, test } from 'vitest'
import { Fault, asFault, faultCodes, isRetryable, problem } from '#contract/fault.ts'

test('a fault becomes a problem with status and title of its code', () => {
  const fault = new Fault('version_mismatch', 'It has changed.', { currentVersion: 3 })

  expect(problem(fault, 'r1', '/api/v1/projects/x')).toEqual({
    type: '/docs/errors/version_mismatch',
    title: 'The object has changed',
    status: 412,
    detail: 'It has changed.',
    instance: '/api/v1/projects/x',
    code: 'version_mismatch',
    requestId: 'r1',
    currentVersion: 3,
  })
})

test('what was not meant for callers is answered without its text', () => {
  const fault = asFault(new Error('password is hunter2'))

  expect(fault.code).toBe('internal_error')
  expect(JSON.stringify(problem(fault, 'r1', '/'))).not.toContain('hunter2')
})

test('every code has a status that fits its kind, and only load and failures may be retried', () => {
  for (const code of faultCodes) {
    const { status } = new Fault(code, '')
    expect(status).toBeGreaterThanOrEqual(400)
    if (isRetryable(code)) expect([408, 409, 429, 500, 502, 503, 504]).toContain(status)
  }
})
