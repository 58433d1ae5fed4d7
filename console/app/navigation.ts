// The pages of a workspace, in the order in which the side shows them.
import type { LinkProps } from '@tanstack/react-router'
import type { Scope } from '#contract/scopes.ts'
import type { IconName } from '../ui/icon.tsx'
import { texts } from './texts.tsx'

type Entry = {
  readonly to: NonNullable<LinkProps['to']>
  readonly label: string
  readonly icon: IconName
  /** The scope that a role needs to see the page’s content. */
  readonly scope: Scope
  /** Follows `g`. */
  readonly shortcut: string
}

export const navigation: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: texts.api,
    entries: [
      { to: '/w/$workspaceId', label: texts.overview, icon: 'home', scope: 'api-keys:read', shortcut: 'o' },
      { to: '/w/$workspaceId/keys', label: texts.apiKeys, icon: 'key', scope: 'api-keys:read', shortcut: 'k' },
      { to: '/w/$workspaceId/webhooks', label: texts.webhooks, icon: 'webhook', scope: 'webhooks:read', shortcut: 'w' },
      {
        to: '/w/$workspaceId/deliveries',
        label: texts.deliveries,
        icon: 'send',
        scope: 'deliveries:read',
        shortcut: 'd',
      },
      { to: '/w/$workspaceId/events', label: texts.events, icon: 'events', scope: 'events:read', shortcut: 'e' },
      { to: '/w/$workspaceId/requests', label: texts.apiLog, icon: 'requests', scope: 'requests:read', shortcut: 'l' },
      { to: '/w/$workspaceId/jobs', label: texts.jobs, icon: 'activity', scope: 'jobs:read', shortcut: 'j' },
      { to: '/w/$workspaceId/try', label: texts.tryIt, icon: 'play', scope: 'workspaces:read', shortcut: 't' },
      {
        to: '/w/$workspaceId/developers',
        label: texts.developers,
        icon: 'code',
        scope: 'api-keys:read',
        shortcut: 'v',
      },
    ],
  },
  {
    title: texts.security,
    entries: [
      { to: '/w/$workspaceId/members', label: texts.members, icon: 'members', scope: 'members:read', shortcut: 'm' },
      { to: '/w/$workspaceId/policy', label: texts.policy, icon: 'policy', scope: 'workspaces:read', shortcut: 'p' },
      {
        to: '/w/$workspaceId/audit',
        label: texts.auditLog,
        icon: 'log',
        scope: 'audit-entries:read',
        shortcut: 'a',
      },
    ],
  },
  {
    title: texts.workspace,
    entries: [
      { to: '/w/$workspaceId/general', label: texts.general, icon: 'info', scope: 'workspaces:read', shortcut: 's' },
    ],
  },
]
