// Somebody else has saved what is being edited: what they have changed, and the two ways on.
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { Row } from '../ui/page.tsx'

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
    <Notice tone="warn" title="Somebody else has saved this meanwhile, so yours is not saved">
      <p>
        {theirs.length === 0 ? 'Nothing that you see here was changed.' : `They have changed: ${theirs.join(', ')}.`}
      </p>
      <p>
        {both.length === 0
          ? `Yours can be saved beside that: ${mine.join(', ')}.`
          : `Both of you have changed: ${both.join(', ')}. Saving yours takes the place of theirs there.`}
      </p>
      <Row>
        <Button size="small" variant="primary" onClick={onKeepMine}>
          Save mine on top
        </Button>
        <Button size="small" onClick={onTakeTheirs}>
          Discard mine, show theirs
        </Button>
      </Row>
    </Notice>
  )
}
