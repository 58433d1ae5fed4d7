// Certificates for tests, made on the spot: X.509 (RFC 5280) with nothing but what a TLS client looks at.
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

export type Certificate = {
  readonly name: string
  readonly key: string
  readonly cert: string
  readonly keyObject: KeyObject
}
type Wanted = {
  readonly ip: string
  readonly signedBy?: Certificate
  readonly expired?: boolean
  readonly isAuthority?: boolean
}

/** Signed by itself, unless another one is to sign it. */
export function certificate(name: string, { ip, signedBy, expired = false, isAuthority = false }: Wanted): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const daysFromNow = (days: number) => utcTime(new Date(Date.now() + days * 86_400_000))
  const extensions = [
    extension('551d11', sequence(tagged(0x87, Buffer.from(ip.split('.').map(Number))))),
    ...(isAuthority ? [extension('551d13', sequence(tagged(0x01, Buffer.from([0xff]))))] : []),
  ]
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1 + Math.floor(Math.random() * 100)])),
    ecdsaWithSha256,
    distinguishedName(signedBy?.name ?? name),
    sequence(daysFromNow(-2), daysFromNow(expired ? -1 : 2)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', content, signedBy?.keyObject ?? privateKey)
  const der = sequence(content, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature))
  return {
    name,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines(der.toString('base64'))}\n-----END CERTIFICATE-----\n`,
    keyObject: privateKey,
  }
}

/** An empty line among them would end the certificate. */
const lines = (text: string): string => (text.match(/.{1,64}/g) ?? []).join('\n')

/** DER: a tag, a length, the content. */
function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: readonly Buffer[]): Buffer => tagged(0x30, ...contents)
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const extension = (hex: string, value: Buffer): Buffer => sequence(identifier(hex), tagged(0x04, value))
const distinguishedName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))))
const utcTime = (date: Date): Buffer =>
  tagged(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`))
