// Filters as an address holds them: what was written is read again, and what no page has written is left out.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneOf, parseSearch, searchOf, stringifySearch, text, pathAfter } from '../../../console/app/search-params.ts'
import { auditInput, auditSearch } from '../../../console/pages/audit/audit-search.ts'
import { inputOf } from '../../../console/pages/deliveries/delivery-search.ts'

const anyText = fc.string({ unit: 'grapheme' })

test('whatever text a filter holds, it comes back from the address', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, anyText), (search) => {
      expect(Object.entries(parseSearch(stringifySearch(search)))).toEqual(Object.entries(search))
    }),
  )
})

test('filters that are not set are not in the address', () => {
  expect(stringifySearch({ q: undefined, status: 'active', page: 2 })).toBe('?status=active')
  expect(stringifySearch({ q: undefined })).toBe('')
})

test('a page reads its own parameters, with the values that they can have, and nothing else', () => {
  const read = searchOf({ q: text, status: oneOf(['active', 'revoked']) })

  expect(read({ q: 'crm', status: 'revoked' })).toEqual({ q: 'crm', status: 'revoked' })
  expect(read({ q: '', status: 'gone', other: 'x' })).toEqual({})
  expect(read({ q: ['a'], status: 1 })).toEqual({})
})

test('any address at all is read without an error, and only known names come of it', () => {
  const read = searchOf({ q: text, status: oneOf(['active']) })
  fc.assert(
    fc.property(anyText, (address) => {
      const found = read(parseSearch(address))

      expect(Object.keys(found).filter((name) => name !== 'q' && name !== 'status')).toEqual([])
    }),
  )
})

const nowMs = Date.parse('2026-11-22T12:34:56.789Z')

test('the audit log is asked for what its filters say, from the start of a minute on', () => {
  expect(auditInput({}, nowMs)).toEqual({})
  const createdAfter = '2026-11-15T12:34:00.000Z'
  const denied = { outcome: 'denied', action: ['api-keys.create'], actorId: 'a', createdAfter }
  expect(auditInput({ outcome: 'denied', action: 'api-keys.create', actor: 'a', days: '7' }, nowMs)).toEqual(denied)
  expect(auditSearch({ outcome: 'success', days: '2', action: 'x' })).toEqual({ outcome: 'success', action: 'x' })
})

test('deliveries are asked for what their filters say', () => {
  expect(inputOf({}, nowMs)).toEqual({})
  const search = { status: 'retrying', webhook: 'w', kind: 'tasks.*', event: 'e', since: '1h' } as const
  const asked = { status: ['retrying'], webhookId: 'w', eventTypes: ['tasks.*'], eventId: 'e' }
  expect(inputOf(search, nowMs)).toEqual({ ...asked, createdAfter: '2026-11-22T11:34:56.789Z' })
  expect(inputOf({ since: '24h' }, nowMs).createdAfter).toBe('2026-11-21T12:34:56.789Z')
  expect(inputOf({ since: '7d' }, nowMs).createdAfter).toBe('2026-11-15T12:34:56.789Z')
})

test('after signing in one comes to the page that was asked for, and never to another address', () => {
  const others = [undefined, '', '//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)']

  expect(pathAfter('/w/1/keys?status=active')).toBe('/settings/w/1/keys?status=active')
  for (const next of others) expect([next, pathAfter(next)]).toEqual([next, '/settings'])
})

test('whatever a link asks for, one stays at this address, in the console', () => {
  const origin = 'https://acme.example'
  fc.assert(
    fc.property(anyText, (next) => {
      expect(new URL(pathAfter(next), origin).origin).toBe(origin)
      expect(pathAfter(next)).toMatch(/^\/settings(\/|$)/)
    }),
  )
})
