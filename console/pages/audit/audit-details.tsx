// One entry of the audit log, with all that it holds.
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit-entries.ts'
import { Button } from '../../ui/button.tsx'
import { ChangesDiff } from '../../ui/changes-diff.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { Facts, Section, Stack } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './audit.module.css'

export const AuditDetails = ({
  entry,
  onOnlyActor,
}: {
  readonly entry: AuditEntry
  readonly onOnlyActor: () => void
}): ReactNode => (
  <Stack>
    <h2 className={css.heading}>
      <code>{entry.action}</code>
    </h2>
    <Facts facts={factsOf(entry)} />
    <div>
      <Button size="small" icon="filter" onClick={onOnlyActor}>
        Show all entries of this actor
      </Button>
    </div>
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

function factsOf(entry: AuditEntry): { readonly name: string; readonly value: ReactNode }[] {
  const { number, at, actor, target, outcome, code, surface, ip, userAgent, requestId, argumentsHash, traceId } = entry
  const facts: [string, ReactNode][] = [
    ['Number', number],
    ['Time', <RelativeTime key="at" at={at} />],
    ['Actor', actor.keyPrefix === null ? actor.name : `${actor.name} (${actor.keyPrefix}…)`],
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
