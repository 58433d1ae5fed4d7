import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** The name of a row, which opens its details beside the list. */
export const RowButton = ({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }): ReactNode => (
  <Button variant="quiet" size="small" onClick={onOpen}>
    <code>{name}</code>
  </Button>
)
