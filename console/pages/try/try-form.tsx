// One operation: its fields, the request as code, and the answer to it.
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import type { Me } from '#contract/me.ts'
import { samplesWithKey } from '../../app/call-samples.ts'
import { failureOf } from '../../app/failure.ts'
import { announce } from '../../ui/announcements.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { Failure } from '../../ui/failure.ts'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { withCode } from '../../ui/inline-code.tsx'
import { Row, Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AnswerSection } from './answer-section.tsx'
import { BeforeSending, useIsSandbox } from './before-sending.tsx'
import type { TriedOperation } from './description.ts'
import { useKeyBehind } from './key-behind.ts'
import { RequestFields } from './request-fields.tsx'
import css from './try.module.css'
import { send, type Answer, type Sender } from './try-call.ts'
import { bodyText, isRisky, requestOf, sampleOf, type Mistakes, type Written } from './try-request.ts'

type Props = {
  readonly operation: TriedOperation
  readonly workspaceId: string
  /** Null: with the session. */
  readonly secret: string | null
  readonly onChange: () => void
}

export function TryForm({ operation, workspaceId, secret, onChange }: Props): ReactNode {
  const [written, setWritten] = useState<Written>({ fields: {}, json: startOf(operation) })
  const [shown, setShown] = useState<Mistakes>({})
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const key = useKeyBehind(secret)
  const sender = senderOf(secret, key.data, workspaceId)
  const call = useCall()
  const isSandbox = useIsSandbox(key.data, secret === null)
  const { request, mistakes } = requestOf(operation, written, workspaceId)

  function submitted(event: FormEvent): void {
    event.preventDefault()
    setShown(mistakes)
    if (Object.keys(mistakes).length > 0) return
    if (isRisky(operation) && !isSandbox) setAsking(true)
    else if (sender !== null) void call.start(request, sender)
  }
  // Once the mistakes are drawn, the first of them is where the keyboard goes.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [shown])

  return (
    <>
      <Section
        title={operation.summary}
        about={withCode(operation.about)}
        actions={<Button onClick={onChange}>Change operation</Button>}
      >
        <p className={css.address}>
          <Badge tone={operation.method === 'DELETE' ? 'bad' : 'neutral'}>{operation.method}</Badge>
          <code>{operation.path}</code>
        </p>
        <BeforeSending operation={operation} secret={secret} apiKey={key.data} error={key.error} />
        {operation.body.kind === 'file' ? (
          <Notice tone="info" title="This page does not send files">
            <p>The body of this request is a file. Send it with a program: the documentation of files has samples.</p>
          </Notice>
        ) : (
          <form ref={form} className={css.form} noValidate onSubmit={submitted}>
            <RequestFields operation={operation} written={written} mistakes={shown} onWritten={setWritten} />
            <Row>
              <Button type="submit" variant="primary" icon="send" isBusy={call.isBusy} disabled={sender === null}>
                Send request
              </Button>
              {call.isBusy && <Button onClick={call.stop}>Stop</Button>}
              {sender === null && <span className={css.note}>Enter an API key to send the request.</span>}
            </Row>
          </form>
        )}
      </Section>
      {secret !== null && operation.body.kind !== 'file' && (
        <Section title="Code" about="Programs read the key from the environment.">
          <Tabs label="Languages" tabs={tabsOf(request)} />
        </Section>
      )}
      {call.failure !== null && <FailureNotice failure={call.failure} />}
      {call.answer !== null && <AnswerSection answer={call.answer} isLogged={secret !== null} />}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Send ${operation.name}?`}
        confirm="Send request"
        onConfirm={() => {
          setAsking(false)
          if (sender !== null) void call.start(request, sender)
        }}
        onClose={() => setAsking(false)}
      >
        <p>
          This request changes data of a workspace that is not a sandbox:{' '}
          <code>{`${request.method} ${request.target}`}</code>
        </p>
      </ConfirmDialog>
    </>
  )
}

/** A body without fixed fields is written as a whole, beginning with the example. */
const startOf = ({ body }: TriedOperation): string | null => (body.kind === 'json' ? bodyText(body.example) : null)

const tabsOf = (request: Parameters<typeof sampleOf>[0]) =>
  samplesWithKey(sampleOf(request, location.origin)).map(({ id, label, text }) => ({
    id,
    label,
    content: <CodeBlock text={text} what={`${label} sample`} />,
  }))

/** A key that acts in several workspaces says in which; any other acts in its own. */
function senderOf(secret: string | null, key: Me | null, workspaceId: string): Sender | null {
  if (secret === null) return { kind: 'session' }
  if (secret === '') return null
  return { kind: 'key', secret, workspaceId: key?.workspaceSelection.required === true ? workspaceId : null }
}

type Call = {
  readonly isBusy: boolean
  readonly answer: Answer | null
  readonly failure: Failure | null
  start(...sent: [request: Parameters<typeof send>[0], sender: Sender]): Promise<void>
  stop(): void
}

function useCall(): Call {
  const [state, setState] = useState<Pick<Call, 'isBusy' | 'answer' | 'failure'>>(nothing)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function start(...[request, sender]: Parameters<Call['start']>): Promise<void> {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setState({ ...nothing, isBusy: true })
    try {
      const answer = await send(request, sender, own.signal)
      if (running.current !== own) return
      setState({ ...nothing, answer })
      announce(`Response ${answer.status}`)
    } catch (error) {
      if (running.current === own) setState({ ...nothing, failure: own.signal.aborted ? stopped : failureOf(error) })
    }
  }
  return { ...state, start, stop: () => running.current?.abort() }
}

const nothing = { isBusy: false, answer: null, failure: null }
const stopped: Failure = {
  title: 'Request stopped',
  detail: 'The response was not awaited.',
  hint: null,
  requestId: null,
}
