// The recent requests, the denied requests and the rotations of a key.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../app/workspace.ts'
import { Section } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { KeyDeniedCalls } from './key-denied-calls.tsx'
import { KeyRequests } from './key-requests.tsx'
import { KeyRotations } from './key-rotations.tsx'

export const KeyHistory = ({ keyId }: { readonly keyId: string }): ReactNode => (
  <Section title="History" actions={<LogLink keyId={keyId} />}>
    <Tabs
      label="History"
      tabs={[
        { id: 'requests', label: 'Recent requests', content: <KeyRequests keyId={keyId} /> },
        { id: 'denied', label: 'Denied requests', content: <KeyDeniedCalls keyId={keyId} /> },
        { id: 'rotations', label: 'Rotations', content: <KeyRotations keyId={keyId} /> },
      ]}
    />
  </Section>
)

/** The log has the requests in this workspace only, and is not for everyone who sees a key. */
function LogLink({ keyId }: { readonly keyId: string }): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  if (!may('requests:read')) return null
  return (
    <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={{ key: keyId }}>
      View in API log
    </Link>
  )
}
