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
  if (text.length !== length || !text.startsWith(label) || text[label.length] !== '_') return false
  const open = text.slice(0, -checksumLength)
  return text.endsWith(checksum(open)) && isOfAlphabet(open)
}

/** SHA-256, the only form in which a token is kept. */
export const tokenHash = (token: string): Buffer<ArrayBuffer> => Buffer.from(tokenHashHex(token), 'hex')
export const tokenHashHex = (token: string): string => hash('sha256', token, 'hex')

function checksum(text: string): string {
  let written = ''
  for (let rest = crc32(text); written.length < checksumLength; rest = Math.floor(rest / 62))
    written = alphabet.charAt(rest % 62) + written
  return written
}

function isOfAlphabet(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    if (!isLetter && (code < 48 || code > 57) && code !== 95) return false
  }
  return true
}

const base62 = (bytes: Buffer, length: number): string => base62Of(BigInt(`0x${bytes.toString('hex')}`), length)

function base62Of(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet.charAt(Number(rest % 62n)) + text
  return text
}
