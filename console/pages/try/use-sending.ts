// One request at a time: the one that runs, what came of it, and its end by hand or with the page.
import { useEffect, useRef, useState } from 'react'
import { failureOf } from '../../app/failure.ts'
import { announce } from '../../ui/announcements.tsx'
import type { Failure } from '../../ui/failure.ts'
import { send, type Answer, type Sender } from './try-call.ts'
import type { TriedRequest } from './try-request.ts'
import { texts } from './texts.tsx'

export type Sending = {
  readonly isBusy: boolean
  readonly answer: Answer | null
  readonly failure: Failure | null
  start(request: TriedRequest, sender: Sender): Promise<void>
  stop(): void
}

export function useSending(): Sending {
  const [state, setState] = useState<Pick<Sending, 'isBusy' | 'answer' | 'failure'>>(nothing)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function start(request: TriedRequest, sender: Sender): Promise<void> {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setState({ ...nothing, isBusy: true })
    try {
      const answer = await send(request, sender, own.signal)
      if (running.current !== own) return
      setState({ ...nothing, answer })
      announce(texts.responseArrived(answer.status))
    } catch (error) {
      if (running.current === own) setState({ ...nothing, failure: own.signal.aborted ? stopped : failureOf(error) })
    }
  }
  return { ...state, start, stop: () => running.current?.abort() }
}

const nothing = { isBusy: false, answer: null, failure: null }
const stopped: Failure = {
  title: texts.requestStopped,
  detail: texts.theResponseWasNotAwaited,
  hint: null,
  requestId: null,
}
