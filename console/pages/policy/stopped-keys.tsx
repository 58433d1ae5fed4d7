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
import { texts } from './texts.ts'

export function StoppedKeys({
  preview: { shown, isCurrent, error, retry },
  isChanged,
}: {
  readonly preview: Preview
  readonly isChanged: boolean
}): ReactNode {
  const { id } = useWorkspace()
  return (
    <Section title={isChanged ? texts.keysAffectedByThisChange : texts.affectedKeys}>
      {error !== null ? (
        <AnswerFailure error={error} retry={retry} />
      ) : (
        <div className={css.stopped} aria-live="polite" aria-busy={!isCurrent}>
          {shown !== undefined && <Headline shown={shown} isChanged={isChanged} />}
          <DataTable
            label={texts.listOfAffectedKeys}
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
        {texts.requestsWithTheseKeysGet(fromWhen(stopped))}
        {stopped.length < keys && texts.stoppedKeysTheFirstAreListed(stopped.length)}
      </p>
    </Notice>
  )
}

const NoKeys = ({ isChanged }: { readonly isChanged: boolean }): ReactNode => (
  <EmptyState
    icon="check"
    title={isChanged ? texts.thisChangeAffectsNoKeys : texts.allKeysComplyWithThis}
    text={texts.whenYouChangeARule}
    sample={<CodeBlock what={texts.sampleResponse} text={sampleAnswer} />}
  />
)

const sampleAnswer = texts.http11403Forbidden

const stateOf = (stopped: readonly StoppedKey[] | undefined): ListState<StoppedKey> => {
  if (stopped === undefined) return { kind: 'loading' }
  return stopped.length === 0 ? { kind: 'empty' } : { kind: 'rows', rows: stopped, more: null }
}

const columns = (workspaceId: string): readonly Column<StoppedKey>[] => [
  {
    head: texts.key,
    cell: ({ id, name }) => (
      <span className={css.key}>
        <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id }}>
          {name}
        </Link>
      </span>
    ),
  },
  { head: texts.reason, cell: ({ rules }) => rules.map(({ rule }) => ruleWords[rule].why).join(' ') },
  { head: texts.effectiveDate, cell: (key) => <When stopped={key} /> },
]

function When({ stopped: { refused, from } }: { readonly stopped: StoppedKey }): ReactNode {
  if (refused) return <Badge tone="bad">{texts.alreadyDenied}</Badge>
  return isToCome(from) ? dayText(new Date(from)) : <Badge tone="warn">{texts.immediately}</Badge>
}
