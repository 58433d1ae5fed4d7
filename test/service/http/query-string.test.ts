import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { assertDecodable } from '../../../service/http/query-string.ts'

test.each(['/p', '/p?', '/p?q=a+b&r=%25', '/p?q=caf%C3%A9', '/p?customFields.a%5Bgte%5D=1', '/p/%zz?q=a'])(
  'the query of %s can be read',
  (url) => {
    expect(() => assertDecodable(url)).not.toThrow()
  },
)

test.each([
  ['/p?q=%FF', 'q'],
  ['/p?limit=1&name=%E2%82', 'name'],
  ['/p?q=100%', 'q'],
  ['/p?q=%ED%A0%80', 'q'],
  ['/p?%FF=1', '%FF'],
])('the query of %s is refused, and %s named', (url, parameter) => {
  expect(() => assertDecodable(url)).toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      members: { errors: [expect.objectContaining({ parameter, code: 'wrong_format' })] },
    }),
  )
  expect(() => assertDecodable(url)).toThrow(Fault)
})
