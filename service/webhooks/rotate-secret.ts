import { Fault } from '#contract/faults/fault.ts'
import type { rotateWebhookSecret } from '#contract/webhooks.ts'
import type { Handler } from '../execution/handler.ts'
import { lockWebhook, updateWebhook } from './rows.ts'
import { insertSecret, type Sealer } from './signing-secrets.ts'

const liveSecretsMax = 5
const hourMs = 3_600_000

export const rotateSecret =
  (sealer: Sealer): Handler<typeof rotateWebhookSecret> =>
  async ({ id, overlapHours = 24 }, call) => {
    const { db, workspaceId, actor, now, audit } = call
    const before = await lockWebhook(call, id)
    if (overlapHours > 0 && before.secrets.length >= liveSecretsMax) {
      throw new Fault(
        'limit_reached',
        `A webhook has at most ${liveSecretsMax} live secrets. Wait, or rotate without overlap.`,
      )
    }
    const overlapEnd = new Date(now.getTime() + overlapHours * hourMs)
    // An older secret lives no longer than this overlap; one that ends sooner still does.
    await db.webhookSecret.updateMany({
      where: { workspaceId, webhookId: id, OR: [{ expiresAt: null }, { expiresAt: { gt: overlapEnd } }] },
      data: { expiresAt: overlapEnd },
    })
    const secret = await insertSecret(db, sealer, workspaceId, id, now)
    const after = await updateWebhook(db, before, { data: {}, actor, now })
    audit(after, before)
    return { ...after, secret }
  }
