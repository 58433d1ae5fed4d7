// The key policy of a workspace: the columns of its row, and its form in the contract.
import type { Workspace as WorkspaceRow, Prisma } from '#prisma/generated/client.ts'
import type { Db } from '../../execution/call.ts'
import type { Policy, NamedKey } from './rules.ts'

export const policyColumns = {
  maxKeyAgeDays: true,
  maxKeyAgeSetAt: true,
  maxKeyAgeFrom: true,
  maxKeyAgeDaysBefore: true,
  requireIpAllowlist: true,
  requireIpAllowlistFrom: true,
  requireExpiry: true,
  requireExpiryFrom: true,
  allowUnboundKeys: true,
  refuseUnboundKeysFrom: true,
} as const

export function policyFromRow(row: Pick<WorkspaceRow, keyof typeof policyColumns>): Policy {
  const { maxKeyAgeDays, requireIpAllowlist, requireExpiry, allowUnboundKeys } = row
  const { maxKeyAgeSetAt: setAt, maxKeyAgeFrom: from, maxKeyAgeDaysBefore: before } = row
  return {
    apiPolicy: { maxKeyAgeDays, requireIpAllowlist, requireExpiry, allowUnboundKeys },
    apiPolicyFrom: {
      allowUnboundKeys: row.refuseUnboundKeysFrom?.toISOString() ?? null,
      requireIpAllowlist: row.requireIpAllowlistFrom?.toISOString() ?? null,
      requireExpiry: row.requireExpiryFrom?.toISOString() ?? null,
      maxKeyAgeDays:
        setAt === null || from === null ? null : { setAt: setAt.toISOString(), from: from.toISOString(), before },
    },
  }
}

export const policyToRow = ({ apiPolicy, apiPolicyFrom }: Policy) => ({
  ...apiPolicy,
  maxKeyAgeSetAt: apiPolicyFrom.maxKeyAgeDays?.setAt ?? null,
  maxKeyAgeFrom: apiPolicyFrom.maxKeyAgeDays?.from ?? null,
  maxKeyAgeDaysBefore: apiPolicyFrom.maxKeyAgeDays?.before ?? null,
  requireIpAllowlistFrom: apiPolicyFrom.requireIpAllowlist,
  requireExpiryFrom: apiPolicyFrom.requireExpiry,
  refuseUnboundKeysFrom: apiPolicyFrom.allowUnboundKeys,
})

/** The keys of one query. */
const pageMax = 1_000

/** Keys that are neither revoked nor expired and may act in the workspace, oldest first. */
export async function* usableKeys(db: Db, workspaceId: string, now: Date): AsyncGenerator<NamedKey> {
  const where: Prisma.ApiKeyWhereInput = {
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    AND: { OR: [{ workspaceId, bound: true }, { grants: { some: { workspaceId } } }] },
  }
  let after: string | undefined
  do {
    const rows = await db.apiKey.findMany({
      where: { AND: [where, after === undefined ? {} : { id: { gt: after } }] },
      include: { secrets: { orderBy: { createdAt: 'desc' }, take: 1, select: { createdAt: true } } },
      orderBy: { id: 'asc' },
      take: pageMax,
    })
    for (const { secrets, ...key } of rows) yield { ...key, secretCreatedAt: secrets[0]?.createdAt ?? key.createdAt }
    after = rows.length < pageMax ? undefined : rows.at(-1)?.id
  } while (after !== undefined)
}
