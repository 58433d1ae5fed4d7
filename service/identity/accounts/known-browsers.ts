// Browsers in which a person has signed in before. They hold a cookie that only the service can make: a random id, and
// a mark of each account that was signed in there. The cookie grants no access. It gives password tries a count of
// their own, so that wrong passwords from elsewhere never lock a person out of the browser that they always use. A mark
// becomes invalid when the password changes.
import { randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Account } from '#prisma/generated/client.ts'
import { isMacOf, macOf, macsOf } from '#runtime/sealing-and-signing.ts'

type Marked = Pick<Account, 'id' | 'passwordHash'>
export type KnownBrowsers = {
  /** Returns the id of the browser that sends this cookie; null without a cookie, or for one that was not made here. */
  idOf(cookie: string | null): string | null
  /** Returns the account's mark in this cookie, which names browser and account; null when it has none. */
  markOf(cookie: string | null, account: Marked | null): string | null
  /** Returns the cookie with a mark of the account added. It replaces the one that the browser has sent. */
  marked(cookie: string | null, account: Marked): string
}

const idBytes = 16
const markLength = 22
/** The latest marks of a browser that several people use. */
const marksMax = 5

export function openKnownBrowsers(key: KeyObject): KnownBrowsers {
  /** The first is the one of today; another is there while the internal secret is being changed. */
  const marksFor = (id: string, { id: accountId, passwordHash }: Marked): string[] =>
    macsOf(key, `mark.${id}.${accountId}.${passwordHash ?? ''}`).map((mac) => mac.slice(0, markLength))

  function read(cookie: string | null): { readonly id: string; readonly marks: readonly string[] } | null {
    const [id = '', mac = '', ...marks] = cookie?.split('.') ?? []
    return isMacOf(key, `browser.${id}`, mac) ? { id, marks } : null
  }

  return {
    idOf: (cookie) => read(cookie)?.id ?? null,
    markOf: (cookie, account) => {
      const browser = read(cookie)
      if (browser === null || account === null) return null
      const right = marksFor(browser.id, account)
      return browser.marks.some((each) => right.some((mark) => isEqual(each, mark))) ? (right[0] ?? null) : null
    },
    marked: (cookie, account) => {
      const { id, marks } = read(cookie) ?? { id: randomBytes(idBytes).toString('base64url'), marks: [] }
      const [mark = '', ...former] = marksFor(id, account)
      const others = marks.filter((each) => each !== mark && !former.includes(each)).slice(1 - marksMax)
      return [id, macOf(key, `browser.${id}`), ...others, mark].join('.')
    },
  }
}

const isEqual = (given: string, right: string): boolean =>
  given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))
