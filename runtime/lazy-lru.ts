// A cache of bounded size that takes memory for what it holds. Given `max`, lru-cache fills arrays of that length when it
// is made: for 100,000 entries 3 MB and 13 ms, and a gateway makes six of them before its first call.
import { LRUCache } from 'lru-cache'

type Options<V extends {}> = Pick<LRUCache.Options<string, V, unknown>, 'dispose'>

export const lazyLru = <V extends {}>(max: number, options: Options<V> = {}): LRUCache<string, V> =>
  new LRUCache<string, V>({ ...options, maxSize: max, sizeCalculation: () => 1 })
