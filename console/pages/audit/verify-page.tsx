// The verification of the audit log, from its first entry to its last, as a page that can be linked to and printed.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { call } from '../../app/call.ts'
import { failureOf } from '../../app/failure.ts'
import { keyOf, useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { meaningOf, numberText, stepsAfterABreak, whatIsChecked } from './break-words.ts'
import { DownloadLog } from './download-log.tsx'
import { verifiedInParts, type Verdict } from './verify-in-parts.ts'
import css from './verify.module.css'

export function VerifyPage(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const [checked, setChecked] = useState(0)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(workspaceId, 'audit-entries.verify', 'whole'),
    queryFn: ({ signal }) =>
      verifiedInParts((from) => call('audit-entries.verify', { from }, { workspaceId, signal }), setChecked),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Page
      title="Verification of the audit log"
      guide="/docs/audit-log#verification"
      above={
        <Link to="/w/$workspaceId/audit" params={{ workspaceId }}>
          Audit log
        </Link>
      }
      actions={
        <span className={css.actions}>
          <Button icon="rotate" isBusy={isFetching} onClick={() => void refetch()}>
            Verify again
          </Button>
          <Button onClick={() => print()}>Print</Button>
          <DownloadLog filter={{}} />
        </span>
      }
    >
      <p role="status">{isFetching && `Verifying… ${numberText(checked)} entries checked.`}</p>
      {!isFetching && error !== null && <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />}
      {!isFetching && error === null && data !== undefined && <Result verdict={data} />}
    </Page>
  )
}

const Result = ({ verdict }: { readonly verdict: Verdict }): ReactNode => (
  <>
    {verdict.broken === null ? <Intact verdict={verdict} /> : <Broken verdict={verdict} broken={verdict.broken} />}
    <Section title="What was checked">
      <ul className={css.list}>
        {whatIsChecked.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Section>
  </>
)

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })
const momentText = (at: string): string => moment.format(new Date(at))

function Verified({ verdict }: { readonly verdict: Verdict }): ReactNode {
  const { id: workspaceId, member } = useWorkspace()
  const { checked, since, head, verifiedAt, broken } = verdict
  return (
    <Facts
      facts={[
        { name: 'Workspace', value: member === null ? workspaceId : `${member.name} (${workspaceId})` },
        { name: 'Verified', value: momentText(verifiedAt) },
        { name: 'Valid entries', value: numberText(checked) },
        { name: 'Since', value: since === null ? 'No entries yet' : momentText(since) },
        { name: broken === null ? 'Newest entry' : 'Last valid entry', value: numberText(head.number) },
        { name: 'Hash of this entry', value: <CopyLine text={head.hash} what="hash" /> },
      ]}
    />
  )
}

const Intact = ({ verdict }: { readonly verdict: Verdict }): ReactNode => (
  <>
    <Notice tone="good" title="The audit log is intact">
      <p>All {numberText(verdict.checked)} entries are as they were written, and none is missing.</p>
    </Notice>
    <Verified verdict={verdict} />
    <Section title="Keep the hash">
      <p className={css.text}>
        Keep the number and the hash of the newest entry outside of this installation. If a later download shows another
        hash for this number, the whole log was rewritten.
      </p>
    </Section>
  </>
)

const whatCanBeReliedOn = ({ checked, head }: Verdict, at: number): string =>
  checked === 0
    ? 'No entry is proven to be as it was written.'
    : `Up to entry ${numberText(head.number)}, the log is as it was written. Do not rely on entry ${numberText(at)} and those after it.`

function Broken({
  verdict,
  broken: { at, reason, entry },
}: {
  readonly verdict: Verdict
  readonly broken: NonNullable<Verdict['broken']>
}): ReactNode {
  return (
    <>
      <Notice tone="bad" title={`The audit log is broken at entry ${numberText(at)}`}>
        <p>{meaningOf(reason, at)}</p>
        <p>{whatCanBeReliedOn(verdict, at)}</p>
      </Notice>
      <Verified verdict={verdict} />
      <Section title={`Entry ${numberText(at)} as it is stored now`}>
        {entry === null ? (
          <p>There is no entry with this number.</p>
        ) : (
          <Facts
            facts={[
              { name: 'Time', value: momentText(entry.at) },
              { name: 'Action', value: <code>{entry.action}</code> },
              { name: 'Actor', value: entry.actorName },
              { name: 'Reason', value: <code>{reason}</code> },
            ]}
          />
        )}
      </Section>
      <Section title="What to do">
        <ol className={css.list}>
          {stepsAfterABreak.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
      </Section>
    </>
  )
}
