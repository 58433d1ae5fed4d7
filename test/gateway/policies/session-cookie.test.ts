import { expect, test } from 'vitest'
import { sessionEnded } from '#contract/internal/session-record.ts'
import { sessionCookie, sessionTokenIn } from '../../../gateway/policies/session-cookie.ts'

const token = 'A'.repeat(43)
const another = 'B'.repeat(43)

test('a cookie is read by the name that its transport has, among others', () => {
  expect(sessionTokenIn(`theme=dark; __Host-session=${token}; x=1`, 'https')).toBe(token)
  expect(sessionTokenIn(`session=${token}`, 'loopback')).toBe(token)
})

test.each([
  ['none is sent', undefined, 'https'],
  ['the name is that of the other transport', `session=${token}`, 'https'],
  ['the name only ends like it', `my__Host-session=${token}`, 'https'],
  ['there are two', `__Host-session=${token}; __Host-session=${another}`, 'https'],
  ['the value is in another form', '__Host-session=abc', 'https'],
  ['the value has signs of another language', `__Host-session=${'A'.repeat(42)}'`, 'https'],
  ['it has travelled in the clear', `session=${token}; __Host-session=${token}`, 'open'],
] as const)('no cookie counts where %s', (_why, cookies, transport) => {
  expect(sessionTokenIn(cookies, transport)).toBeNull()
})

test('what is set has a form that browsers keep to this host, and an end takes it away', () => {
  expect(sessionCookie(token, 'https')).toBe(
    `__Host-session=${token}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure`,
  )
  expect(sessionCookie(token, 'loopback')).toBe(`session=${token}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax`)
  expect(sessionCookie(sessionEnded, 'https')).toMatch(/^__Host-session=; Path=\/; Max-Age=0; .*Secure$/)
})
