// How much one workspace may hold: what every workspace gets, what the operator may set, and what is used of it.
import { Type, type Static } from 'typebox'

type Quota = { readonly standard: number; readonly description: string }

const quotas = {
  objects: {
    standard: 1_000_000,
    description: 'Projects, tasks, CRM entities, documents, files and comments. Deleted ones count for 30 days.',
  },
  documentBytes: {
    standard: 10 * 1024 ** 3,
    description: 'Bytes of the content of all documents, in UTF-8. Deleted ones count until they are purged.',
  },
  fileBytes: {
    standard: 10 * 1024 ** 3,
    description: 'Bytes of all files, from the creation of the file on. Deleted ones count until they are purged.',
  },
  eventsPerDay: {
    standard: 1_000_000,
    description:
      'Events since midnight, UTC. When they are used up, API keys cannot change anything until the next midnight.',
  },
  apiKeys: { standard: 100, description: 'API keys that are neither revoked nor expired.' },
  webhooks: { standard: 100, description: 'Webhooks, paused and disabled ones included.' },
  members: { standard: 1_000, description: 'Members, invited and suspended ones included.' },
  invitations: { standard: 100, description: 'Invitations that are open.' },
  customFields: { standard: 500, description: 'Custom fields of all targets that are not archived.' },
  sandboxes: { standard: 5, description: 'Sandboxes that were made from this workspace.' },
} as const satisfies Record<string, Quota>

export type QuotaName = keyof typeof quotas
export const quotaNames = Object.keys(quotas) as QuotaName[]

/** What holds in a workspace that the operator has given nothing else. */
export const standardQuotas = Object.fromEntries(quotaNames.map((name) => [name, quotas[name].standard])) as Readonly<
  Record<QuotaName, number>
>

const Amount = (name: QuotaName, description: string) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `${quotas[name].description}${description}`,
  })

const each = <T>(schemaOf: (name: QuotaName) => T) =>
  Object.fromEntries(quotaNames.map((name) => [name, schemaOf(name)])) as Record<QuotaName, T>

const amounts = each((name) => Amount(name, ''))
export const Quotas = Type.Object(amounts, {
  additionalProperties: false,
  description: 'How much the workspace may hold: its quotas, which the operator sets.',
})
export type Quotas = Static<typeof Quotas>

export const QuotaUsage = Type.Object(amounts, {
  additionalProperties: false,
  description: 'How much of each quota is used.',
})

/** Those that are named change; null is what every workspace has. */
export const QuotaChanges = Type.Object(
  each((name) =>
    Type.Optional(Type.Union([Amount(name, ` Standard: ${standardQuotas[name].toLocaleString('en')}.`), Type.Null()])),
  ),
  {
    additionalProperties: false,
    description: 'Its quotas: those that are named change, and null is the default.',
  },
)
export type QuotaChanges = Static<typeof QuotaChanges>
