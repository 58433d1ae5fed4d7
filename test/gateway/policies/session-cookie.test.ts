import { expect, test } from 'vitest'
import { sessionEnded } from '#contract/internal/session-record.ts'
import { sessionCookieFor, sessionTokenIn } from '../../../gateway/policies/session-cookie.ts'

const token = 'A'.repeat(43)
const another = 'B'.repeat(43)
const [https, open] = [
  { transport: 'https', port: '443' },
  { transport: 'open', port: '80' },
] as const
const loopback = { transport: 'loopback', port: '8080' } as const

test('a cookie is read by the name that its transport has, among others', () => {
  expect(sessionTokenIn(`theme=dark; __Host-session=${token}; x=1`, https)).toBe(token)
  expect(sessionTokenIn(`session=x; workspace-session-8080=${token}`, loopback)).toBe(token)
})

test.each([
  ['none is sent', undefined, https],
  ['the name is that of the other transport', `workspace-session-443=${token}`, https],
  ['it was set by what listens on another port', `workspace-session-8081=${token}`, loopback],
  ['the name only ends like it', `my__Host-session=${token}`, https],
  ['there are two', `__Host-session=${token}; __Host-session=${another}`, https],
  ['the value is in another form', '__Host-session=abc', https],
  ['the value has signs of another language', `__Host-session=${'A'.repeat(42)}'`, https],
  ['it has travelled in the clear', `workspace-session-80=${token}; __Host-session=${token}`, open],
] as const)('no cookie counts where %s', (_why, cookies, called) => {
  expect(sessionTokenIn(cookies, called)).toBeNull()
})

test('what is set has a form that browsers keep to this host, and an end takes it away', () => {
  expect(sessionCookieFor(https)?.(token)).toBe(
    `__Host-session=${token}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure`,
  )
  expect(sessionCookieFor(loopback)?.(token)).toBe(
    `workspace-session-8080=${token}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax`,
  )
  expect(sessionCookieFor(open)).toBeNull()
  expect(sessionCookieFor(https)?.(sessionEnded)).toMatch(/^__Host-session=; Path=\/; Max-Age=0; .*Secure$/)
})
