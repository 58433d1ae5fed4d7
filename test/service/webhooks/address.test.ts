import { expect, test } from 'vitest'
import { ranges } from '#runtime/address.ts'
import { assertTarget, type AllowedTargets } from '../../../service/webhooks/address.ts'

const strict: AllowedTargets = { ranges: [], http: false }
const lax: AllowedTargets = { ranges: ranges(['127.0.0.0/8', '10.1.0.0/16']), http: true }
const isTaken = (url: string, allowed = strict): boolean => {
  try {
    assertTarget(url, allowed)
    return true
  } catch {
    return false
  }
}

test.each([
  'https://example.com/hook',
  'https://sub.example.com:8443/a?b=c',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('%s is taken', (url) => {
  expect(isTaken(url)).toBe(true)
})

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'example.com',
  'https://user:password@example.com/',
  'https://example.com/#part',
  'https://localhost/',
  'https://printer/',
  'https://db.internal/',
  'https://nas.local./',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
])('%s is refused', (url) => {
  expect(isTaken(url)).toBe(false)
})

test('what the operator allows is taken, and no more', () => {
  expect(isTaken('http://127.0.0.1:9000/', lax)).toBe(true)
  expect(isTaken('http://10.1.2.3/', lax)).toBe(true)
  expect(isTaken('http://10.2.0.1/', lax)).toBe(false)
  expect(isTaken('http://localhost:9000/', lax)).toBe(true)
})
