// Several keys that seal values at rest, so that they can be changed without losing what is stored: the first one
// seals, all of them open. A sealed value says which key it needs; one that says nothing was sealed with the key that
// is derived from INTERNAL_SECRET, as all values were before there were keys of their own.
import { type KeyObject, createSecretKey } from 'node:crypto'
import { deriveKey, seal, unseal } from './sealing-and-signing.ts'
import { type Setting, text } from './settings.ts'

export type SealingKey = { readonly id: string; readonly key: KeyObject }
/** `acceptedSecret`: a second one, while the first is being changed. */
export type InternalSecrets = { readonly internalSecret: string; readonly acceptedSecret?: string | null | undefined }
/** Null: the key that is derived from INTERNAL_SECRET. */
export type KeyId = string | null

export type Keyring = {
  /** The key that seals. */
  readonly first: KeyId
  has(id: KeyId): boolean
  /** `context` must be the same when opening, so that a sealed value cannot be moved to another row. */
  seal(plain: string, context: string): Buffer<ArrayBuffer>
  /** Throws UnknownSealingKey when its key is none of these, another error when it was changed or moved. */
  open(sealed: Uint8Array, context: string): string
}

/** Says which key was missing, by its id alone. */
export class UnknownSealingKey extends Error {
  override readonly name = 'UnknownSealingKey'
  constructor(id: string) {
    super(`SEALING_KEYS has no key "${id}", which has sealed this value`)
  }
}

/** The bytes before what `seal` makes: `sealed1:<id>:`. By chance no nonce begins like this. */
export const sealedMarker = 'sealed1:'
export const keyIdLengthMax = 16

/** Each purpose has keys of its own, made of the same `listed` ones. */
export function keyring(
  listed: readonly SealingKey[],
  { internalSecret, acceptedSecret = null }: InternalSecrets,
  purpose: string,
): Keyring {
  const derived = deriveKey(internalSecret, purpose, acceptedSecret)
  const keys = new Map(listed.map(({ id, key }) => [id, deriveKey(key, purpose)]))
  const first = listed[0]?.id ?? null

  function keyOf(id: KeyId): KeyObject {
    const key = id === null ? derived : keys.get(id)
    if (key === undefined) throw new UnknownSealingKey(String(id))
    return key
  }
  return {
    first,
    has: (id) => id === null || keys.has(id),
    seal: (plain, context) => {
      const head = sealedHead(first)
      return Buffer.concat([Buffer.from(head), seal(keyOf(first), plain, `${head}${context}`)])
    },
    open: (sealed, context) => {
      const id = keyIdOf(sealed)
      const head = sealedHead(id)
      return unseal(keyOf(id), sealed.subarray(head.length), `${head}${context}`)
    },
  }
}

/** What a value begins with that this key has sealed. Without an id it is as it always was: older versions open it. */
export const sealedHead = (id: KeyId): string => (id === null ? '' : `${sealedMarker}${id}:`)

/** The key that has sealed the value. */
export function keyIdOf(sealed: Uint8Array): KeyId {
  const text = Buffer.from(sealed.subarray(0, sealedMarker.length + keyIdLengthMax + 1)).toString('latin1')
  const end = text.indexOf(':', sealedMarker.length)
  return text.startsWith(sealedMarker) && end > 0 ? text.slice(sealedMarker.length, end) : null
}

const keysMax = 8
const keyBytes = 32
const form = new RegExp(`^([a-z0-9][a-z0-9-]{0,${keyIdLengthMax - 1}}):(.*)$`)

const declared = text('SEALING_KEYS', {
  description:
    'The keys that seal stored secrets: `id:<base64 of 32 bytes>`, separated by commas, at most 8. The first seals, and all of them open. Without this setting secrets are sealed with a key that is derived from INTERNAL_SECRET.',
})

/** SEALING_KEYS. No message about it repeats a byte of a key, or what could be one. */
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
