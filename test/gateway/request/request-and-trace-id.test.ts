import { expect, test } from 'vitest'
import { requestIdFrom } from '../../../gateway/request/request-and-trace-id.ts'

test('a harmless request id is kept, any other is replaced', () => {
  expect(requestIdFrom('abc-1.2:3/4')).toBe('abc-1.2:3/4')
  for (const bad of [undefined, '', 'a b', 'ä', 'a"b', 'x'.repeat(129), ['a', 'b'], 'a\u0000'])
    expect(requestIdFrom(bad)).toMatch(/^[0-9a-f-]{36}$/)
  expect(requestIdFrom('x'.repeat(128))).toHaveLength(128)
})
