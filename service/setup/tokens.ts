// The tokens of the links by which the first account is made: all end with that account, and each after a day. What has
// ended stays in the table until another is made, so that it shows that there was one.
import { randomBytes } from 'node:crypto'
import type { Database } from '#prisma/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { isAnyAccount } from '../accounts/rows.ts'
import type { Db } from '../execution/handler.ts'
import { setupLinkHours } from '#contract/setup.ts'

const tokenBytes = 16
/** As many processes may have started, and printed theirs. */
const tokensMax = 20

/** Null where there is an account. */
export async function issueSetupToken(db: Database, now: Date): Promise<string | null> {
  if (await isAnyAccount(db)) return null
  const token = await insertToken(db, now)
  await db.$executeRaw`
    DELETE FROM setup_token WHERE expires_at <= ${now} OR token_hash IN (
      SELECT token_hash FROM setup_token ORDER BY expires_at DESC OFFSET ${tokensMax}::int
    )`
  return token
}

type FirstToken = { readonly state: 'made'; readonly token: string } | { readonly state: 'made before' | 'over' }

/** Of several processes that start at once one makes it. Later ones are told that one was made, though it has ended. */
export async function issueFirstSetupToken(db: Database, now: Date): Promise<FirstToken> {
  return await db.$transaction(async (tx): Promise<FirstToken> => {
    await tx.$executeRaw`LOCK TABLE setup_token IN SHARE ROW EXCLUSIVE MODE`
    if (await isAnyAccount(tx)) return { state: 'over' }
    if ((await tx.setupToken.count()) > 0) return { state: 'made before' }
    return { state: 'made', token: await insertToken(tx, now) }
  })
}

async function insertToken(db: Db, now: Date): Promise<string> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = new Date(now.getTime() + setupLinkHours * 3_600_000)
  await db.setupToken.create({ data: { tokenHash: tokenHash(token), expiresAt } })
  return token
}

export async function isSetupToken(db: Db, token: string, now: Date): Promise<boolean> {
  const found = await db.setupToken.findUnique({ where: { tokenHash: tokenHash(token) } })
  return found !== null && found.expiresAt > now
}

/** Until the commit nobody else makes a first account. Returns false where somebody has, or the token is none. */
export async function takeSetupToken(tx: Db, token: string, now: Date): Promise<boolean> {
  await tx.$executeRaw`LOCK TABLE setup_token IN SHARE ROW EXCLUSIVE MODE`
  if ((await isAnyAccount(tx)) || !(await isSetupToken(tx, token, now))) return false
  await tx.setupToken.deleteMany()
  return true
}
