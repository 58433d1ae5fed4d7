// What the keyboard does, in a dialog: `?` opens it.
import { Fragment, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { navigation } from './navigation.ts'
import css from './command-palette.module.css'
import { texts } from './texts.tsx'

const isApple = /Mac|iP(?:hone|ad|od)/.test(navigator.platform)
export const findKeys = isApple ? ['⌘', 'K'] : [texts.ctrl, 'K']

const shortcuts: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: findKeys, does: texts.searchForAPageKey },
  { keys: ['/'], does: texts.goToTheSearchField },
  { keys: ['n'], does: texts.onTheApiKeysWebhooks },
  { keys: ['?'], does: texts.listTheKeyboardShortcuts },
  { keys: [texts.esc], does: texts.closeADialog },
  ...navigation.flatMap(({ entries }) =>
    entries.map(({ shortcut, label }) => ({ keys: ['g', shortcut], does: texts.goTo(label) })),
  ),
]

export const ShortcutList = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactNode => (
  <Dialog isOpen={isOpen} title={texts.listOfShortcuts} onClose={onClose}>
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
    <DialogButtons>
      <Button onClick={onClose}>{texts.close}</Button>
    </DialogButtons>
  </Dialog>
)
