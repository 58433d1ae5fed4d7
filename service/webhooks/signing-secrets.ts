// The secrets that sign a webhook's deliveries. Each is encrypted for its own row; the dispatcher decrypts it with the
// same keys and context.
import { randomBytes } from 'node:crypto'
import type { Webhook } from '#contract/webhook-schema.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/call.ts'

export type Sealer = ReturnType<typeof webhookSealer>

/** Encrypts what only the dispatcher may read: signing secrets, and the values of a webhook's own headers. */
export const webhookSealer = ({ seal }: Pick<Keyring, 'seal'>) => ({
  sealSecret: (secretId: string, secret: string) => seal(secret, contextOfSecret(secretId)),
  sealHeaders: (webhookId: string, headers: Readonly<Record<string, string>>) =>
    Object.keys(headers).length === 0 ? null : seal(JSON.stringify(headers), contextOfHeaders(webhookId)),
})

/** What a sealed value belongs to. */
export const contextOfSecret = (secretId: string): string => `webhook-secret:${secretId}`
export const contextOfHeaders = (webhookId: string): string => `webhook-headers:${webhookId}`

/** Returns the plain secret, which is shown to the caller once and is not stored. */
export async function insertSecret(
  tx: Db,
  sealer: Sealer,
  workspaceId: string,
  webhookId: string,
  createdAt: Date,
): Promise<string> {
  const secret = makeSigningSecret()
  const id = newId(createdAt)
  await tx.webhookSecret.create({
    data: { workspaceId, id, webhookId, sealed: sealer.sealSecret(id, secret), createdAt },
  })
  return secret
}

/** Deletes the webhook's secrets and returns a new plain one: deliveries are signed with that alone from now on. */
export async function replaceSecrets(tx: Db, sealer: Sealer, { workspaceId, id }: Webhook, now: Date): Promise<string> {
  await tx.webhookSecret.deleteMany({ where: { workspaceId, webhookId: id } })
  return insertSecret(tx, sealer, workspaceId, id, now)
}

/** The form that Standard Webhooks receivers expect: `whsec_` and standard base64 of 32 bytes. */
const makeSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
