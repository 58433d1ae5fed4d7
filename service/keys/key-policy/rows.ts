// The key policy of a workspace between the contract and the columns of its row.
import type { Workspace as WorkspaceRow } from '#prisma/generated/client.ts'
import type { Policy } from './rules.ts'

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
      allowUnboundKeys: timeText(row.refuseUnboundKeysFrom),
      requireIpAllowlist: timeText(row.requireIpAllowlistFrom),
      requireExpiry: timeText(row.requireExpiryFrom),
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

const timeText = (at: Date | null): string | null => at?.toISOString() ?? null
