// The key policy: what a workspace requires of every key that acts in it, and the code of each requirement.
import { Type, type Static } from 'typebox'
import { Fault, type FaultCode } from './faults/fault.ts'
import { Id, Name, Timestamp, closed, nullable } from './shared-fields.ts'

/** How long existing keys may break a tightened key policy: 90 days. */
export const policyGraceHoursMax = 2_160

export const policyPreviewKeysMax = 100

const MaxKeyAgeDays = Type.Integer({ minimum: 1, maximum: 365 })

export const ApiPolicy = closed({
  maxKeyAgeDays: nullable(MaxKeyAgeDays),
  requireIpAllowlist: Type.Boolean(),
  requireExpiry: Type.Boolean(),
  allowUnboundKeys: Type.Boolean(),
})
export type ApiPolicy = Static<typeof ApiPolicy>

/** In the order in which a key is refused by them. The age of the secret is last: the key itself can rotate it. */
export const policyRules = ['allowUnboundKeys', 'requireIpAllowlist', 'requireExpiry', 'maxKeyAgeDays'] as const
export const PolicyRule = Type.Enum([...policyRules])
export type PolicyRule = (typeof policyRules)[number]

export const codeOfRule = {
  allowUnboundKeys: 'unbound_key_not_allowed',
  requireIpAllowlist: 'ip_allowlist_required',
  requireExpiry: 'key_expiry_required',
  maxKeyAgeDays: 'api_key_rotation_required',
} as const satisfies Record<PolicyRule, FaultCode>

const messages: Readonly<Record<PolicyRule, { readonly detail: string; readonly hint: string }>> = {
  allowUnboundKeys: {
    detail: 'This workspace accepts only keys that are limited to it.',
    hint: 'Use a key that is limited to this workspace.',
  },
  requireIpAllowlist: {
    detail: 'This workspace requires an IP allowlist, and this key has none.',
    hint: 'Give the key an IP allowlist in the workspace settings.',
  },
  requireExpiry: {
    detail: 'This workspace requires an expiration date, and this key never expires.',
    hint: 'Set an expiration date for the key in the workspace settings.',
  },
  maxKeyAgeDays: {
    detail: 'This secret is older than the rotation policy allows.',
    hint: 'Give the key a new secret in the workspace settings.',
  },
}

export const policyFault = (rule: PolicyRule): Fault =>
  new Fault(codeOfRule[rule], messages[rule].detail, { hint: messages[rule].hint })

const PolicyCode = Type.Enum(Object.values(codeOfRule))

const moment = (description: string) => Type.String({ format: 'date-time', description })
const keysFrom = nullable(moment('When the rule starts to deny keys that existed before it.'))

export const ApiPolicyFrom = closed({
  allowUnboundKeys: keysFrom,
  requireIpAllowlist: keysFrom,
  requireExpiry: keysFrom,
  maxKeyAgeDays: nullable(
    closed({
      setAt: moment('Secrets created from then on must comply at once.'),
      from: moment('When it starts to reject older secrets.'),
      before: nullable(
        Type.Integer({ minimum: 1, maximum: 365, description: 'The limit of older secrets until then; null: none.' }),
      ),
    }),
  ),
})
export type ApiPolicyFrom = Static<typeof ApiPolicyFrom>

/** For the gateway: a rule that refuses the key, and since when or from when. */
export const KeyRefusal = closed({ rule: PolicyRule, from: Timestamp })
export type KeyRefusal = Static<typeof KeyRefusal>

/** For people: a rule that the key breaks today. `from` may be in the future. */
export const PolicyViolation = closed({
  workspaceId: Id,
  rule: PolicyRule,
  code: PolicyCode,
  from: moment('From when it denies the key.'),
})
export type PolicyViolation = Static<typeof PolicyViolation>

const StoppedKey = closed({
  id: Id,
  name: Name,
  from: moment('From when it is denied: by the first of the rules.'),
  refused: Type.Boolean({ description: 'Whether the current policy already denies it.' }),
  rules: Type.Array(closed({ rule: PolicyRule, code: PolicyCode, from: moment('From when this rule denies it.') }), {
    minItems: 1,
    maxItems: policyRules.length,
    description: 'Those that stop it.',
  }),
})
export type StoppedKey = Static<typeof StoppedKey>

const StoppedMember = closed({
  id: Id,
  name: Name,
  from: moment('From when requests of the member are denied.'),
  refused: Type.Boolean({ description: 'Whether the current policy already denies them.' }),
})
export type StoppedMember = Static<typeof StoppedMember>

export const policyPreviewMembersMax = 100

/** The existing keys and members that a changed policy would refuse after its grace period. */
export const PolicyPreview = closed({
  keys: Type.Integer({ minimum: 0, description: 'How many keys at least one rule stops.' }),
  rules: Type.Array(
    closed({
      rule: PolicyRule,
      code: PolicyCode,
      keys: Type.Integer({ minimum: 0, description: 'How many keys this rule stops.' }),
      keyIds: Type.Array(Id, { maxItems: policyPreviewKeysMax, description: 'The first of them.' }),
    }),
    { maxItems: policyRules.length },
  ),
  stopped: Type.Array(StoppedKey, {
    maxItems: policyPreviewKeysMax,
    description: 'The first of the stopped keys, oldest first, each with the reason and the time.',
  }),
  members: Type.Integer({
    minimum: 0,
    description: 'How many members have no second factor, if it is required. Of those who sign in with a password.',
  }),
  stoppedMembers: Type.Array(StoppedMember, {
    maxItems: policyPreviewMembersMax,
    description: 'The first of the stopped members, by name.',
  }),
})
export type PolicyPreview = Static<typeof PolicyPreview>
