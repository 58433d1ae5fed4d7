// One entry of the audit log, with all that it holds, and what leads on from it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { useWorkspace } from '../app/workspace.ts'
import { ChangesDiff } from '../ui/changes-diff.tsx'
import { CopyLine } from '../ui/code-block.tsx'
import { Facts, Section, Stack } from '../ui/page.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import css from './history.module.css'
import { ActorName, hasHistory, ObjectHistoryLink, RequestLink } from './links.tsx'

type Props = {
  readonly entry: AuditEntry
  /** The links may lead to the page that is shown: the details over it close. */
  readonly onLeave: () => void
}

export const AuditDetails = ({ entry, onLeave }: Props): ReactNode => (
  <Stack>
    <h2 className={css.heading}>
      <code>{entry.action}</code>
    </h2>
    <LeadsOn entry={entry} onLeave={onLeave} />
    <Facts facts={factsOf(entry)} />
    {Object.keys(entry.changes).length > 0 && (
      <Section title="Changes">
        <ChangesDiff changes={entry.changes} />
      </Section>
    )}
    <Section
      title="Hash chain"
      about="The hash of each entry covers the entry before it, so any later change to the log can be detected."
    >
      <CopyLine text={entry.hash} what="hash" />
    </Section>
  </Stack>
)

function LeadsOn({ entry: { actor, target, surface, requestId }, onLeave }: Props): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <div className={css.links}>
      {target !== null && hasHistory(target) && <ObjectHistoryLink id={target.id} onLeave={onLeave} />}
      <Link to="/w/$workspaceId/audit" params={{ workspaceId }} search={{ actor: actor.id }} onClick={onLeave}>
        All entries of this actor
      </Link>
      {(surface === 'http' || surface === 'mcp') && actor.type === 'api_key' && <RequestLink requestId={requestId} />}
    </div>
  )
}

function factsOf(entry: AuditEntry): { readonly name: string; readonly value: ReactNode }[] {
  const { number, at, actor, target, outcome, code, surface, ip, userAgent, requestId, argumentsHash, traceId } = entry
  const facts: [string, ReactNode][] = [
    ['Number', number],
    ['Time', <RelativeTime key="at" at={at} />],
    [
      'Actor',
      <span key="actor">
        <ActorName actor={actor} /> {actor.keyPrefix !== null && `(${actor.keyPrefix}…)`}
      </span>,
    ],
    ['Target', target && (target.name === null ? target.type : `${target.name} (${target.type})`)],
    ['Target ID', target && <CopyLine key="target" text={target.id} what="target ID" />],
    ['Outcome', code === null ? outcome : `${outcome}: ${code}`],
    ['Surface', surface],
    ['IP address', ip],
    ['User agent', userAgent],
    ['Request ID', <CopyLine key="request" text={requestId} what="request ID" />],
    ['Arguments hash', argumentsHash && <CopyLine key="arguments" text={argumentsHash} what="hash" />],
    ['Trace ID', traceId],
  ]
  return facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [{ name, value }]))
}
