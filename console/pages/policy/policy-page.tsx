// The policy: the requirements for all keys of the workspace. The affected keys are shown before a change is saved.
import type { ReactNode } from 'react'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Page } from '../../ui/page.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { PolicyFacts } from './policy-facts.tsx'
import css from './policy.module.css'
import { SecondFactorFact, SecondFactorRule } from './second-factor-rule.tsx'

export function PolicyPage(): ReactNode {
  const { id, may } = useWorkspace()
  const { data, error, refetch } = useAnswer('workspaces.get', { id })
  return (
    <Page
      title="Policy"
      guide="/docs/authentication#what-else-limits-a-key"
      about="Requirements for the members and all API keys of this workspace. New keys must comply immediately. Existing keys and members can get a grace period."
    >
      {data !== undefined && may('workspaces:write') && (
        <>
          <SecondFactorRule key={data.version} {...data} />
          <PolicyEditor workspace={data} />
        </>
      )}
      {data !== undefined && !may('workspaces:write') && (
        <>
          <PolicyFacts {...data} />
          <SecondFactorFact {...data} />
        </>
      )}
      {data === undefined && error === null && <div className={css.loading} role="status" aria-label="Loading" />}
      {data === undefined && error !== null && <AnswerFailure error={error} retry={() => void refetch()} />}
    </Page>
  )
}
