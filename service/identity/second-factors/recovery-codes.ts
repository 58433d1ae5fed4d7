// Recovery codes: random, for once, and stored as their hash alone. 80 random bits need no slow hash. Pure.
import { randomBytes } from 'node:crypto'
import { recoveryCodesCount } from '#contract/second-factors.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'

/** Without letters and digits that look alike. 32 of them: five bits each. */
const alphabet = '23456789abcdefghijkmnpqrstuvwxyz'
const codeLength = 16
const groupLength = 4

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodesCount }, newCode)

function newCode(): string {
  const letters = Array.from(randomBytes(codeLength), (byte) => alphabet.charAt(byte % alphabet.length))
  const groups = Array.from({ length: codeLength / groupLength }, (_, at) =>
    letters.slice(at * groupLength, (at + 1) * groupLength).join(''),
  )
  return groups.join('-')
}

/** A code as people type it: spaces, hyphens and capitals make no difference. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase()

export const recoveryCodeHash = (code: string): Buffer<ArrayBuffer> => tokenHash(`recovery-code.${plainCode(code)}`)
