// An error message, with the request ID to quote and a button to try again.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import type { Failure } from './failure.ts'
import css from './failure-notice.module.css'
import { Icon } from './icon.tsx'
import { withCode } from './inline-code.tsx'

export function FailureNotice({
  failure,
  retry,
}: {
  readonly failure: Failure
  readonly retry?: () => void
}): ReactNode {
  const { title, detail, hint, requestId } = failure
  return (
    <Notice tone="bad" title={title}>
      <p>{withCode(detail)}</p>
      {hint !== null && <p>{withCode(hint)}</p>}
      {requestId !== null && (
        <p className={css.request}>
          Request ID <code>{requestId}</code>
          <CopyButton text={requestId} what="request ID" />
        </p>
      )}
      {retry !== undefined && (
        <p>
          <Button size="small" icon="rotate" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
    </Notice>
  )
}

/** Something to know before going on. A bad one is read out when it appears. */
export const Notice = ({
  tone,
  title,
  children,
}: {
  readonly tone: 'info' | 'warn' | 'bad' | 'good'
  readonly title: string
  readonly children?: ReactNode
}): ReactNode => (
  <div className={classNames(css.notice, css[tone])} role={tone === 'bad' ? 'alert' : 'note'}>
    <Icon name={icons[tone]} />
    <div className={css.text}>
      <p className={css.title}>{title}</p>
      {children}
    </div>
  </div>
)

const icons = { info: 'info', warn: 'warning', bad: 'warning', good: 'check' } as const
