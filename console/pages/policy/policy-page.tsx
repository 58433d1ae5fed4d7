// The policy: the requirements for all keys of the workspace. The affected keys are shown before a change is saved.
import type { ReactNode } from 'react'
import { AnswerFailure } from '../../app/page-states.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Page } from '../../ui/page.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { PolicyFacts } from './policy-facts.tsx'
import css from './policy.module.css'
import { SecondFactorFact, SecondFactorRule } from './second-factor-rule.tsx'
import { texts } from './texts.ts'

export function PolicyPage(): ReactNode {
  const { id, may } = useWorkspace()
  const { data, error, refetch } = useAnswer('workspaces.get', { id })
  return (
    <Page
      title={texts.policy}
      guide="/docs/authentication#what-else-limits-a-key"
      about={texts.requirementsForTheMembersAnd}
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
      {data === undefined && error === null && <div className={css.loading} role="status" aria-label={texts.loading} />}
      {data === undefined && error !== null && <AnswerFailure error={error} retry={() => void refetch()} />}
    </Page>
  )
}
