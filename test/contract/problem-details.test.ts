import { expect, test } from 'vitest'
import { Fault, asFault } from '#contract/faults/fault.ts'
import { problem } from '#contract/faults/problem-details.ts'

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
