// A modal dialog: the browser's own, which keeps the focus inside, closes on Escape, makes all else inert, and gives
// the focus back to what opened it. It needs no style of its own to be injected.
import { useEffect, useId, useRef, type FormEvent, type ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './dialog.module.css'
import { texts } from './texts.tsx'

type Props = {
  readonly isOpen: boolean
  readonly title: string
  readonly children: ReactNode
  /** A wrong decision loses something: the dialog is announced at once, and a click beside it does not close it. */
  readonly isAlert?: boolean
  onClose(): void
}

export function Dialog({ isOpen, title, children, isAlert = false, onClose }: Props): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current
    if (isOpen && dialog?.open === false) dialog.showModal()
    if (!isOpen && dialog?.open === true) dialog.close()
  }, [isOpen])
  return (
    // The click beside it is a convenience: Escape and the buttons do the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={css.dialog}
      role={isAlert ? 'alertdialog' : undefined}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget && !isAlert) onClose()
      }}
    >
      {isOpen && (
        <div className={css.body}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {children}
        </div>
      )}
    </dialog>
  )
}

export const DialogButtons = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <div className={css.buttons}>{children}</div>
)

/** A dialog with a form: Enter confirms, and the button says what will happen. */
export function DialogForm({
  confirm,
  cancel = texts.cancel,
  isDanger = false,
  isBusy = false,
  isReady = true,
  children,
  onConfirm,
  onCancel,
}: {
  readonly confirm: string
  readonly cancel?: string | undefined
  readonly isDanger?: boolean
  readonly isBusy?: boolean
  readonly isReady?: boolean
  readonly children: ReactNode
  onConfirm(): void
  onCancel(): void
}): ReactNode {
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isReady && !isBusy) onConfirm()
  }
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      {children}
      <DialogButtons>
        <Button onClick={onCancel}>{cancel}</Button>
        <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isBusy={isBusy} disabled={!isReady}>
          {confirm}
        </Button>
      </DialogButtons>
    </form>
  )
}
