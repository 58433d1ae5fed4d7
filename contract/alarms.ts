// Alarms: what needs a person before something stops, or because something has stopped. Each is raised once for what it
// is about and ends by itself when that is settled. The workspace settings show those that stand, and they are sent by
// email. All but one come with an event that webhooks receive: a new owner is told of by the events of the member.
import { Type, type Static } from 'typebox'
import { PolicyRule } from './key-policy.ts'
import { operation, tag } from './operation.ts'
import type { Scope } from './scopes.ts'
import { Id, Timestamp, closed, nullable, optional } from './shared-fields.ts'

export const alarmsTag = tag('alarms', 'What needs attention in a workspace, and who gets an email about it.')

/** The scope of the role that sees alarms of a kind. */
const scopeOfKinds = {
  webhook_failing: 'webhooks:read',
  webhook_disabled: 'webhooks:read',
  key_expiring: 'api-keys:read',
  key_stopping: 'api-keys:read',
  key_rotation_due: 'api-keys:read',
  key_denied: 'api-keys:read',
  owner_added: 'members:read',
} as const satisfies Record<string, Scope>
export type AlarmKind = keyof typeof scopeOfKinds
export const alarmKinds = Object.keys(scopeOfKinds) as AlarmKind[]
export const scopeOfAlarm = (kind: AlarmKind): Scope => scopeOfKinds[kind]

const AlarmKind = Type.Enum([...alarmKinds], {
  description:
    '`webhook_failing`: it will be disabled. `webhook_disabled`: nothing is sent any more. `key_expiring`: it expires soon. `key_stopping`: a rule will deny it soon. `key_rotation_due`: its secret is too old, and it is denied. `key_denied`: many of its requests were denied. `owner_added`: a member has become an owner.',
})

/** So many of a workspace are listed. */
export const listedAlarmsMax = 100

/** Of a key, so long before its expiry or before a rule stops it; of one that lives shorter, the last quarter. */
export const alarmDaysBefore = 7
/** Of a key, this many denied calls within an hour. */
export const deniedCallsMin = 100

export const Alarm = closed({
  id: Id,
  object: Type.Literal('alarm'),
  kind: AlarmKind,
  subject: closed({
    id: Id,
    name: Type.String({ maxLength: 200, description: 'The name of the webhook, key or member at the time.' }),
  }),
  openedAt: Timestamp,
  dueAt: nullable(
    Type.String({ ...Timestamp, description: 'When the webhook is disabled, or the key expires or is denied.' }),
  ),
  count: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Of `webhook_failing`: failed attempts. Of `key_denied`: denied requests.',
    }),
  ),
  rule: nullable({ ...PolicyRule, description: 'Of `key_stopping`: the rule of the key policy.' }),
})
export type Alarm = Static<typeof Alarm>

const ofWorkspace = { audiences: ['settings'] } as const

export const listAlarms = operation({
  ...ofWorkspace,
  name: 'alarms.list',
  http: 'GET /alarms',
  summary: 'List alarms',
  description: `Those that are not settled, newest first, at most ${listedAlarmsMax}. Members see the kinds whose objects their role may read.`,
  scope: 'workspaces:read',
  input: closed({}),
  output: closed({ data: Type.Array(Alarm, { maxItems: listedAlarmsMax }) }),
  success: 200,
})

export const dismissAlarm = operation({
  ...ofWorkspace,
  name: 'alarms.dismiss',
  http: 'POST /alarms/{id}/dismiss',
  summary: 'Dismiss an alarm',
  description:
    'Ends the alarm for everyone in the workspace. It is not raised again for the same cause. An alarm that has ended stays as it is.',
  scope: 'workspaces:write',
  input: closed({ id: Id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  audited: true,
})

const Kinds = (description: string) =>
  Type.Array(Type.Enum([...alarmKinds]), { maxItems: alarmKinds.length, uniqueItems: true, description })

const settingsFields = {
  recipients: Type.Enum(['owners', 'admins'], {
    description: '`owners`: owners get emails. `admins`: admins and owners get them. Default `admins`.',
  }),
  mutedKinds: Kinds('Kinds that nobody gets an email about. They are shown in the workspace settings.'),
}
export const AlarmSettings = closed({
  object: Type.Literal('alarm_settings'),
  ...settingsFields,
  sendsEmail: Type.Boolean({
    description: 'Whether emails about alarms are sent: not in a sandbox, nor where the installation sends none.',
  }),
})
export type AlarmSettings = Static<typeof AlarmSettings>

export const getAlarmSettings = operation({
  ...ofWorkspace,
  name: 'alarms.settings',
  http: 'GET /alarms/settings',
  summary: 'Get the alarm settings of the workspace',
  description: 'Who gets emails about alarms, and about which.',
  scope: 'workspaces:read',
  input: closed({}),
  output: AlarmSettings,
  success: 200,
})

export const updateAlarmSettings = operation({
  ...ofWorkspace,
  name: 'alarms.update-settings',
  http: 'PATCH /alarms/settings',
  summary: 'Change the alarm settings of the workspace',
  description: 'What is left out stays as it is.',
  scope: 'workspaces:write',
  input: closed(optional(settingsFields)),
  output: AlarmSettings,
  success: 200,
  audited: true,
})

const preferenceFields = {
  mutedKinds: Kinds('Kinds that you get no email about.'),
}
export const AlarmPreferences = closed({
  object: Type.Literal('alarm_preferences'),
  ...preferenceFields,
  receives: Type.Boolean({ description: 'Whether your role gets emails about alarms of this workspace.' }),
})
export type AlarmPreferences = Static<typeof AlarmPreferences>

export const getAlarmPreferences = operation({
  ...ofWorkspace,
  name: 'alarms.preferences',
  http: 'GET /alarms/preferences',
  summary: 'Get your alarm preferences',
  description: 'Those of the signed-in member in this workspace. The operator has none.',
  scope: 'workspaces:read',
  input: closed({}),
  output: AlarmPreferences,
  success: 200,
  errors: ['not_found'],
})

export const updateAlarmPreferences = operation({
  ...ofWorkspace,
  name: 'alarms.update-preferences',
  http: 'PATCH /alarms/preferences',
  summary: 'Change your alarm preferences',
  description: 'Of the signed-in member in this workspace. The operator has none.',
  scope: 'workspaces:read',
  input: closed(preferenceFields),
  output: AlarmPreferences,
  success: 200,
  errors: ['not_found'],
})

export const sendTestEmail = operation({
  ...ofWorkspace,
  name: 'alarms.send-test',
  http: 'POST /alarms/test-email',
  summary: 'Send yourself a test email',
  description:
    'To the address that the signed-in member signs in with. Not found if this installation sends no email, and for the operator, who has no address.',
  scope: 'workspaces:read',
  input: closed({}),
  output: closed({ object: Type.Literal('test_email'), email: Type.String({ format: 'email', maxLength: 254 }) }),
  success: 202,
  errors: ['not_found', 'rate_limited'],
})
