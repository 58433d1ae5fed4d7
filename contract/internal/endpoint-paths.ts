// Paths of the service that only the gateway calls.
export const internalPaths = {
  deniedCalls: '/internal/denials',
  keyActivity: '/internal/key-activity',
  keyByHash: '/internal/keys',
  keysByHash: '/internal/keys',
  keyChanges: '/internal/key-changes',
  keyUsage: '/internal/key-usage',
  sessionByHash: '/internal/sessions',
  ready: '/internal/ready',
} as const
