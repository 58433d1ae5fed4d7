// In the place of an answer that did not come: not permitted, or failed.
import type { ReactNode } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { stateOfError } from './workspace.ts'

export function AnswerFailure({ error, retry }: { readonly error: Error; readonly retry: () => void }): ReactNode {
  const state = stateOfError(error, retry)
  if (state.kind === 'forbidden') return <EmptyState icon="policy" title="You do not have access" text={state.detail} />
  return state.kind === 'failed' ? <FailureNotice failure={state.failure} retry={state.retry} /> : null
}
