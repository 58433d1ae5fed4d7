// Asks before what cannot be taken back. With `typed`, the name of the thing has to be written first.
import { useState, type ReactNode } from 'react'
import { Dialog, DialogForm } from './dialog.tsx'
import { TextField } from './field.tsx'
import { texts } from './texts.tsx'

type Props = {
  readonly isOpen: boolean
  readonly title: string
  readonly confirm: string
  /** The button that closes it without acting. */
  readonly cancel?: string
  readonly isBusy?: boolean
  readonly typed?: string
  readonly children: ReactNode
  onConfirm(): void
  onClose(): void
}

export const ConfirmDialog = ({ isOpen, title, onClose, ...rest }: Props): ReactNode => (
  <Dialog isAlert isOpen={isOpen} title={title} onClose={onClose}>
    <Question {...rest} onClose={onClose} />
  </Dialog>
)

function Question({
  confirm,
  cancel,
  isBusy = false,
  typed,
  children,
  onConfirm,
  onClose,
}: Omit<Props, 'isOpen' | 'title'>): ReactNode {
  const [text, setText] = useState('')
  return (
    <DialogForm
      isDanger
      confirm={confirm}
      cancel={cancel}
      isBusy={isBusy}
      isReady={typed === undefined || text.trim() === typed.trim()}
      onConfirm={onConfirm}
      onCancel={onClose}
    >
      {children}
      {typed !== undefined && (
        <TextField
          label={texts.typeToConfirm(typed)}
          value={text}
          onValue={setText}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      )}
    </DialogForm>
  )
}
