import { useState, type ReactNode } from 'react'
import { announce } from './announcements.tsx'
import { Button, IconButton } from './button.tsx'

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
      return announce(`The browser blocked copying the ${what}. Select the text and copy it manually.`, 'bad')
    }
    setCopied(true)
    announce('Copied to clipboard')
    setTimeout(() => setCopied(false), shownMs)
  }
  const icon = isCopied ? 'check' : 'copy'
  if (variant === 'icon')
    return <IconButton size="small" icon={icon} label={`Copy ${what}`} onClick={() => void copy()} />
  return (
    <Button variant={variant === 'primary' ? 'primary' : 'secondary'} icon={icon} onClick={() => void copy()}>
      {isCopied ? 'Copied' : `Copy ${what}`}
    </Button>
  )
}
