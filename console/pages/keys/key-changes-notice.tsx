// What the form of a key widens and narrows, shown before it is saved.
import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { Notice } from '../../ui/failure-notice.tsx'
import { withCode } from '../../ui/inline-code.tsx'
import { relativeTime } from '../../ui/moment-text.ts'
import { Stack } from '../../ui/page.tsx'
import type { KeyChanges } from './key-changes.ts'
import { texts } from './texts.tsx'

export const KeyChangesNotice = ({
  apiKey: { lastUsedAt },
  changes: { widened, narrowed },
  nowMs,
}: {
  readonly apiKey: ApiKey
  readonly changes: KeyChanges
  readonly nowMs: number
}): ReactNode => (
  <div role="status" aria-label={texts.whatThisChangeDoes}>
    <Stack>
      {widened.length > 0 && (
        <Notice tone="warn" title={texts.thisChangeGivesTheKey}>
          <Sentences of={widened} />
        </Notice>
      )}
      {narrowed.length > 0 && (
        <Notice tone="info" title={texts.thisChangeLimitsTheKey}>
          <Sentences of={narrowed} />
          <p>
            {lastUsedAt === null ? texts.theKeyHasNotBeen : texts.theKeyWasLastUsed(relativeTime(lastUsedAt, nowMs))}
          </p>
        </Notice>
      )}
    </Stack>
  </div>
)

const Sentences = ({ of }: { readonly of: readonly string[] }): ReactNode => (
  <ul>
    {of.map((sentence) => (
      <li key={sentence}>{withCode(sentence)}</li>
    ))}
  </ul>
)
