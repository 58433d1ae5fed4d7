// The pages of a workspace, in the order in which the side shows them.
import type { LinkProps } from '@tanstack/react-router'
import type { Scope } from '#contract/scopes.ts'
import type { IconName } from '../ui/icon.tsx'

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
    title: 'API',
    entries: [
      { to: '/w/$workspaceId', label: 'Overview', icon: 'home', scope: 'api-keys:read', shortcut: 'o' },
      { to: '/w/$workspaceId/keys', label: 'API keys', icon: 'key', scope: 'api-keys:read', shortcut: 'k' },
      { to: '/w/$workspaceId/webhooks', label: 'Webhooks', icon: 'webhook', scope: 'webhooks:read', shortcut: 'w' },
      { to: '/w/$workspaceId/deliveries', label: 'Deliveries', icon: 'send', scope: 'deliveries:read', shortcut: 'd' },
      { to: '/w/$workspaceId/events', label: 'Events', icon: 'events', scope: 'events:read', shortcut: 'e' },
      { to: '/w/$workspaceId/requests', label: 'API log', icon: 'search', scope: 'requests:read', shortcut: 'l' },
      { to: '/w/$workspaceId/jobs', label: 'Jobs', icon: 'activity', scope: 'jobs:read', shortcut: 'j' },
      { to: '/w/$workspaceId/developers', label: 'Developers', icon: 'code', scope: 'api-keys:read', shortcut: 'v' },
    ],
  },
  {
    title: 'Security',
    entries: [
      { to: '/w/$workspaceId/members', label: 'Members', icon: 'members', scope: 'members:read', shortcut: 'm' },
      { to: '/w/$workspaceId/policy', label: 'Policy', icon: 'policy', scope: 'workspaces:read', shortcut: 'p' },
      { to: '/w/$workspaceId/audit', label: 'Audit log', icon: 'events', scope: 'audit-entries:read', shortcut: 'a' },
    ],
  },
  {
    title: 'Workspace',
    entries: [
      { to: '/w/$workspaceId/general', label: 'General', icon: 'info', scope: 'workspaces:read', shortcut: 's' },
    ],
  },
]
