// What is broadcast of changed keys: one that can be read forgets that key, any other forgets all.
import { expect, test } from 'vitest'
import { hearKeyChange } from '../../gateway/key-changes.ts'

function told(text: string): unknown[] {
  const forgotten: unknown[] = []
  hearKeyChange(text, { forget: (change) => forgotten.push(change), forgetAll: () => forgotten.push('all') })
  return forgotten
}

test('a change names the key or the workspace that is forgotten', () => {
  expect(told('{"kind":"api-key","id":"k"}')).toEqual([{ kind: 'api-key', id: 'k' }])
  expect(told('{"kind":"workspace","id":"w"}')).toEqual([{ kind: 'workspace', id: 'w' }])
})

test.each(['', 'junk', 'null', '[]', '"k"', '{}', '{"kind":"api-key"}', '{"kind":"api-key","id":null}', '{"id":"k"}'])(
  'a change that does not say what has changed forgets everything: %s',
  (text) => expect(told(text)).toEqual(['all']),
)
