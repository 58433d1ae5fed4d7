// Passwords are stored as argon2id hashes, each with the parameters that it was made with. A hash takes 19 MiB and some
// 40 ms of a core, so few are computed at once, and the queue is bounded.
import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { overCapacity } from '#contract/faults/fault.ts'
import { openConcurrencyLimit } from '#runtime/concurrency-limit.ts'

export type Passwords = {
  /** Returns PHC text, which names the parameters. */
  hash(password: string): Promise<string>
  /** Takes as long when there is no hash, and returns false. */
  matches(password: string, stored: string | null): Promise<boolean>
}
type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** As OWASP advises. `memory` is in KiB. */
const current: Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32
const saltLength = 16
const atOnce = { running: 2, waiting: 64 }
const waitMs = 5_000

const derive = promisify(argon2)
const noSalt = Buffer.alloc(saltLength)

export function openPasswords(all = atOnce): Passwords {
  const slots = openConcurrencyLimit({ all, each: [] }, waitMs)

  async function tagOf(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
    const slot = await slots.acquire([])
    if (slot.kind === 'refused') throw overCapacity('passwords', 'Too many passwords are being checked. Try again.')
    try {
      return await derive('argon2id', argumentsOf(password, salt, parameters))
    } finally {
      slot.release()
    }
  }

  return {
    hash: async (password) => {
      const salt = randomBytes(saltLength)
      return phcText(current, salt, await tagOf(password, salt, current))
    },
    matches: async (password, stored) => {
      const known = stored === null ? null : parsePhc(stored)
      const tag = await tagOf(password, known?.salt ?? noSalt, known?.parameters ?? current)
      return known !== null && timingSafeEqual(tag, known.tag)
    },
  }
}

/** Text that looks the same has one spelling, whichever keyboard made it. */
const argumentsOf = (password: string, nonce: Buffer, parameters: Parameters): Argon2Parameters => ({
  message: password.normalize('NFKC'),
  nonce,
  tagLength,
  ...parameters,
})

const phcText = ({ memory, passes, parallelism }: Parameters, salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const phcForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/

function parsePhc(stored: string) {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phcForm.exec(stored) ?? []
  if (memory === undefined) throw new Error('A stored password hash is in no form that is known')
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}
