// The link of the first run, for whoever starts the installation.
import { setupPage } from '#contract/route-paths.ts'
import type { Database } from '#prisma/client.ts'
import { issueSetupToken } from './tokens.ts'

/** With a new token, good for a day. Null where there is an account. `baseUrl`: where callers reach the gateway. */
export async function setupLink(db: Database, baseUrl: string): Promise<string | null> {
  const token = await issueSetupToken(db, new Date())
  return token === null ? null : `${baseUrl}${setupPage}#${token}`
}
