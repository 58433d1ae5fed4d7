// A notice that someone else has saved the same object: the fields changed there and here, and the two ways on.
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
    <Notice tone="warn" title="Someone else changed this while you were editing. Your changes are not saved.">
      <p>
        {theirs.length === 0
          ? 'The other change does not affect any field on this page.'
          : `Changed by someone else: ${theirs.join(', ')}.`}
      </p>
      <p>
        {both.length === 0
          ? `Changed only by you: ${mine.join(', ')}.`
          : `Changed by both of you: ${both.join(', ')}. If you save, the other person’s changes to these fields are overwritten.`}
      </p>
      <Row>
        <Button size="small" variant="primary" onClick={onKeepMine}>
          Save my changes
        </Button>
        <Button size="small" onClick={onTakeTheirs}>
          Discard my changes
        </Button>
      </Row>
    </Notice>
  )
}
