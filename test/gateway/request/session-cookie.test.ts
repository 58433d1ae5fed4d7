import { expect, test } from 'vitest'
import { browserHeader, sessionEnded, sessionHeader } from '#contract/internal/gateway-endpoints.ts'
import { browserTokenIn, cookiesFor, sessionTokenIn } from '../../../gateway/request/session-cookie.ts'

const token = 'A'.repeat(43)
const another = 'B'.repeat(43)
const https = { transport: 'https', port: '443' } as const
const open = { transport: 'open', port: '80' } as const
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
  const set = (called: Parameters<typeof cookiesFor>[0], value = token) =>
    cookiesFor(called).get(sessionHeader)?.(value)

  const kept = `${token}; Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax`
  expect(set(https)).toBe(`__Host-session=${kept}; Secure`)
  expect(set(loopback)).toBe(`workspace-session-8080=${kept}`)
  expect(cookiesFor(open).size).toBe(0)
  expect(set(https, sessionEnded)).toMatch(/^__Host-session=; Path=\/; Max-Age=0; .*Secure$/)
})

test('a browser is known by a cookie of its own, for a year', () => {
  const [id, mac, mark] = ['i'.repeat(22), 'm'.repeat(43), 'k'.repeat(22)]
  const browser = `${id}.${mac}.${mark}`

  expect(cookiesFor(https).get(browserHeader)?.(browser)).toBe(
    `__Host-browser=${browser}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure`,
  )
  expect(browserTokenIn(`__Host-session=${token}; __Host-browser=${browser}`, https)).toBe(browser)
  expect(browserTokenIn(`workspace-browser-8080=${browser}.${mark}`, loopback)).toBe(`${browser}.${mark}`)
  for (const wrong of [`${id}.${mac}`, browser + `.${mark}`.repeat(5), `${browser}.x`])
    expect(browserTokenIn(`__Host-browser=${wrong}`, https)).toBeNull()
})
