// A stream of the settings API, for as long as a component shows it. The browser comes back by itself, with the id of
// the last message that it had; where it gives up for good, a stream is opened anew after a while.
import { streams } from 'virtual:streams'
import { useEffect, useRef, useState } from 'react'
import type { StreamName, StreamNamed } from '#contract/api.ts'
import type { Input, Output } from '#contract/operation.ts'
import { openedMessage, type Opened } from '#contract/stream.ts'
import { buildRequest } from '#clients/typescript/src/request.ts'
import { useWorkspace } from './workspace.ts'

type Asked<N extends StreamName> = StreamNamed<N>['asked']

export type Heard<N extends StreamName> = {
  /** Called with each item. */
  told(item: Output<Asked<N>>): void
  /** Something may have been missed: what is shown has to be asked for again. */
  missed(): void
}
export type StreamState = 'connecting' | 'live' | 'off'

const againAfterMs = 5_000

/** `isOn`: false leaves it closed. */
export function useStream<N extends StreamName>(
  name: N,
  input: Input<Asked<N>>,
  heard: Heard<N>,
  isOn = true,
): StreamState {
  const { id: workspaceId } = useWorkspace()
  const [state, setState] = useState<StreamState>('connecting')
  const [round, setRound] = useState(0)
  const latest = useRef(heard)
  useEffect(() => {
    latest.current = heard
  })
  const { path = '', message = '' } = streams[name] ?? {}
  const { target } = buildRequest({ method: 'GET', path }, input, workspaceId)
  useEffect(() => {
    if (!isOn) {
      setState('off')
      return undefined
    }
    setState('connecting')
    const source = new EventSource(target)
    let timer: ReturnType<typeof setTimeout> | undefined
    source.addEventListener('open', () => setState('live'))
    source.addEventListener(openedMessage, ({ data }) => {
      if (!(JSON.parse(data as string) as Opened).resumed) latest.current.missed()
    })
    source.addEventListener(message, ({ data }) => latest.current.told(JSON.parse(data as string)))
    source.addEventListener('error', () => {
      setState('connecting')
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(() => setRound((n) => n + 1), againAfterMs)
    })
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [target, message, isOn, round])
  return state
}
