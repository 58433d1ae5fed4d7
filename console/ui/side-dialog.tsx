// A modal panel at the left edge or, for details of a row, at the right.
import { useEffect, useRef, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './side-dialog.module.css'
import { texts } from './texts.tsx'

export function SideDialog({
  isOpen,
  title,
  side = 'left',
  children,
  onClose,
}: {
  readonly isOpen: boolean
  readonly title: string
  readonly side?: 'left' | 'right'
  readonly children: ReactNode
  readonly onClose: () => void
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen && ref.current?.open === false) ref.current.showModal()
    if (!isOpen && ref.current?.open === true) ref.current.close()
  }, [isOpen])
  return (
    // The click beside it is a convenience: Escape and the button do the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className={classNames(css.dialog, css[side])}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      {isOpen && (
        <>
          <span className={css.close}>
            <IconButton size="small" icon="close" label={texts.close} onClick={onClose} />
          </span>
          {children}
        </>
      )}
    </dialog>
  )
}
