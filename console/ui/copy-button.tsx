import { useState, type ReactNode } from 'react'
import { announce } from './announcements.tsx'
import { Button, IconButton } from './button.tsx'
import { texts } from './texts.tsx'

const shownMs = 2_000

type Props = {
  readonly text: string
  /** The noun in the button’s name, such as `Copy workspace ID`. */
  readonly what: string
  readonly variant?: 'icon' | 'button' | 'primary'
}

export function CopyButton({ text, what, variant = 'icon' }: Props): ReactNode {
  const [isCopied, setCopied] = useState(false)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return announce(texts.theBrowserBlockedCopyingThe(what), 'bad')
    }
    setCopied(true)
    announce(texts.copiedToClipboard)
    setTimeout(() => setCopied(false), shownMs)
  }
  const icon = isCopied ? 'check' : 'copy'
  if (variant === 'icon')
    return <IconButton size="small" icon={icon} label={texts.copy(what)} onClick={() => void copy()} />
  return (
    <Button variant={variant === 'primary' ? 'primary' : 'secondary'} icon={icon} onClick={() => void copy()}>
      {isCopied ? texts.copied : texts.copy(what)}
    </Button>
  )
}
