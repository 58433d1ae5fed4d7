import { expect, test } from 'vitest'
import { openPasswords } from '../../../../service/identity/accounts/passwords.ts'

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

  await expect(hash('third')).rejects.toMatchObject({
    code: 'unavailable',
    members: { retryAfterSeconds: 1, 'violated-policies': ['passwords'] },
  })
  expect(await Promise.all(asked)).toHaveLength(2)
})
