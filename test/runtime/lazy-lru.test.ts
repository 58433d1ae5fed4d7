import { expect, test } from 'vitest'
import { lazyLru } from '#runtime/lazy-lru.ts'

test('a full cache gives up what was used longest ago, and says so', () => {
  const left: string[] = []
  const cache = lazyLru<number>(3, { dispose: (value, key, reason) => left.push(`${key} ${value} ${reason}`) })
  for (const [n, key] of ['a', 'b', 'c'].entries()) cache.set(key, n)

  cache.get('a')
  cache.set('d', 3)

  expect([...cache.keys()]).toEqual(['d', 'a', 'c'])
  expect(left).toEqual(['b 1 evict'])
})
