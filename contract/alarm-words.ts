// What an alarm says, in emails and in the workspace settings alike, and the page where it is settled.
import type { Alarm, AlarmKind } from './alarms.ts'
import type { PolicyRule } from './key-policy.ts'

export type AlarmWords = { readonly title: string; readonly text: string; readonly path: string }

/** Of a kind, in settings. */
export const alarmKindNames: Readonly<Record<AlarmKind, string>> = {
  webhook_failing: 'Webhook failing',
  webhook_disabled: 'Webhook disabled',
  key_expiring: 'API key expires soon',
  key_stopping: 'API key will be denied by a policy',
  key_rotation_due: 'API key must be rotated',
  key_denied: 'Many denied requests of an API key',
  owner_added: 'New owner',
}

const rules: Readonly<Record<PolicyRule, string>> = {
  maxKeyAgeDays: 'Its secret is then too old. Rotate the key before.',
  requireIpAllowlist: 'The key policy then requires an IP allowlist. Add one to the key.',
  requireExpiry: 'The key policy then requires an expiry. Set one on the key.',
  allowUnboundKeys: 'The key policy then allows only keys of this workspace. Create one here.',
}

type Shown = Pick<Alarm, 'kind' | 'subject' | 'dueAt' | 'count' | 'rule'>
type Say = {
  readonly workspaceId: string
  /** A moment, as its reader is to see it. */
  readonly at: (moment: string) => string
}

/** `path`: from the origin of the installation. */
export function alarmWords({ kind, subject: { id, name }, dueAt, count, rule }: Shown, say: Say): AlarmWords {
  const base = `/settings/w/${say.workspaceId}`
  const due = dueAt === null ? 'soon' : `on ${say.at(dueAt)}`
  switch (kind) {
    case 'webhook_failing':
      return {
        title: `Webhook ${name} is failing`,
        text: `${count ?? 0} attempts in a row have failed. If none succeeds, the webhook is disabled ${due}.`,
        path: `${base}/webhooks/${id}`,
      }
    case 'webhook_disabled':
      return {
        title: `Webhook ${name} was disabled`,
        text: 'No events are sent to it. Repair the endpoint, then enable the webhook.',
        path: `${base}/webhooks/${id}`,
      }
    case 'key_expiring':
      return {
        title: `API key ${name} expires ${due}`,
        text: 'Its requests are denied from then on. Change the expiry, or replace the key before.',
        path: `${base}/keys/${id}`,
      }
    case 'key_stopping':
      return {
        title: `API key ${name} will be denied ${due === 'soon' ? due : `from ${due.slice(3)}`}`,
        text: rules[rule ?? 'maxKeyAgeDays'],
        path: `${base}/keys/${id}`,
      }
    case 'key_rotation_due':
      return {
        title: `API key ${name} must be rotated`,
        text: 'Its secret is too old, and its requests are denied. Rotate the key.',
        path: `${base}/keys/${id}`,
      }
    case 'key_denied':
      return {
        title: `Many requests of API key ${name} are denied`,
        text: `${count ?? 0} requests within an hour were denied. The key may lack a scope, or someone may be misusing it.`,
        path: `${base}/requests?key=${id}`,
      }
    case 'owner_added':
      return {
        title: `${name} is now an owner`,
        text: 'Owners can change everything in the workspace. Check that this is intended.',
        path: `${base}/members`,
      }
    default:
      return kind satisfies never
  }
}
