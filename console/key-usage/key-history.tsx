// The changes of a key, its recent requests and those that were denied, and links to all that it has done.
import type { ReactNode } from 'react'
import { DoneBy } from '../history/links.tsx'
import { ObjectChanges } from '../history/object-changes.tsx'
import { Row, Section } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { KeyDeniedCalls } from './key-denied-calls.tsx'
import { KeyRequests } from './key-requests.tsx'
import { texts } from './texts.ts'

export const KeyHistory = ({ keyId }: { readonly keyId: string }): ReactNode => (
  <>
    <ObjectChanges id={keyId} title={texts.changesOfThisKey} about={texts.whoCreatedChangedRotatedAnd} />
    <Section
      title={texts.activity}
      actions={
        <Row>
          <DoneBy id={keyId} kind="key" />
        </Row>
      }
    >
      <Tabs
        label={texts.activity}
        tabs={[
          { id: 'requests', label: texts.recentRequests, content: <KeyRequests keyId={keyId} /> },
          { id: 'denied', label: texts.deniedRequests, content: <KeyDeniedCalls keyId={keyId} /> },
        ]}
      />
    </Section>
  </>
)
