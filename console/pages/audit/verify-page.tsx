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
import { texts } from './texts.ts'

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
      title={texts.verificationOfTheAuditLog}
      guide="/docs/audit-log#verification"
      above={
        <Link to="/w/$workspaceId/audit" params={{ workspaceId }}>
          {texts.auditLog}
        </Link>
      }
      actions={
        <span className={css.actions}>
          <Button icon="rotate" isBusy={isFetching} onClick={() => void refetch()}>
            {texts.verifyAgain}
          </Button>
          <Button onClick={() => print()}>{texts.print}</Button>
          <DownloadLog filter={{}} />
        </span>
      }
    >
      <p role="status">{isFetching && texts.verifyingEntriesChecked(numberText(checked))}</p>
      {!isFetching && error !== null && <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />}
      {!isFetching && error === null && data !== undefined && <Result verdict={data} />}
    </Page>
  )
}

const Result = ({ verdict }: { readonly verdict: Verdict }): ReactNode => (
  <>
    {verdict.broken === null ? <Intact verdict={verdict} /> : <Broken verdict={verdict} broken={verdict.broken} />}
    <Section title={texts.whatWasChecked}>
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
        { name: texts.workspace, value: member === null ? workspaceId : `${member.name} (${workspaceId})` },
        { name: texts.verified, value: momentText(verifiedAt) },
        { name: texts.validEntries, value: numberText(checked) },
        { name: texts.since, value: since === null ? texts.noEntriesYet : momentText(since) },
        { name: broken === null ? texts.newestEntry : texts.lastValidEntry, value: numberText(head.number) },
        { name: texts.hashOfThisEntry, value: <CopyLine text={head.hash} what={texts.hash} /> },
      ]}
    />
  )
}

const Intact = ({ verdict }: { readonly verdict: Verdict }): ReactNode => (
  <>
    <Notice tone="good" title={texts.theAuditLogIsIntact}>
      <p>{texts.allEntriesAreAsThey(numberText(verdict.checked))}</p>
    </Notice>
    <Verified verdict={verdict} />
    <Section title={texts.keepTheHash}>
      <p className={css.text}>{texts.keepTheNumberAndThe}</p>
    </Section>
  </>
)

const whatCanBeReliedOn = ({ checked, head }: Verdict, at: number): string =>
  checked === 0 ? texts.noEntryIsProvenTo : texts.upToEntryTheLog(numberText(head.number), numberText(at))

function Broken({
  verdict,
  broken: { at, reason, entry },
}: {
  readonly verdict: Verdict
  readonly broken: NonNullable<Verdict['broken']>
}): ReactNode {
  return (
    <>
      <Notice tone="bad" title={texts.theAuditLogIsBroken(numberText(at))}>
        <p>{meaningOf(reason, at)}</p>
        <p>{whatCanBeReliedOn(verdict, at)}</p>
      </Notice>
      <Verified verdict={verdict} />
      <Section title={texts.entryAsItIsStored(numberText(at))}>
        {entry === null ? (
          <p>{texts.thereIsNoEntryWith}</p>
        ) : (
          <Facts
            facts={[
              { name: texts.time, value: momentText(entry.at) },
              { name: texts.action, value: <code>{entry.action}</code> },
              { name: texts.actor, value: entry.actorName },
              { name: texts.reason, value: <code>{reason}</code> },
            ]}
          />
        )}
      </Section>
      <Section title={texts.whatToDo}>
        <ol className={css.list}>
          {stepsAfterABreak.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
      </Section>
    </>
  )
}
