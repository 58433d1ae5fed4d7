// The recent requests, the denied requests and the rotations of a key.
import type { ReactNode } from 'react'
import { Section } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { KeyDeniedCalls } from './key-denied-calls.tsx'
import { KeyRequests } from './key-requests.tsx'
import { KeyRotations } from './key-rotations.tsx'

export const KeyHistory = ({ keyId }: { readonly keyId: string }): ReactNode => (
  <Section title="History">
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
