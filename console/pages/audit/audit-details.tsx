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
        All entries of this caller
      </Button>
    </div>
    {Object.keys(entry.changes).length > 0 && (
      <Section title="What was changed">
        <ChangesDiff changes={entry.changes} />
      </Section>
    )}
    <Section
      title="In the chain"
      about="Each entry's hash covers the one before it, so no entry can be changed unseen."
    >
      <CopyLine text={entry.hash} what="hash" />
    </Section>
  </Stack>
)

function factsOf(entry: AuditEntry): { readonly name: string; readonly value: ReactNode }[] {
  const { number, at, actor, target, outcome, code, surface, ip, userAgent, requestId, argumentsHash, traceId } = entry
  const facts: [string, ReactNode][] = [
    ['Number', number],
    ['When', <RelativeTime key="at" at={at} />],
    ['By', actor.keyPrefix === null ? actor.name : `${actor.name} (${actor.keyPrefix}…)`],
    ['On', target && (target.name === null ? target.type : `${target.name} (${target.type})`)],
    ['Id', target && <CopyLine key="target" text={target.id} what="id" />],
    ['Outcome', code === null ? outcome : `${outcome}: ${code}`],
    ['Through', surface],
    ['Address', ip],
    ['Program', userAgent],
    ['Request', <CopyLine key="request" text={requestId} what="request id" />],
    ['Hash of the arguments', argumentsHash && <CopyLine key="arguments" text={argumentsHash} what="hash" />],
    ['Trace', traceId],
  ]
  return facts.flatMap(([name, value]) => (value === null || value === undefined ? [] : [{ name, value }]))
}
