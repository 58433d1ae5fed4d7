// The states of a page or a part of it that cannot be shown: loading, failed, access denied.
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { failureOf } from './failure.ts'
import css from './page-states.module.css'
import { EmptyState } from '../ui/empty-state.tsx'
import { stateOfError } from './workspace.ts'

export const LoadingPage = (): ReactNode => (
  <div className={css.loading} role="status">
    Loading…
  </div>
)

export function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter()
  function retry(): void {
    reset()
    void router.invalidate()
  }
  return (
    <div className={css.failed}>
      <FailureNotice failure={failureOf(error)} retry={retry} />
    </div>
  )
}

/** Shown in place of an answer: access denied, or failed. */
export function AnswerFailure({ error, retry }: { readonly error: Error; readonly retry: () => void }): ReactNode {
  const state = stateOfError(error, retry)
  if (state.kind === 'forbidden') return <EmptyState icon="policy" title="You do not have access" text={state.detail} />
  return state.kind === 'failed' ? <FailureNotice failure={state.failure} retry={state.retry} /> : null
}
