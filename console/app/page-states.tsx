// A page that is not there yet, or could not be shown.
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { failureOf } from './failure.ts'
import css from './page-states.module.css'

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
