// A name such as `crm-entities.created`. It is whole where there is room: a table leaves out columns first, and then
// lets names wrap after a dot, an underscore or a hyphen.
import { createContext, Fragment, use, type ReactNode } from 'react'
import css from './dotted-name.module.css'

/** Whether the table around it has no room. */
export const IsTight = createContext(false)

export function DottedName({ name }: { readonly name: string }): ReactNode {
  const isTight = use(IsTight)
  // Browsers wrap at a `wbr` even where nothing else may wrap, and a hidden one reads as a space.
  if (!isTight) return <code className={css.name}>{name}</code>
  return (
    <code>
      {name.split(/(?<=[._-])/).map((part, at) => (
        // The parts of a name have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  )
}
