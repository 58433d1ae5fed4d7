// The risks that a key carries. Pure.
import { idleAfterDays, rotationDueWithinDays } from '#contract/key-risks.ts'
import type { ApiKey } from '#contract/api-keys.ts'
import { texts } from './texts.tsx'

const dayMs = 86_400_000
const isBefore = (at: string | null, ms: number): boolean => at !== null && Date.parse(at) < ms

/** As the overview counts them: only keys that are neither revoked nor expired carry a risk. */
const risks = {
  neverExpires: { name: texts.neverExpires, has: ({ expiresAt }) => expiresAt === null },
  noIpAllowlist: { name: texts.noIpAllowlist, has: ({ ipAllowlist }) => ipAllowlist.length === 0 },
  idle: {
    name: texts.notUsedForDays(idleAfterDays),
    has: ({ lastUsedAt, createdAt }, nowMs) => isBefore(lastUsedAt ?? createdAt, nowMs - idleAfterDays * dayMs),
  },
  rotationDue: {
    name: texts.rotationDueWithinDays(rotationDueWithinDays),
    has: ({ rotateBy }, nowMs) => isBefore(rotateBy, nowMs + rotationDueWithinDays * dayMs),
  },
} as const satisfies Record<string, { name: string; has: (key: ApiKey, nowMs: number) => boolean }>

export type Risk = keyof typeof risks
export const riskNames = Object.keys(risks) as Risk[]
export const nameOfRisk = (risk: Risk): string => risks[risk].name
export const isUsable = ({ status }: ApiKey): boolean => status === 'active' || status === 'rotation_due'
export const hasRisk = (key: ApiKey, risk: Risk, nowMs: number): boolean => isUsable(key) && risks[risk].has(key, nowMs)
