// The states of a page or a part of it that cannot be shown: loading, failed, access denied.
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { failureOf } from './failure.ts'
import css from './page-states.module.css'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { stateOfError } from './workspace.ts'
import { texts } from './texts.tsx'

export const LoadingPage = (): ReactNode => (
  <div className={css.loading} role="status">
    {texts.loading}
  </div>
)

export class PageNotLoaded extends Error {}

export function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter()
  if (error instanceof PageNotLoaded) return <NoConnection />
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

/** Reloads once the server can be reached: the browser would show its own page instead, and nothing of this one. */
function NoConnection(): ReactNode {
  const [tries, setTries] = useState<'none' | 'busy' | 'failed'>('none')
  async function again(): Promise<void> {
    setTries('busy')
    try {
      await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
      location.reload()
    } catch {
      setTries('failed')
    }
  }
  return (
    <EmptyState
      icon="warning"
      title={texts.noConnection}
      text={tries === 'failed' ? texts.theServerStillCannotBe : texts.thisPageCouldNotBe}
      action={
        <Button variant="primary" isBusy={tries === 'busy'} onClick={() => void again()}>
          {texts.tryAgain}
        </Button>
      }
    />
  )
}

/** Shown in place of an answer: access denied, or failed. */
export function AnswerFailure({ error, retry }: { readonly error: Error; readonly retry: () => void }): ReactNode {
  const state = stateOfError(error, retry)
  if (state.kind === 'forbidden')
    return <EmptyState icon="policy" title={texts.youDoNotHaveAccess} text={state.detail} />
  return state.kind === 'failed' ? <FailureNotice failure={state.failure} retry={state.retry} /> : null
}
