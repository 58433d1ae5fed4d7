import { expect, test } from 'vitest'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { openKnownBrowsers } from '../../../../service/identity/accounts/known-browsers.ts'

const browsers = openKnownBrowsers(deriveKey('a secret of the test', 'known-browsers'))
const others = openKnownBrowsers(deriveKey('another secret', 'known-browsers'))
const ada = { id: 'ada', passwordHash: 'first' }
const grace = { id: 'grace', passwordHash: 'first' }

test('a browser is known for the account that has signed in there, with this password alone', () => {
  const cookie = browsers.marked(null, ada)

  expect(browsers.markOf(cookie, ada)).toMatch(/^[\w-]{22}$/)
  expect(browsers.idOf(cookie)).toMatch(/^[\w-]{22}$/)
  expect(browsers.markOf(cookie, grace)).toBeNull()
  expect(browsers.markOf(cookie, { ...ada, passwordHash: 'second' })).toBeNull()
  expect(browsers.markOf(cookie, null)).toBeNull()
})

test('what was not made here, or was changed, is no known browser', () => {
  const [cookie, another] = [browsers.marked(null, ada), browsers.marked(null, grace)]
  const [id, mac] = cookie.split('.')
  const [, , mark] = another.split('.')
  const mixed = [`${id}x.${mac}.${mark}`, `${id}.${mac}`, `${id}.${mac}.${mark}`]

  for (const each of [null, '', 'x', others.marked(null, ada), ...mixed])
    expect([each, browsers.markOf(each, ada), browsers.markOf(each, grace)]).toEqual([each, null, null])
})

test('several people may use a browser, which keeps its id; of more than five the latest are known', () => {
  const people = Array.from({ length: 7 }, (_none, at) => ({ id: `person-${at}`, passwordHash: 'x' }))
  let cookie: string | null = null
  const ids = new Set<string | null>()
  for (const each of [...people, people[6] ?? ada]) {
    cookie = browsers.marked(cookie, each)
    ids.add(browsers.idOf(cookie))
  }

  expect(people.filter((each) => browsers.markOf(cookie, each) !== null)).toEqual(people.slice(2))
  expect(ids.size).toBe(1)
})
