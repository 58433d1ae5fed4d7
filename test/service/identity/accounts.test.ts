// How people sign in: passwords, browsers that are known, and the link of the first start.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { openKnownBrowsers } from '../../../service/identity/accounts/known-browsers.ts'
import { assertNotGuessed, commonPasswords, partsOfGuess } from '../../../service/identity/accounts/password-rule.ts'
import { openPasswords } from '../../../service/identity/accounts/passwords.ts'
import { firstSetupLink } from '../../../service/identity/setup/rows.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { freshDatabase } from '../../support/database.ts'

const browsers = openKnownBrowsers(deriveKey('a secret of the test', 'known-browsers'))
const others = openKnownBrowsers(deriveKey('another secret', 'known-browsers'))
const changing = openKnownBrowsers(deriveKey('another secret', 'known-browsers', 'a secret of the test'))
const ada = { id: 'ada', passwordHash: 'first' }
const grace = { id: 'grace', passwordHash: 'first' }

test('a browser is known for the account that has signed in there, with this password alone', () => {
  const cookie = browsers.marked(null, ada)

  for (const mark of [browsers.markOf(cookie, ada), browsers.idOf(cookie)]) expect(mark).toMatch(/^[\w-]{22}$/)
  for (const other of [grace, { ...ada, passwordHash: 'second' }, null])
    expect(browsers.markOf(cookie, other)).toBeNull()
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

test('a browser stays known while the secret is being changed, and its cookie goes over to the new one', () => {
  const cookie = browsers.marked(null, ada)

  expect(changing.idOf(cookie)).toBe(browsers.idOf(cookie))
  expect(changing.markOf(cookie, ada)).toBe(others.markOf(changing.marked(cookie, ada), ada))
  expect(changing.markOf(cookie, grace)).toBeNull()
  expect(changing.marked(cookie, ada).split('.')).toHaveLength(3)
})

const personal = ['Ada Lovelace', 'ada.lovelace@example.com']

const common = await commonPasswords()
const isGuessed = (password: string): boolean => partsOfGuess(password, { common, personal }) !== null

test('passwords that are guessed first are known as such, and others are not', () => {
  const guessed = `password1234 | P@ssw0rd!2026 | passwordpassword | Welcome123456 | aaaaaaaaaaaaaa | abcabcabcabc |
    123456789012 | 098765432109 | qwertyuiopasdf | abcdefghijklmn | iloveyou!!!!! | 1q2w3e1q2w3e | adalovelace1815 |
    Lovelace!!!!!! | correcthorsebatterystaple | LovelaceLovelace1 | ecalevolada! | Passw0rd!Passw0rd! |
    Pa$$w0rdPa$$w0rd | passw0rd.passw0rd.passw0rd | p455w0rd p455w0rd | Passw0rd!2024Passw0rd |
    Summer2026!Summer2026! | Winter2025!!!! | Admin123!Admin123! | drowssapdrowssap | letmeinletmein1 | qazwsxedcrfv |
    monkey dragon | trustno1trustno1 | ThisIsMyPassword1 | ＰＡＳＳＷＯＲＤ１２３４ | Supersecret2026!`.split(/ \|\s+/)
  const good = `seven small turtles sing | compilers like long walks | nine quiet otters swim | xK9#mP2$vL5@nQ8 |
    ada likes engines a lot | 493027561820 | ich mag Würfelzucker | 漢字とひらがなのことば`.split(/ \|\s+/)

  expect([...guessed, ...good].filter(isGuessed)).toEqual(guessed)
})

test('a known password stays one, whatever is put around it that all put there', () => {
  const words = ['password', 'welcome', 'dragon', 'letmein', 'football', 'iloveyou']
  const ends = ['1234', '!!!!', '2026', '123!', '12345', '!', '1']
  const dressed = fc
    .tuple(fc.constantFrom(...words), fc.constantFrom(...ends), fc.integer({ min: 1, max: 4 }), fc.boolean())
    .map(([word, end, times, isLoud]) => ((isLoud ? word.toUpperCase() : word) + end).repeat(times))

  fc.assert(fc.property(dressed, isGuessed))
})

test('what is put before a password that is good enough leaves it so', () => {
  fc.assert(fc.property(fc.string({ maxLength: 30 }), (start) => !isGuessed(`${start} compilers like long walks`)))
})

test('whoever is refused is told what their password is made of, and not what it is', async () => {
  const refusal = (password: string) => assertNotGuessed('newPassword', password, personal)
  const detail =
    'Is among the passwords that are guessed first. It is made of a password that many have and a repetition. Take some words more.'

  const members = { errors: [{ pointer: '/newPassword', code: 'wrong_format', detail }] }
  await expect(refusal('Passw0rd!Passw0rd!')).rejects.toMatchObject({ code: 'validation_failed', members })
  await expect(refusal('lovelace2026stuvwx')).rejects.toThrow(
    'It is made of your name or email, a year and a run of the keyboard or the alphabet.',
  )
  await expect(refusal('compilers like long walks')).resolves.toBeUndefined()
})

test('a password matches its hash however its letters are composed, and no other hash nor none', async () => {
  const { hash, matches } = openPasswords()
  const stored = await hash('caf\u00e9 au lait')

  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await matches('cafe\u0301 au lait', stored)).toBe(true)
  expect(await matches('cafe au lait', stored)).toBe(false)
  expect(await matches('caf\u00e9 au lait', null)).toBe(false)
  expect(await hash('caf\u00e9 au lait')).not.toBe(stored)
})

test('who finds no room among those whose passwords are checked is told so at once', async () => {
  const { hash } = openPasswords({ running: 1, waiting: 1 })
  const asked = [hash('first'), hash('second')]

  const members = { retryAfterSeconds: 1, 'violated-policies': ['passwords'] }
  await expect(hash('third')).rejects.toMatchObject({ code: 'unavailable', members })
  expect(await Promise.all(asked)).toHaveLength(2)
})

onEachEngine((kind) => {
  test('of processes that start at once one is given the link, and none that starts later, though the link has ended', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database

    const started = await Promise.all([1, 2, 3].map(() => firstSetupLink(db, 'https://example.com')))
    await db.setupToken.updateMany({ data: { expiresAt: new Date(0) } })
    const later = await firstSetupLink(db, 'https://example.com')

    const link = expect.stringMatching(/^https:\/\/example\.com\/settings\/setup#[\w-]{22}$/)
    const other = { state: 'made before' }
    expect(started).toHaveLength(3)
    expect(started).toEqual(expect.arrayContaining([{ state: 'made', link }, other, other]))
    expect(started.filter(({ state }) => state === 'made')).toHaveLength(1)
    expect(later).toEqual(other)
  })
})
