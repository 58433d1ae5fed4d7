// The setup links and their tokens. All end when the first account is made, and each after a day. An expired token
// stays in the table until another is made, as a mark that a link was issued.
import { randomBytes } from 'node:crypto'
import { setupPage } from '#contract/route-paths.ts'
import { setupLinkHours } from '#contract/setup.ts'
import type { Database } from '#prisma/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import type { Db } from '../../execution/call.ts'
import { isAnyAccount } from '../accounts/rows.ts'

const tokenBytes = 16
/** So many processes may each have printed a link. */
const tokensMax = 20

const deleteSurplusTokens = command(
  (now: Date) => Prisma.sql`
    DELETE FROM setup_token WHERE expires_at <= ${now} OR token_hash IN (
      SELECT token_hash FROM setup_token ORDER BY expires_at DESC OFFSET ${tokensMax}::int
    )`,
)

/** Returns null when there is an account. */
export async function issueSetupToken(db: Database, now: Date): Promise<string | null> {
  if (await isAnyAccount(db)) return null
  const token = await insertToken(db, now)
  await deleteSurplusTokens(db, now)
  return token
}

type FirstToken = { readonly state: 'made'; readonly token: string } | { readonly state: 'made before' | 'over' }

const lockTokens = command(() => Prisma.sql`LOCK TABLE setup_token IN SHARE ROW EXCLUSIVE MODE`)

/** Only one of several processes that start at once makes a token; the others learn that one was made. */
async function issueFirstSetupToken(db: Database, now: Date): Promise<FirstToken> {
  return await db.$transaction(async (tx): Promise<FirstToken> => {
    await lockTokens(tx)
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

/** Locks out other setups until the commit. Returns false when an account exists, or the token is wrong. */
export async function takeSetupToken(tx: Db, token: string, now: Date): Promise<boolean> {
  await lockTokens(tx)
  if ((await isAnyAccount(tx)) || !(await isSetupToken(tx, token, now))) return false
  await tx.setupToken.deleteMany()
  return true
}

/** Makes a token that is valid for a day. Returns null when there is an account. `baseUrl`: the gateway's address. */
export async function setupLink(db: Database, baseUrl: string): Promise<string | null> {
  const token = await issueSetupToken(db, new Date())
  return token === null ? null : `${baseUrl}${setupPage}#${token}`
}

export type FirstLink = { readonly state: 'made'; readonly link: string } | { readonly state: 'made before' | 'over' }

/**
 * Only at the very first start: logs are kept and read by many, so a link is printed there once. `npm run setup-link`
 * prints another. `over`: there is an account.
 */
export async function firstSetupLink(db: Database, baseUrl: string): Promise<FirstLink> {
  const issued = await issueFirstSetupToken(db, new Date())
  return issued.state === 'made' ? { state: 'made', link: `${baseUrl}${setupPage}#${issued.token}` } : issued
}
