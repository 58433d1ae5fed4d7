// An error message, with the request ID to quote and a button to try again.
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { CopyButton } from './copy-button.tsx'
import type { Failure } from './failure.ts'
import css from './failure-notice.module.css'
import { Icon } from './icon.tsx'
import { withCode } from './inline-code.tsx'
import { texts } from './texts.tsx'

export function FailureNotice({
  failure,
  code = null,
  retry,
}: {
  readonly failure: Failure
  /** For who has to look up the cause elsewhere, such as at the sign-in provider. */
  readonly code?: string | null
  readonly retry?: () => void
}): ReactNode {
  const { title, detail, hint, requestId } = failure
  return (
    <Notice tone="bad" title={title}>
      <p>{withCode(detail)}</p>
      {hint !== null && <p>{withCode(hint)}</p>}
      {code !== null && <p className={css.request}>{texts.errorCode(code)}</p>}
      {requestId !== null && (
        <p className={css.request}>
          {texts.requestId(requestId)}
          <CopyButton text={requestId} what={texts.requestIdCopied} />
        </p>
      )}
      {retry !== undefined && (
        <div>
          <Button size="small" icon="rotate" onClick={retry}>
            {texts.tryAgain}
          </Button>
        </div>
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
