// A button that asks the device for a passkey. Nothing where the browser has none.
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import type { Failure } from '../ui/failure.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { failureOf } from './failure.ts'
import { hasPasskeys } from './passkeys.ts'

export function PasskeyButton<T>({
  label,
  isPrimary = false,
  act,
  onDone,
}: {
  readonly label: string
  readonly isPrimary?: boolean
  readonly act: () => Promise<T>
  readonly onDone: (result: T) => void
}): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  async function go(): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      onDone(await act())
    } catch (error) {
      setFailure(failureOf(error))
    }
    setBusy(false)
  }
  if (!hasPasskeys()) return null
  return (
    <>
      {failure && <FailureNotice failure={failure} />}
      <Button variant={isPrimary ? 'primary' : 'secondary'} isBusy={isBusy} onClick={() => void go()}>
        {label}
      </Button>
    </>
  )
}
