import { beforeEach, expect, test } from 'vitest'
import { assertSecret, matchesProof, proofKey, ensureSecretProof } from '#prisma/sealing-rows.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'

const [ours, other] = ['the secret of the installation', 'some other secret']

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  beforeEach(async () => void (await database.db.installation.deleteMany()))

  test('whoever holds another secret than the first is refused, in a sentence that says what to do', async () => {
    const { db } = database

    await assertSecret(db, other)
    await ensureSecretProof(db, ours, false)

    const refusal = /^INTERNAL_SECRET is not the one .* INTERNAL_SECRET_CHANGED=true\.$/
    await expect(ensureSecretProof(db, other, false)).rejects.toThrow(refusal)
    await expect(assertSecret(db, other)).rejects.toThrow(refusal)
    await ensureSecretProof(db, ours, false)
    await assertSecret(db, ours)
  })

  test('a secret that was changed on purpose takes the place of the old one', async () => {
    const { db } = database
    await ensureSecretProof(db, ours, false)

    await ensureSecretProof(db, other, true)

    expect(await matchesProof(db, proofKey(other))).toBe(true)
    expect(await matchesProof(db, proofKey(ours))).toBe(false)
    await ensureSecretProof(db, other, false)
  })

  test('the proof tells nothing of the secret: that of the same secret is another each time', async () => {
    const { db } = database
    await ensureSecretProof(db, ours, false)
    const { sealedProof } = await db.installation.findFirstOrThrow()

    await ensureSecretProof(db, ours, true)

    expect((await db.installation.findFirstOrThrow()).sealedProof).not.toEqual(sealedProof)
  })
})
