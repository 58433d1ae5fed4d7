// A device that keeps one passkey (WebAuthn, ES256), with the software of Node alone: for tests without a browser.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const [present, verified, attested] = [0x01, 0x04, 0x40]

type Asked = { readonly challenge: string; readonly rpId: string }
type Options = { readonly isVerified?: boolean; readonly counter?: number; readonly userId?: string | null }

/** `origin`: of the page that asks. */
export function passkeyDevice(origin = 'http://localhost') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })

  return {
    id: id.toString('base64url'),

    /** Answers the options of `passkeys.begin`. */
    create(options: { readonly challenge: string; readonly rp: { readonly id: string } }, given: Options = {}) {
      const key = map([
        [int(1), int(2)],
        [int(3), int(-7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, 'base64url'))],
        [int(-3), bytes(Buffer.from(y, 'base64url'))],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, key])
      const data = Buffer.concat([head(options.rp.id, attested, given), credential])
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(data)],
      ])
      return {
        id: id.toString('base64url'),
        clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
    },

    /** Answers the options of `sessions.begin-with-passkey`. `userId`: of the account, as the device has kept it. */
    get({ challenge, rpId }: Asked, { userId = null, ...given }: Options = {}) {
      const [data, client] = [head(rpId, 0, given), clientData('webauthn.get', challenge)]
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id: id.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: userId === null ? null : Buffer.from(userId).toString('base64url'),
      }
    },
  }
}

const head = (rpId: string, flags: number, { isVerified = true, counter = 0 }: Options): Buffer => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.of(present | (isVerified ? verified : 0) | flags), count])
}

const sha256 = (of: string | Buffer): Buffer => createHash('sha256').update(of).digest()

// CBOR (RFC 8949), as much as a passkey needs of it.
const uint16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff)

function headOf(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.of(type | value)
  return value < 256 ? Buffer.of(type | 24, value) : Buffer.concat([Buffer.of(type | 25), uint16(value)])
}
const int = (value: number): Buffer => (value < 0 ? headOf(1, -1 - value) : headOf(0, value))
const bytes = (value: Buffer): Buffer => Buffer.concat([headOf(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([headOf(3, value.length), Buffer.from(value)])
const map = (pairs: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([headOf(5, pairs.length), ...pairs.flat()])
