// The addresses behind the names in SERVICE_URLS.
import { expect, test } from 'vitest'
import { absentKeptMs, watchNames } from '../../../gateway/upstream/dns-resolution.ts'

const watching = (urls: readonly string[], answers: (readonly string[] | Error)[]) => {
  const clock = { now: 0 }
  const failed: string[] = []
  const asked: string[] = []
  const resolve = async (name: string): Promise<readonly string[]> => {
    asked.push(name)
    const answer = answers.shift() ?? []
    if (answer instanceof Error) throw answer
    return answer
  }
  const onError = (_error: unknown, name: string) => void failed.push(name)
  const names = watchNames(urls, resolve, onError, () => clock.now)
  const origins = () => names.addresses().map(({ origin }) => origin)
  return { names, clock, failed, asked, origins }
}

const [one, two, six] = ['http://10.0.0.1:1', 'http://10.0.0.2:1', 'http://[fd00::3]:1']
const shared = [['10.0.0.1'], ['10.0.0.1', '10.0.0.2']]
const fixed = ['http://10.0.0.9:1', 'https://service', 'http://[::1]:2']
test.each([
  ['one name with several addresses is several', 'http://a:1', [['10.0.0.1', 'fd00::3']], [one, six], 'a'],
  ['an address that two names share is one', 'http://b:1 http://c:1', shared, [one, two], 'b c'],
  ['of a literal address and a name behind https the origin is taken as it is', fixed.join('/x '), [], fixed, ''],
])('%s', async (_promise, urls, answers, expected, resolved) => {
  const { names, asked, origins } = watching(urls.split(' '), answers)

  await names.refresh()

  expect([origins(), asked.join(' ')]).toEqual([expected, resolved])
})

test('the last good answer is kept while a name cannot be resolved, which is said once', async () => {
  const answers = [['10.0.0.1'], new Error('away'), new Error('away')]
  const { names, clock, failed, origins } = watching(['http://service'], answers)
  await names.refresh()
  clock.now = 1_000_000
  await names.refresh()
  await names.refresh()
  expect([origins(), failed]).toEqual([['http://10.0.0.1'], ['service']])
})

test('an address that is missing from an answer is kept for ten seconds, a new one comes at once', async () => {
  const { names, clock, origins } = watching(['http://service'], [['10.0.0.1'], ['10.0.0.2'], ['10.0.0.2']])
  await names.refresh()
  clock.now = absentKeptMs
  await names.refresh()
  expect(origins()).toEqual(['http://10.0.0.1', 'http://10.0.0.2'])
  clock.now = absentKeptMs + 1
  await names.refresh()
  expect(origins()).toEqual(['http://10.0.0.2'])
})
