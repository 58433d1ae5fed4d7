import { expect, test } from 'vitest'
import { isGuessedFirst } from '../../../service/accounts/password-rule.ts'

const ada = ['Ada Lovelace', 'ada.lovelace@example.com']

test.each([
  ...['password1234', 'P@ssw0rd!2026', 'passwordpassword', 'Welcome123456', 'aaaaaaaaaaaaaa', 'abcabcabcabc'],
  ...['123456789012', '098765432109', 'qwertyuiopasdf', 'abcdefghijklmn', 'iloveyou!!!!!', '1q2w3e'.repeat(2)],
  ...['adalovelace1815', 'Lovelace!!!!!!', 'correcthorsebatterystaple'],
])('%s is guessed first', (password) => {
  expect(isGuessedFirst(password, ada)).toBe(true)
})

test.each([
  'seven small turtles sing',
  'xK9#mP2$vL5@nQ8',
  'ada likes engines a lot',
  '493027561820',
  'ich mag Würfelzucker',
  '漢字とひらがなのことば',
])('%s is not', (password) => {
  expect(isGuessedFirst(password, ada)).toBe(false)
})
