import type { updateWebhook } from '#contract/webhooks.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import { cancelUngranted } from './pending-deliveries.ts'
import { assertReadable } from '../events/readable-types.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { assertFilter } from './assert-filter.ts'
import { hasOtherOrigin, receiverUrl, type AllowedTargets } from './receiver-url.ts'
import { grantsAfter } from './change-grants.ts'
import { assertKeys } from './ignored-keys.ts'
import { endRest, filterColumn, lockWebhook, setRate, updateWebhookRow } from './rows.ts'
import { replaceSecrets, type Sealer } from './signing-secrets.ts'

/**
 * Secrets and header values are never sent to another host than the one that they were given for. An update that
 * changes the scheme, host or port of the URL drops the headers, unless it gives new ones, and replaces the secrets.
 */
export const update =
  (sealer: Sealer, allowed: AllowedTargets): Handler<typeof updateWebhook> =>
  async ({ id, expectedVersion, headers, filter, maxPerMinute, ...given }, call) => {
    const { db, principal, actor, now, audit } = call
    const before = await lockWebhook(call, id)
    assertVersion(before, expectedVersion, call)
    if (given.eventTypes !== undefined) assertReadable(given.eventTypes, principal.scopes)
    if (filter !== undefined) assertFilter({ ...before, ...given, filter })
    else if (given.eventTypes !== undefined) assertFilter({ ...before, ...given }, 'eventTypes')
    await assertKeys(call, given.ignoredKeyIds ?? [], before.ignoredKeyIds)
    const patch = { ...given, ...(given.url !== undefined && { url: receiverUrl(given.url, allowed) }) }
    const grants = grantsAfter(before, patch, actor, now)
    const apart = { ...(filter !== undefined && { filter }), ...(maxPerMinute !== undefined && { maxPerMinute }) }
    const asked = { ...before, ...patch, ...apart, ...(grants && { grants }) }
    if (headers === undefined && isUnchanged(before, asked)) return before

    const isMoved = hasOtherOrigin(before.url, asked.url)
    const secret = isMoved ? await replaceSecrets(db, sealer, before, now) : undefined
    const newHeaders = headers === null ? {} : (headers ?? (isMoved ? {} : undefined))
    const data = {
      ...patch,
      ...(grants && { grants }),
      ...(filter !== undefined && { filter: filterColumn(filter) }),
      ...(newHeaders && { headerNames: Object.keys(newHeaders), sealedHeaders: sealer.sealHeaders(id, newHeaders) }),
    }
    if (asked.url !== before.url) await endRest(db, before.workspaceId, id, now)
    if (maxPerMinute !== undefined) await setRate(db, before.workspaceId, id, maxPerMinute)
    const after = await updateWebhookRow(db, before, { data, actor, now })
    if (grants !== undefined) await cancelUngranted(db, after)
    // The audit log holds the names of headers and never their values.
    audit({ ...after, ...(newHeaders && { headers: Object.keys(newHeaders) }) }, before)
    return { ...after, ...(secret !== undefined && { secret }) }
  }
