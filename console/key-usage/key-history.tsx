// The changes of a key, its recent requests and those that were denied, and links to all that it has done.
import type { ReactNode } from 'react'
import { useWorkspace } from '../app/workspace.ts'
import { DoneBy } from '../history/links.tsx'
import { ObjectChanges } from '../history/object-changes.tsx'
import { Row, Section } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { KeyDeniedCalls } from './key-denied-calls.tsx'
import { KeyRequests } from './key-requests.tsx'

export function KeyHistory({ keyId }: { readonly keyId: string }): ReactNode {
  const { may } = useWorkspace()
  return (
    <>
      {may('audit-entries:read') && (
        <Section title="Changes of this key" about="Who created, changed, rotated and revoked it.">
          <ObjectChanges id={keyId} />
        </Section>
      )}
      <Section
        title="Activity"
        actions={
          <Row>
            <DoneBy id={keyId} kind="key" />
          </Row>
        }
      >
        <Tabs
          label="Activity"
          tabs={[
            { id: 'requests', label: 'Recent requests', content: <KeyRequests keyId={keyId} /> },
            { id: 'denied', label: 'Denied requests', content: <KeyDeniedCalls keyId={keyId} /> },
          ]}
        />
      </Section>
    </>
  )
}
