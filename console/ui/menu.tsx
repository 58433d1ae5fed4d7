// A menu that opens from a button. Not modal: the page below stays as it is, and no style is injected to hold it.
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import css from './menu.module.css'

export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  /** The button. */
  readonly trigger: ReactNode
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}): ReactNode {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* No portal: it stands in the landmark that its button stands in. */}
      <DropdownMenu.Content className={css.menu} align={align} sideOffset={4} collisionPadding={8}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

export const MenuItem = ({
  icon,
  isDanger = false,
  isChosen = false,
  isDisabled = false,
  onSelect,
  children,
}: {
  readonly icon?: IconName
  readonly isDanger?: boolean
  readonly isChosen?: boolean
  readonly isDisabled?: boolean
  onSelect(): void
  readonly children: ReactNode
}): ReactNode => (
  <DropdownMenu.Item
    className={classNames(css.item, isDanger && css.danger)}
    disabled={isDisabled}
    aria-current={isChosen || undefined}
    onSelect={onSelect}
  >
    {icon && <Icon name={icon} />}
    <span className={css.text}>{children}</span>
    {isChosen && <Icon name="check" />}
  </DropdownMenu.Item>
)

/** A link to a file. */
export const MenuDownload = ({
  href,
  children,
}: {
  readonly href: string
  readonly children: ReactNode
}): ReactNode => (
  <DropdownMenu.Item asChild>
    <a className={css.item} href={href} download>
      <Icon name="download" />
      <span className={css.text}>{children}</span>
    </a>
  </DropdownMenu.Item>
)

export const MenuLabel = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <DropdownMenu.Label className={css.label}>{children}</DropdownMenu.Label>
)

export const MenuSeparator = (): ReactNode => <DropdownMenu.Separator className={css.separator} />
