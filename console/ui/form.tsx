// A form whose fields stand below each other. What is wrong is said by us, so the browser's own check is off.
import type { FormEvent, ReactNode, RefObject } from 'react'
import { Button } from './button.tsx'
import type { Failure } from './failure.ts'
import { FailureNotice } from './failure-notice.tsx'
import css from './form.module.css'
import { texts } from './texts.tsx'

export const Form = ({
  form,
  submit,
  onCancel,
  children,
}: {
  readonly form: {
    readonly ref: RefObject<HTMLFormElement | null>
    readonly failure: Failure | null
    readonly isBusy: boolean
    submit(event: FormEvent): void
  }
  /** The label of the submit button. Null: a button in the form sends it instead. */
  readonly submit: string | null
  /** For what can be left as it is. */
  readonly onCancel?: () => void
  readonly children: ReactNode
}): ReactNode => (
  <form ref={form.ref} className={css.form} noValidate onSubmit={(event) => form.submit(event)}>
    {children}
    {form.failure && <FailureNotice failure={form.failure} />}
    <div className={css.submit}>
      {submit !== null && (
        <Button type="submit" variant="primary" isBusy={form.isBusy}>
          {submit}
        </Button>
      )}
      {onCancel && <Button onClick={onCancel}>{texts.cancel}</Button>}
    </div>
  </form>
)
