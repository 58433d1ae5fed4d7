// The command palette: a field that finds pages, keys, webhooks, members, deliveries and requests, and goes there. The
// focus stays in the field; the arrows choose, Enter goes (the combobox of the ARIA practices).
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import css from './command-palette.module.css'
import { useFound, type Finding, type Found } from './use-found.ts'
import { texts } from './texts.tsx'

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly onShowShortcuts: () => void }

export const CommandPalette = ({ isOpen, onClose, onShowShortcuts }: Props): ReactNode => (
  <Dialog isOpen={isOpen} title={texts.search} onClose={onClose}>
    <Finder onClose={onClose} onShowShortcuts={onShowShortcuts} />
  </Dialog>
)

function Finder({ onClose, onShowShortcuts }: Omit<Props, 'isOpen'>): ReactNode {
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const finding = useFound(text)
  const navigate = useNavigate()
  const list = useId()
  const all = finding.groups.flatMap(({ found }) => found)
  const chosen = all[Math.min(place, all.length - 1)]
  function go({ link }: Found): void {
    onClose()
    void navigate(link)
  }
  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && all.length > 0)
      setPlace((Math.min(place, all.length - 1) + step + all.length) % all.length)
    else if (event.key === 'Enter' && chosen !== undefined) go(chosen)
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        className={css.field}
        type="text"
        role="combobox"
        aria-label={texts.searchForAPageKey}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={chosen === undefined ? undefined : optionId(list, chosen)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={texts.namePrefixOrId}
        // A dialog that finds is opened to type into it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setPlace(0)
        }}
        onKeyDown={onKey}
      />
      <Results id={list} finding={finding} chosen={chosen} onChoose={go} />
      <p className={css.note} role="status">
        {stateLine(finding, all.length)}
      </p>
      <button type="button" className={css.help} onClick={onShowShortcuts}>
        {texts.keyboardShortcuts}
      </button>
    </>
  )
}

const Results = ({
  id,
  finding: { groups },
  chosen,
  onChoose,
}: {
  readonly id: string
  readonly finding: Finding
  readonly chosen: Found | undefined
  readonly onChoose: (found: Found) => void
}): ReactNode => (
  <div id={id} className={css.list} role="listbox" aria-label={texts.results}>
    {groups.map(({ title, found }) => (
      <div key={title} role="group" aria-label={title}>
        <h3 className={css.title} aria-hidden="true">
          {title}
        </h3>
        {found.map((each) => (
          <Option key={each.id} id={optionId(id, each)} found={each} isChosen={each === chosen} onChoose={onChoose} />
        ))}
      </div>
    ))}
  </div>
)

const optionId = (list: string, { id }: Found): string => `${list}${id.replaceAll(/[^\w-]/g, '_')}`

function Option({
  id,
  found,
  isChosen,
  onChoose,
}: {
  readonly id: string
  readonly found: Found
  readonly isChosen: boolean
  readonly onChoose: (found: Found) => void
}): ReactNode {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    // The field has the focus, and Enter there does the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={ref}
      id={id}
      className={css.option}
      role="option"
      aria-selected={isChosen}
      onClick={() => onChoose(found)}
    >
      <Icon name={found.icon} />
      <span className={css.name}>{found.name}</span>
      <span className={css.detail}>{found.detail}</span>
    </div>
  )
}

function stateLine({ isSearching, failed }: Finding, count: number): string {
  if (failed.length > 0) return texts.couldNotBeSearchedClose(failed.join(' and '))
  if (isSearching) return texts.searching
  return count === 0 ? texts.noResults : count === 1 ? texts.oneResult : texts.resultCount(count)
}
