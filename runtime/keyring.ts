// Several keys that seal values at rest, so that they can be changed without losing what is stored: the first one seals,
// all of them open. A sealed value says which key it needs; one that says nothing was sealed with the key that is derived
// from INTERNAL_SECRET, as all values were before there were keys of their own.
import type { KeyObject } from 'node:crypto'
import { deriveKey, seal, unseal } from './sealing-and-signing.ts'

export type SealingKey = { readonly id: string; readonly key: KeyObject }
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
export function keyring(listed: readonly SealingKey[], internalSecret: string, purpose: string): Keyring {
  const derived = deriveKey(internalSecret, purpose)
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
