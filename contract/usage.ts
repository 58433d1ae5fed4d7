// How the API of a workspace is doing: what the first page of the settings shows.
import { Type, type Static } from 'typebox'
import { answeredCounts } from './api-key-usage.ts'
import { idleAfterDays, rotationDueWithinDays } from './key-risk-days.ts'
import { operation } from './operation.ts'
import { Timestamp, closed } from './shared-fields.ts'
import { tag } from './tag.ts'

export const usageTag = tag('usage', 'How the API of a workspace is doing.')

const Count = Type.Integer({ minimum: 0 })

export const UsageOverview = closed({
  object: Type.Literal('usage_overview'),
  from: Timestamp,
  to: Timestamp,
  requests: Type.Object(answeredCounts, {
    additionalProperties: false,
    description: 'Of all keys that were made here, in the 24 hours up to the current one.',
  }),
  deliveries: Type.Object(
    { delivered: Count, failed: Count, pending: Count },
    {
      additionalProperties: false,
      description: 'Deliveries that were created in the same time, by where they stand now.',
    },
  ),
  keys: Type.Object(
    {
      active: Type.Integer({ minimum: 0, description: 'Neither revoked nor expired. The others are some of these.' }),
      neverExpires: Type.Integer({ minimum: 0, description: 'Without an expiry.' }),
      noIpAllowlist: Type.Integer({ minimum: 0, description: 'Usable from any address.' }),
      idle: Type.Integer({ minimum: 0, description: `Not used for ${idleAfterDays} days.` }),
      rotationDue: Type.Integer({
        minimum: 0,
        description: `To be rotated within ${rotationDueWithinDays} days, or overdue.`,
      }),
    },
    { additionalProperties: false, description: 'How many keys there are, and how many carry a risk.' },
  ),
  firstSteps: Type.Object(
    {
      hasKey: Type.Boolean({ description: 'A key was made.' }),
      hasCalled: Type.Boolean({ description: 'A key was used.' }),
      hasWebhook: Type.Boolean({ description: 'There is a webhook.' }),
      hasReceived: Type.Boolean({ description: 'One of the last deliveries was accepted.' }),
    },
    { additionalProperties: false, description: 'Which first steps are done.' },
  ),
})
export type UsageOverview = Static<typeof UsageOverview>

export const getUsageOverview = operation({
  name: 'usage.overview',
  http: 'GET /usage',
  summary: 'How the API of a workspace is doing',
  description: 'Requests and deliveries of the last 24 hours, keys that carry a risk, and which first steps are done.',
  audiences: ['settings'],
  scope: 'api-keys:read',
  input: closed({}),
  output: UsageOverview,
  unversioned: true,
  success: 200,
})
