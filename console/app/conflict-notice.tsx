// A notice that someone else has saved the same object: the fields changed there and here, and the two ways on. It
// takes the place and the focus of the form's own button.
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { Row } from '../ui/page.tsx'
import { texts } from './texts.tsx'

export function ConflictNotice({
  theirs,
  mine,
  onKeepMine,
  onTakeTheirs,
}: {
  /** Labels of the fields that were changed, there and here. */
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
  onKeepMine(): void
  onTakeTheirs(): void
}): ReactNode {
  const both = mine.filter((label) => theirs.includes(label))
  return (
    <div role="alert" tabIndex={-1} ref={focusOnce}>
      <Notice tone="warn" title={texts.someoneElseChangedThisWhile}>
        <p>{theirs.length === 0 ? texts.theOtherChangeDoesNot : texts.changedBySomeoneElse(theirs.join(', '))}</p>
        <p>{both.length === 0 ? texts.changedOnlyByYou(mine.join(', ')) : texts.changedByBothOfYou(both.join(', '))}</p>
        <Row>
          <Button size="small" variant="primary" onClick={onKeepMine}>
            {texts.saveMyChanges}
          </Button>
          <Button size="small" onClick={onTakeTheirs}>
            {texts.discardMyChanges}
          </Button>
        </Row>
      </Notice>
    </div>
  )
}

/** The same function at each drawing, so that it is called only when the notice appears. */
const focusOnce = (element: HTMLElement | null): void => element?.focus()
