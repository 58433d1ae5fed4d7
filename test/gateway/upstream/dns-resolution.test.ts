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

test('one name with several addresses is several, each called by the name that the service expects', async () => {
  const { names } = watching(['http://service:8081'], [['10.0.0.1', '10.0.0.2', 'fd00::3']])
  await names.refresh()
  expect(names.addresses()).toEqual([
    { origin: 'http://10.0.0.1:8081', host: 'service:8081' },
    { origin: 'http://10.0.0.2:8081', host: 'service:8081' },
    { origin: 'http://[fd00::3]:8081', host: 'service:8081' },
  ])
})

test('a literal address and a name behind https are not resolved, and what follows the origin is left off', async () => {
  const { names, asked, origins } = watching(['http://10.0.0.9:1/x', 'https://service', 'http://[::1]:2'], [])
  await names.refresh()
  expect(origins()).toEqual(['http://10.0.0.9:1', 'https://service', 'http://[::1]:2'])
  expect(asked).toEqual([])
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

test('an address that two names share is one', async () => {
  const { names, origins } = watching(['http://one:1', 'http://two:1'], [['10.0.0.1'], ['10.0.0.1', '10.0.0.2']])
  await names.refresh()
  expect(origins()).toEqual(['http://10.0.0.1:1', 'http://10.0.0.2:1'])
})
