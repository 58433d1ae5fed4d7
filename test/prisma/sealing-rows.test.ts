import { expect, test } from 'vitest'
import { assertSecret, matchesProof, proofKey, ensureSecretProof } from '#prisma/sealing-rows.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'

const [ours, other] = ['the secret of the installation', 'some other secret']

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('whoever holds another secret than the first is refused, with what to do, until it was changed on purpose', async () => {
    const { db } = database
    await assertSecret(db, other)
    await ensureSecretProof(db, ours, false)
    const { sealedProof } = await db.installation.findFirstOrThrow()

    const refusal = /^INTERNAL_SECRET is not the one .* INTERNAL_SECRET_CHANGED=true\.$/
    await expect(ensureSecretProof(db, other, false)).rejects.toThrow(refusal)
    await expect(assertSecret(db, other)).rejects.toThrow(refusal)
    await ensureSecretProof(db, ours, false)
    await assertSecret(db, ours)

    // The proof tells nothing of the secret: that of the same secret is another each time.
    await ensureSecretProof(db, ours, true)
    expect((await db.installation.findFirstOrThrow()).sealedProof).not.toEqual(sealedProof)
    await ensureSecretProof(db, other, true)
    expect([await matchesProof(db, proofKey(other)), await matchesProof(db, proofKey(ours))]).toEqual([true, false])
    await ensureSecretProof(db, other, false)
  })
})
