// The one table of what the audit log calls things: the filter of the API takes each name, and the console offers each.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { auditedActions } from '#contract/audited-actions.ts'
import { contractModules } from '../../console/build/contract-modules.ts'
import { formats } from '../../service/validation/string-formats.ts'

test('every operation, what assistants call and what happens of itself can be filtered by, in the API and in the console', () => {
  const { load } = contractModules() as { load(id: string): string | null }
  const offered = JSON.parse(load('\0virtual:audited-actions')?.replace('export const auditedActions = ', '') ?? '[]')

  expect(auditedActions).toEqual(expect.arrayContaining(operations.map(({ name }) => name)))
  expect(auditedActions).toEqual(
    expect.arrayContaining(['tools.call', 'mcp', 'webhooks.disabled', 'api-keys.rotation_due']),
  )
  expect(offered).toEqual(auditedActions)
  expect(auditedActions.filter((name) => !formats['audited-action']?.(name))).toEqual([])
  expect(formats['audited-action']?.('sabotage')).toBe(false)
})
