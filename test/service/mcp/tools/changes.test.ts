// What `since` of changes.list means for the feed.

import { expect, test } from 'vitest'
import { startOf } from '../../../../service/mcp/tools/changes.ts'

test.each([
  [undefined, { occurredAfter: '2026-11-21T09:30:00.000Z' }],
  ['42', { after: 42 }],
  ['2026-11-20', { occurredAfter: '2026-11-19T23:59:59.999Z' }],
  ['2026-11-20T08:00:00+01:00', { occurredAfter: '2026-11-20T08:00:00+01:00' }],
  ['2026-13-45', { occurredAfter: '2026-13-45' }],
])('%s begins at %j', (since, start) => {
  expect(startOf(since, Date.parse('2026-11-22T09:30:00Z'))).toEqual(start)
})
