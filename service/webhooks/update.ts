import type { updateWebhook } from '#contract/webhooks.ts'
import { isUnchanged } from '../changes.ts'
import type { Handler } from '../handler.ts'
import { assertVersion } from '../version.ts'
import { targetOf, type AllowedTargets } from './address.ts'
import { filterColumn, lockWebhook, updateWebhook as write } from './rows.ts'
import { assertReadable } from '../events/rules.ts'
import type { Vault } from './vault.ts'

export const update =
  (vault: Vault, allowed: AllowedTargets): Handler<typeof updateWebhook> =>
  async ({ id, expectedVersion, headers, filter, ...given }, { db, workspaceId, principal, actor, now, audit }) => {
    const before = await lockWebhook(db, workspaceId, id, now)
    assertVersion(before.version, expectedVersion)
    if (given.events !== undefined) assertReadable(given.events, principal.scopes)
    const patch = { ...given, ...(given.url !== undefined && { url: targetOf(given.url, allowed) }) }
    const asked = { ...before, ...patch, ...(filter !== undefined && { filter }) }
    if (headers === undefined && isUnchanged(before, asked)) return before
    const data = {
      ...patch,
      ...(filter !== undefined && { filter: filterColumn(filter) }),
      ...(headers && { headerNames: Object.keys(headers), sealedHeaders: vault.sealHeaders(id, headers) }),
    }
    const after = await write(db, before, { data, actor, now })
    audit(after, before)
    return after
  }
