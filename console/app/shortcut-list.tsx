// What the keyboard does, in a dialog: `?` opens it.
import { Fragment, type ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { navigation } from './navigation.ts'
import css from './command-palette.module.css'

const isApple = /Mac|iP(?:hone|ad|od)/.test(navigator.platform)
export const findKeys = isApple ? ['⌘', 'K'] : ['Ctrl', 'K']

const shortcuts: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: findKeys, does: 'Search for a page, key, webhook, member, delivery or request' },
  { keys: ['/'], does: 'Go to the search field of the page' },
  { keys: ['n'], does: 'On the API keys, Webhooks or Members page: create one' },
  { keys: ['?'], does: 'List the keyboard shortcuts' },
  { keys: ['Esc'], does: 'Close a dialog' },
  ...navigation.flatMap(({ entries }) =>
    entries.map(({ shortcut, label }) => ({ keys: ['g', shortcut], does: `Go to ${label}` })),
  ),
]

export const ShortcutList = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactNode => (
  <Dialog isOpen={isOpen} title="Keyboard shortcuts" onClose={onClose}>
    <dl className={css.keys}>
      {shortcuts.map(({ keys, does }) => (
        <Fragment key={does}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </Fragment>
      ))}
    </dl>
  </Dialog>
)
