// The link of the first run, for whoever starts the installation. Logs are kept and read by many, so a link stands there
// once, at the first start of all; whoever needs another has `service/setup-link.ts` print it.
import { setupPage } from '#contract/route-paths.ts'
import type { Database } from '#prisma/client.ts'
import { issueFirstSetupToken, issueSetupToken } from './tokens.ts'

/** With a new token, good for a day. Null where there is an account. `baseUrl`: where callers reach the gateway. */
export async function setupLink(db: Database, baseUrl: string): Promise<string | null> {
  const token = await issueSetupToken(db, new Date())
  return token === null ? null : `${baseUrl}${setupPage}#${token}`
}

export type FirstLink = { readonly state: 'made'; readonly link: string } | { readonly state: 'made before' | 'over' }

/** For the first start alone, of all processes: no link was ever made. `over`: there is an account. */
export async function firstSetupLink(db: Database, baseUrl: string): Promise<FirstLink> {
  const issued = await issueFirstSetupToken(db, new Date())
  return issued.state === 'made' ? { state: 'made', link: `${baseUrl}${setupPage}#${issued.token}` } : issued
}
