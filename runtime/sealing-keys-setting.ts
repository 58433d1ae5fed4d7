// SEALING_KEYS: the keys that seal what is stored. No mistake in it repeats a byte of a key, or what could be one.
import { createSecretKey } from 'node:crypto'
import { keyIdLengthMax, type SealingKey } from './keyring.ts'
import type { Setting } from './settings.ts'
import { text } from './setting-parsers.ts'

const keysMax = 8
const keyBytes = 32
const form = new RegExp(`^([a-z0-9][a-z0-9-]{0,${keyIdLengthMax - 1}}):(.*)$`)

const declared = text('SEALING_KEYS', {
  description:
    'What seals stored secrets: `id:<base64 of 32 bytes>`, with commas between, at most 8. The first seals, all of them open. Without it they are sealed with a key that is derived from INTERNAL_SECRET.',
})

export const sealingKeys: Setting<readonly SealingKey[]> = {
  ...declared,
  default: [],
  hidden: true,
  parse: (given) => {
    const items = given.split(',').map((item) => item.trim())
    if (items.length > keysMax) throw new Error(`must list at most ${keysMax} keys`)
    const keys = items.map(keyIn)
    assertDifferent(keys)
    return keys
  },
}

function keyIn(item: string, at: number): SealingKey {
  const { 1: id, 2: encoded = '' } = form.exec(item) ?? []
  if (id === undefined)
    throw new Error(
      `must list keys as id:base64, the id of up to ${keyIdLengthMax} lower case letters, digits and hyphens (key ${at + 1} is none)`,
    )
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length !== keyBytes || bytes.toString('base64') !== encoded)
    throw new Error(`must have ${keyBytes} bytes in base64 for each key (key ${at + 1} has others)`)
  return { id, key: createSecretKey(bytes) }
}

function assertDifferent(keys: readonly SealingKey[]): void {
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('must give each key an id of its own')
  const isThereTwice = keys.some(({ key }, at) => keys.slice(at + 1).some((other) => other.key.equals(key)))
  if (isThereTwice) throw new Error('must list each key once, not under two ids')
}
