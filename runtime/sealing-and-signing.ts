// Derives keys from one secret, one for each purpose, and uses them in two ways: sealing (encrypted and authenticated,
// for values at rest) and signing (readable, authenticated, for values in transit).
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/**
 * HKDF-SHA-256 (RFC 5869). Different purposes give unrelated keys. `accepted`: a second secret, while the first is
 * being changed. What was sealed or signed with its key is taken like the key's own; nothing new is.
 */
export function deriveKey(secret: string | KeyObject, purpose: string, accepted: string | null = null): KeyObject {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
  if (accepted !== null) acceptedBeside.set(key, deriveKey(accepted, purpose))
  return key
}

const acceptedBeside = new WeakMap<KeyObject, KeyObject>()

/** AES-256-GCM. `context` must be the same when unsealing, so that a sealed value cannot be moved to another row. */
export function seal(key: KeyObject, plain: string, context: string): Buffer<ArrayBuffer> {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Throws when the value was not sealed with this key, or the one accepted beside it, and context. */
export function unseal(key: KeyObject, sealed: Uint8Array, context: string): string {
  const other = acceptedBeside.get(key)
  if (other === undefined) return unsealWith(key, sealed, context)
  try {
    return unsealWith(key, sealed, context)
  } catch {
    return unsealWith(other, sealed, context)
  }
}

function unsealWith(key: KeyObject, sealed: Uint8Array, context: string): string {
  const tagAt = sealed.length - tagBytes
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(tagAt))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, tagAt)), decipher.final()]).toString('utf8')
}

/**
 * `<base64url of JSON>.<base64url of HMAC-SHA-256>`. `context` is not in the text, but must be the same when verifying:
 * it says what the value was signed for.
 */
export function sign(key: KeyObject, value: unknown, context = ''): string {
  const payload = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${payload}.${macOf(key, signedText(payload, context))}`
}

/** Returns the signed value, or undefined when the text was not signed with this key and context. */
export function verify(key: KeyObject, text: string, context = ''): unknown {
  const dot = text.indexOf('.')
  const payload = text.slice(0, dot)
  if (!isMacOf(key, signedText(payload, context), text.slice(dot + 1))) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
}

/** HMAC-SHA-256 in base64url, for text that has a form of its own. */
export function macOf(key: KeyObject, text: string): string {
  const blocks = blocksOf(key)
  // Three bytes at most for each unit of a string.
  if (text.length * 3 > shortBytesMax) return createHmac('sha256', key).update(text).digest('base64url')
  const end = blockBytes + blocks.inner.write(text, blockBytes)
  blocks.outer.write(hash('sha256', blocks.inner.subarray(0, end), 'binary'), blockBytes, 'binary')
  return hash('sha256', blocks.outer, 'base64url')
}

/**
 * HMAC is two hashes, each of a block that the key alone decides and of what follows it (RFC 2104). Two hashes of one
 * shot cost half of what Node's object for one HMAC does, and each call through the gateway makes and checks one.
 */
type Blocks = { readonly inner: Buffer; readonly outer: Buffer }
const blockBytes = 64
const hashBytes = 32
const shortBytesMax = 4_096
const knownBlocks = new WeakMap<KeyObject, Blocks>()

function blocksOf(key: KeyObject): Blocks {
  const known = knownBlocks.get(key)
  if (known !== undefined) return known
  const secret = key.export()
  if (secret.length > blockBytes) throw new Error(`A key for signing has at most ${blockBytes} bytes`)
  const blocks = { inner: Buffer.alloc(blockBytes + shortBytesMax), outer: Buffer.alloc(blockBytes + hashBytes) }
  for (let at = 0; at < blockBytes; at++) {
    const byte = secret[at] ?? 0
    blocks.inner[at] = byte ^ 0x36
    blocks.outer[at] = byte ^ 0x5c
  }
  knownBlocks.set(key, blocks)
  return blocks
}

/** The MAC of the key and, where one is accepted beside it, that key's. */
export function macsOf(key: KeyObject, text: string): string[] {
  const other = acceptedBeside.get(key)
  return other === undefined ? [macOf(key, text)] : [macOf(key, text), macOf(other, text)]
}

/**
 * In constant time; as text, of which there is one for each signature. With the key that is accepted beside it, too.
 */
export function isMacOf(key: KeyObject, text: string, sent: string): boolean {
  const other = acceptedBeside.get(key)
  return isOwnMacOf(key, text, sent) || (other !== undefined && isOwnMacOf(other, text, sent))
}

function isOwnMacOf(key: KeyObject, text: string, sent: string): boolean {
  const [right, given] = [Buffer.from(macOf(key, text)), Buffer.from(sent)]
  return right.length === given.length && timingSafeEqual(right, given)
}

/** SHA-256 in base64url. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64url')

/** The payload holds no dot, so that no two pairs of payload and context give the same bytes. */
const signedText = (payload: string, context: string): string => `${payload}.${context}`
