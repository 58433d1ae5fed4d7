// API keys that no service has made, for a gateway in front of a stand-in: tokens as callers know them, and the records
// that the stand-in gives when it is asked for their hashes.
import { hash, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { letters } from '../measure/random-letters.ts'

export type Key = { readonly token: string; readonly hash: string; readonly record: KeyRecord }

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `more`: what differs from an ordinary key. */
export function makeKey(more: Partial<KeyRecord> = {}): Key {
  const token = makeToken()
  return { token, hash: hash('sha256', token, 'hex'), record: { ...record(), ...more } }
}

export function makeToken(): string {
  const open = `wsk_${letters(8)}_${letters(43)}`
  return open + checksum(open)
}

// As high as limits go.
const unlimited = { perMinute: 600_000, burst: 100_000 }

/** For what asks so often with one key that an ordinary one would be refused. */
export const unlimitedRecord: Pick<KeyRecord, 'rateLimit' | 'workspaces'> = {
  rateLimit: unlimited,
  workspaces: [{ id: randomUUID(), suspended: false, refusals: [], rateLimit: unlimited }],
}

const record = (): KeyRecord => ({
  id: randomUUID(),
  name: 'Bench',
  bound: true,
  workspaces: [{ id: randomUUID(), suspended: false, refusals: [] }],
  scopes: ['projects:read', 'projects:write', 'webhooks:read'],
  surfaces: ['http', 'mcp'],
  ipAllowlist: ['127.0.0.0/8'],
  expiresAt: null,
  revokedAt: null,
  secret: { createdAt: new Date().toISOString(), expiresAt: null },
  maxAgeDays: 90,
})

/** CRC-32 in six digits of base 62. */
function checksum(text: string): string {
  let rest = crc32(text)
  let written = ''
  for (; written.length < 6; rest = Math.floor(rest / 62)) written = digits.charAt(rest % 62) + written
  return written
}
