// Secrets at rest: sealed, each to its own row. The dispatcher opens them with the same key and context.
import { randomBytes, type KeyObject } from 'node:crypto'
import { seal } from '#runtime/sealing.ts'

export type Vault = ReturnType<typeof vault>

export const vault = (key: KeyObject) => ({
  sealSecret: (secretId: string, secret: string) => seal(key, secret, `webhook-secret:${secretId}`),
  sealHeaders: (webhookId: string, headers: Readonly<Record<string, string>>) =>
    Object.keys(headers).length === 0 ? null : seal(key, JSON.stringify(headers), `webhook-headers:${webhookId}`),
})

/** The one form that both families of receivers take: `whsec_` and standard base64 of 32 bytes. */
export const makeSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
