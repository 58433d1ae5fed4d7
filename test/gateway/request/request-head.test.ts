// Which targets can be read in one way only.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkRequestHead } from '../../../gateway/request/request-head.ts'
import { codeOf } from '../support/checks.ts'

const outcome = (url: string): string =>
  codeOf(() => checkRequestHead({ url, httpVersion: '1.1', headers: { host: 'gateway' } }))

test.each([
  '/',
  '/api/v1/projects/a%2Fb',
  '/api/v1/projects/a.b',
  '/api/v1/projects/...',
  '/a/%e2%82%ac?x=%zz&y=..',
  "/a/~!$&'()*+,;=:@",
])('%s is taken', (url) => {
  expect(outcome(url)).toBe('passes')
})

/** All that a server, a proxy or a framework is known to take for a dot, a slash or an end. */
const pieces = ['.', '%2e', '%2E', '/', '%2f', '%2F', '\\', '%5c', 'a', '?', '#', '%00', '%20', '-']

test('a path that passes names the same to whoever decodes it, and to whoever resolves it', () => {
  const seen = { passes: 0, invalid_parameter: 0 }
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }), (parts) => {
      const url = `/api/${parts.join('')}`
      const found = outcome(url) as keyof typeof seen
      seen[found] += 1
      if (found !== 'passes') return
      const path = url.split('?', 1)[0]!
      expect(new URL(`http://gateway${url}`).pathname).toBe(path)
      const decoded = decodeURIComponent(path).replaceAll('\\', '/')
      expect(decoded.split('/').filter((segment) => segment === '..' || segment === '.')).toEqual([])
    }),
    { numRuns: 2_000 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100)
})
