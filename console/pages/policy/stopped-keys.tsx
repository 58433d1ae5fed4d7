// Which keys the policy would stop, why, and from when: the answer that comes before anything is saved.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { StoppedKey } from '#contract/key-policy.ts'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useWorkspace } from '../../app/workspace.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { dayText } from '../../ui/moment-text.ts'
import { Section } from '../../ui/page.tsx'
import css from './policy.module.css'
import { fromWhen, headlineOf, isToCome, ruleWords } from './rule-words.ts'
import type { Preview } from './use-preview.ts'

export function StoppedKeys({
  preview: { shown, isCurrent, error, retry },
  isChanged,
}: {
  readonly preview: Preview
  readonly isChanged: boolean
}): ReactNode {
  const { id } = useWorkspace()
  return (
    <Section title={isChanged ? 'Keys affected by this change' : 'Affected keys'}>
      {error !== null ? (
        <AnswerFailure error={error} retry={retry} />
      ) : (
        <div className={css.stopped} aria-live="polite" aria-busy={!isCurrent}>
          {shown !== undefined && <Headline shown={shown} isChanged={isChanged} />}
          <DataTable
            label="List of affected keys"
            columns={columns(id)}
            state={stateOf(shown?.stopped)}
            idOf={(key) => key.id}
            empty={<NoKeys isChanged={isChanged} />}
          />
        </div>
      )}
    </Section>
  )
}

function Headline({
  shown: { keys, stopped },
  isChanged,
}: {
  readonly shown: NonNullable<Preview['shown']>
  readonly isChanged: boolean
}): ReactNode {
  if (keys === 0) return null
  return (
    <Notice tone="warn" title={headlineOf(keys, stopped, isChanged)}>
      <p>
        Requests with these keys get a 403 error {fromWhen(stopped)}, until the keys comply.
        {stopped.length < keys && ` The first ${stopped.length} are listed.`}
      </p>
    </Notice>
  )
}

const NoKeys = ({ isChanged }: { readonly isChanged: boolean }): ReactNode => (
  <EmptyState
    icon="check"
    title={isChanged ? 'This change affects no keys' : 'All keys comply with this policy'}
    text="When you change a rule, the affected keys are listed here before you save. Requests with an affected key get this response:"
    sample={<CodeBlock what="sample response" text={sampleAnswer} />}
  />
)

const sampleAnswer = `HTTP/1.1 403 Forbidden

{
  "code": "key_expiry_required",
  "hint": "Set an expiration date for the key in the workspace settings."
}`

const stateOf = (stopped: readonly StoppedKey[] | undefined): ListState<StoppedKey> => {
  if (stopped === undefined) return { kind: 'loading' }
  return stopped.length === 0 ? { kind: 'empty' } : { kind: 'rows', rows: stopped, more: null }
}

const columns = (workspaceId: string): readonly Column<StoppedKey>[] => [
  {
    head: 'Key',
    cell: ({ id, name }) => (
      <span className={css.key}>
        <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id }}>
          {name}
        </Link>
      </span>
    ),
  },
  { head: 'Reason', cell: ({ rules }) => rules.map(({ rule }) => ruleWords[rule].why).join(' ') },
  { head: 'Effective date', cell: (key) => <When stopped={key} /> },
]

function When({ stopped: { refused, from } }: { readonly stopped: StoppedKey }): ReactNode {
  if (refused) return <Badge tone="bad">Already denied</Badge>
  return isToCome(from) ? dayText(new Date(from)) : <Badge tone="warn">Immediately</Badge>
}
