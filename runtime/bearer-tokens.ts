// Bearer tokens: `<label>_<8 public characters>_<43 secret characters><6 characters of checksum>`.
// 256 random bits need no slow hash; the checksum lets typos and junk be refused without a look-up.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const publicLength = 8
const secretLength = 43
const checksumLength = 6

export type Token = { readonly token: string; readonly prefix: string; readonly hash: Buffer<ArrayBuffer> }

export function makeToken(label: string): Token {
  const prefix = `${label}_${base62(randomBytes(6), publicLength).slice(-publicLength)}`
  const open = `${prefix}_${base62(randomBytes(32), secretLength)}`
  const token = open + checksum(open)
  return { token, prefix, hash: tokenHash(token) }
}

/** Whether label, length and checksum fit. Does not tell whether the token exists. */
export function isWellFormed(label: string, text: string): boolean {
  const length = label.length + 1 + publicLength + 1 + secretLength + checksumLength
  if (text.length !== length || !text.startsWith(`${label}_`) || !/^[0-9A-Za-z_]+$/.test(text)) return false
  const open = text.slice(0, -checksumLength)
  return checksum(open) === text.slice(-checksumLength)
}

/** SHA-256, the only form in which a token is kept. */
export const tokenHash = (token: string): Buffer<ArrayBuffer> => Buffer.from(hash('sha256', token, 'hex'), 'hex')

const checksum = (text: string): string => base62Of(BigInt(crc32(text)), checksumLength)

const base62 = (bytes: Buffer, length: number): string => base62Of(BigInt(`0x${bytes.toString('hex')}`), length)

function base62Of(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text
}
