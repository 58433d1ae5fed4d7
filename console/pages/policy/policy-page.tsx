// The policy: what the workspace demands of its keys. Whoever changes it sees which keys would be stopped before it is saved.
import type { ReactNode } from 'react'
import { AnswerFailure } from '../../app/answer-failure.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Page } from '../../ui/page.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { PolicyFacts } from './policy-facts.tsx'
import css from './policy.module.css'

export function PolicyPage(): ReactNode {
  const { id, may } = useWorkspace()
  const { data, error, refetch } = useAnswer('workspaces.get', { id })
  return (
    <Page
      title="Policy"
      about="What this workspace demands of every key that calls it. A new key must comply at once; one that is there already may get some time."
    >
      {data !== undefined && (may('workspaces:write') ? <PolicyEditor workspace={data} /> : <PolicyFacts {...data} />)}
      {data === undefined && error === null && <div className={css.loading} role="status" aria-label="Loading" />}
      {data === undefined && error !== null && <AnswerFailure error={error} retry={() => void refetch()} />}
    </Page>
  )
}
