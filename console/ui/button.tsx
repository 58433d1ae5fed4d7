// A button, and the look of one for links. A button that works says so and takes no second click.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import css from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

type Look = {
  /** `danger` does what cannot be undone; `removal` asks about it first, and must not draw the eye from all else. */
  readonly variant?: 'primary' | 'secondary' | 'danger' | 'removal' | 'quiet'
  readonly size?: 'small' | 'medium'
}
type Props = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & {
    readonly icon?: IconName
    readonly isBusy?: boolean
    readonly ref?: Ref<HTMLButtonElement>
  }

export const buttonClass = ({ variant = 'secondary', size = 'medium' }: Look = {}): string =>
  classNames(css.button, css[variant], css[size])

export function Button({ variant, size, icon, isBusy = false, children, onClick, ...rest }: Props): ReactNode {
  const look = { ...(variant && { variant }), ...(size && { size }) }
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look)}
      // Not `disabled`: the focus would be lost.
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <span className={css.spinner} aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that is an icon. `label` is its name. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<Props, 'children' | 'icon'> & { readonly label: string; readonly icon: IconName }): ReactNode {
  const { variant = 'quiet', size = 'medium', isBusy: _isBusy, ...attributes } = rest
  return (
    <button
      type="button"
      {...attributes}
      className={classNames(buttonClass({ variant, size }), css.square)}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </button>
  )
}
