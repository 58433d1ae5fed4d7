// One entry of the audit log, with all that it holds, and what leads on from it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { useWorkspace } from '../app/workspace.ts'
import { ChangesDiff } from '../ui/changes-diff.tsx'
import { CopyLine } from '../ui/code-block.tsx'
import { Facts, Section, Stack } from '../ui/page.tsx'
import { ExactTime } from '../ui/relative-time.tsx'
import css from './history.module.css'
import { ActorName, hasHistory, ObjectHistoryLink, RequestLink } from './links.tsx'
import { outcomeWords } from './outcome-words.ts'
import { texts } from './texts.ts'

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
      <Section title={texts.changes}>
        <ChangesDiff changes={entry.changes} />
      </Section>
    )}
    <Section title={texts.hashChain} about={texts.theHashOfEachEntry}>
      <CopyLine text={entry.hash} what={texts.hash} />
    </Section>
  </Stack>
)

function LeadsOn({ entry: { actor, target, surface, requestId }, onLeave }: Props): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <div className={css.links}>
      {target !== null && hasHistory(target) && <ObjectHistoryLink id={target.id} onLeave={onLeave} />}
      <Link to="/w/$workspaceId/audit" params={{ workspaceId }} search={{ actor: actor.id }} onClick={onLeave}>
        {texts.allEntriesOfThisActor}
      </Link>
      {(surface === 'http' || surface === 'mcp') && actor.type === 'api_key' && <RequestLink requestId={requestId} />}
    </div>
  )
}

function factsOf(entry: AuditEntry): { readonly name: string; readonly value: ReactNode }[] {
  const { number, at, actor, target, outcome, code, surface, ip, userAgent, requestId, argumentsHash, traceId } = entry
  const facts: [string, ReactNode][] = [
    [texts.number, number],
    [texts.time, <ExactTime key="at" at={at} />],
    [
      texts.actor,
      <span key="actor">
        <ActorName actor={actor} /> {actor.keyPrefix !== null && `(${actor.keyPrefix}…)`}
      </span>,
    ],
    [texts.target, target && (target.name === null ? target.type : `${target.name} (${target.type})`)],
    [texts.targetId, target && <CopyLine key="target" text={target.id} what={texts.targetIdCopied} />],
    [texts.outcome, code === null ? outcomeWords[outcome].word : `${outcomeWords[outcome].word}: ${code}`],
    [texts.surface, surface],
    [texts.ipAddress, ip],
    [texts.userAgent, userAgent],
    [texts.requestId, <CopyLine key="request" text={requestId} what={texts.requestIdCopied} />],
    [texts.argumentsHash, argumentsHash && <CopyLine key="arguments" text={argumentsHash} what={texts.hash} />],
    [texts.traceId, traceId],
  ]
  return facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [{ name, value }]))
}
