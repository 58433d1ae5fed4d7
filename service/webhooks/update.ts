import type { updateWebhook } from '#contract/webhooks.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import { cancelUngranted } from '../deliveries/rows.ts'
import { assertReadable } from '../events/readable-types.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { isElsewhere, targetOf, type AllowedTargets } from './receiver-url.ts'
import { grantsAfter } from './change-grants.ts'
import { filterColumn, lockWebhook, replaceSecrets, updateWebhook as write } from './rows.ts'
import type { Vault } from './signing-secrets.ts'

/**
 * Secrets and header values are between the workspace and one host: none of them is ever used at another, so that
 * whoever moves a webhook has to give its headers anew and is given a new secret.
 */
export const update =
  (vault: Vault, allowed: AllowedTargets): Handler<typeof updateWebhook> =>
  async ({ id, expectedVersion, headers, filter, ...given }, call) => {
    const { db, principal, actor, now, audit } = call
    const before = await lockWebhook(call, id)
    assertVersion(before, expectedVersion, call)
    if (given.eventTypes !== undefined) assertReadable(given.eventTypes, principal.scopes)
    const patch = { ...given, ...(given.url !== undefined && { url: targetOf(given.url, allowed) }) }
    const grants = grantsAfter(before, patch, actor, now)
    const asked = { ...before, ...patch, ...(filter !== undefined && { filter }), ...(grants && { grants }) }
    if (headers === undefined && isUnchanged(before, asked)) return before

    const isMoved = isElsewhere(before.url, asked.url)
    const secret = isMoved ? await replaceSecrets(db, vault, before, now) : undefined
    const sent = headers === null ? {} : (headers ?? (isMoved ? {} : undefined))
    const data = {
      ...{ ...patch, ...(grants && { grants }) },
      ...(filter !== undefined && { filter: filterColumn(filter) }),
      ...(sent && { headerNames: Object.keys(sent), sealedHeaders: vault.sealHeaders(id, sent) }),
    }
    const after = await write(db, before, { data, actor, now })
    if (grants !== undefined) await cancelUngranted(db, after)
    // Of header values the log holds the names alone.
    audit({ ...after, ...(sent && { headers: Object.keys(sent) }) }, before)
    return { ...after, ...(secret !== undefined && { secret }) }
  }
