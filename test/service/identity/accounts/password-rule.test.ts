import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import {
  commonPasswords,
  assertNotGuessed,
  partsOfGuess,
  type CommonPasswords,
} from '../../../../service/identity/accounts/password-rule.ts'

const personal = ['Ada Lovelace', 'ada.lovelace@example.com']

let common: CommonPasswords
beforeAll(async () => {
  common = await commonPasswords()
})
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

  await expect(refusal('Passw0rd!Passw0rd!')).rejects.toMatchObject({
    code: 'validation_failed',
    members: { errors: [{ pointer: '/newPassword', code: 'wrong_format', detail }] },
  })
  await expect(refusal('lovelace2026stuvwx')).rejects.toThrow(
    'It is made of your name or e-mail, a year and a run of the keyboard or the alphabet.',
  )
  await expect(refusal('compilers like long walks')).resolves.toBeUndefined()
})
