// One operation: its fields, the request as code, and the answer to it.
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Me } from '#contract/me.ts'
import { samplesWithKey } from '../../app/call-samples.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
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
import type { Sender } from './try-call.ts'
import {
  bodyText,
  isRisky,
  requestOf,
  sampleOf,
  type Mistakes,
  type TriedRequest,
  type Written,
} from './try-request.ts'
import { useSending, type Sending } from './use-sending.ts'
import { texts } from './texts.tsx'

type Props = {
  readonly operation: TriedOperation
  readonly workspaceId: string
  /** Null: with the session. */
  readonly secret: string | null
  readonly onChange: () => void
}

export function TryForm({ operation, workspaceId, secret, onChange }: Props): ReactNode {
  const [written, setWritten] = useState<Written>({ fields: {}, json: startOf(operation) })
  const [isAsking, setAsking] = useState(false)
  const key = useKeyBehind(secret)
  const sender = senderOf(secret, key.data, workspaceId)
  const sending = useSending()
  const isSandbox = useIsSandbox(key.data, secret === null)
  const { request, mistakes } = requestOf(operation, written, workspaceId)
  const isFile = operation.body.kind === 'file'

  function start(): void {
    setAsking(false)
    if (sender !== null) void sending.start(request, sender)
  }
  return (
    <>
      <Section
        title={operation.summary}
        about={withCode(operation.about)}
        actions={<Button onClick={onChange}>{texts.changeOperation}</Button>}
      >
        <p className={css.address}>
          <Badge tone={operation.method === 'DELETE' ? 'bad' : 'neutral'}>{operation.method}</Badge>
          <code>{operation.path}</code>
        </p>
        <BeforeSending operation={operation} secret={secret} apiKey={key.data} error={key.error} />
        {isFile ? (
          <NoFiles />
        ) : (
          <RequestForm
            operation={operation}
            written={written}
            mistakes={mistakes}
            sending={sending}
            canSend={sender !== null}
            onWritten={setWritten}
            onSubmit={() => (isRisky(operation) && !isSandbox ? setAsking(true) : start())}
          />
        )}
      </Section>
      {secret !== null && !isFile && (
        <Section title={texts.code} about={texts.programsReadTheKeyFrom}>
          <Tabs label={texts.languages} tabs={tabsOf(request)} />
        </Section>
      )}
      {sending.failure !== null && <FailureNotice failure={sending.failure} />}
      {sending.answer !== null && <AnswerSection answer={sending.answer} isLogged={secret !== null} />}
      <AskFirst
        isOpen={isAsking}
        operation={operation}
        request={request}
        onSend={start}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

const NoFiles = (): ReactNode => (
  <Notice tone="info" title={texts.thisPageDoesNotSend}>
    <p>{texts.theBodyOfThisRequest}</p>
  </Notice>
)

/** `mistakes`: shown once the request was to be sent. The first of them is where the keyboard goes. */
function RequestForm({
  operation,
  written,
  mistakes,
  sending,
  canSend,
  onWritten,
  onSubmit,
}: {
  readonly operation: TriedOperation
  readonly written: Written
  readonly mistakes: Mistakes
  readonly sending: Sending
  readonly canSend: boolean
  readonly onWritten: (written: Written) => void
  readonly onSubmit: () => void
}): ReactNode {
  const [shown, setShown] = useState<Mistakes>({})
  const form = useRef<HTMLFormElement>(null)
  function submitted(event: FormEvent): void {
    event.preventDefault()
    // What is focused must be drawn.
    flushSync(() => setShown(mistakes))
    if (Object.keys(mistakes).length === 0) onSubmit()
    else form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  return (
    <form ref={form} className={css.form} noValidate onSubmit={submitted}>
      <RequestFields operation={operation} written={written} mistakes={shown} onWritten={onWritten} />
      <Row>
        <Button type="submit" variant="primary" icon="send" isBusy={sending.isBusy} disabled={!canSend}>
          {texts.sendRequest}
        </Button>
        {sending.isBusy && <Button onClick={sending.stop}>{texts.stop}</Button>}
        {!canSend && <span className={css.note}>{texts.enterAnApiKeyTo}</span>}
      </Row>
    </form>
  )
}

const AskFirst = ({
  isOpen,
  operation,
  request,
  onSend,
  onClose,
}: {
  readonly isOpen: boolean
  readonly operation: TriedOperation
  readonly request: TriedRequest
  readonly onSend: () => void
  readonly onClose: () => void
}): ReactNode => (
  <ConfirmDialog
    isOpen={isOpen}
    title={texts.send(operation.name)}
    confirm={texts.sendRequest}
    onConfirm={onSend}
    onClose={onClose}
  >
    <p>
      {texts.thisRequestChangesDataOf}
      <code>{`${request.method} ${request.target}`}</code>
    </p>
  </ConfirmDialog>
)

/** A body without fixed fields is written as a whole, beginning with the example. */
const startOf = ({ body }: TriedOperation): string | null => (body.kind === 'json' ? bodyText(body.example) : null)

const tabsOf = (request: TriedRequest) =>
  samplesWithKey(sampleOf(request, location.origin)).map(({ id, label, text }) => ({
    id,
    label,
    content: <CodeBlock text={text} what={texts.sample(label)} />,
  }))

/** A key that acts in several workspaces says in which; any other acts in its own. */
function senderOf(secret: string | null, key: Me | null, workspaceId: string): Sender | null {
  if (secret === null) return { kind: 'session' }
  if (secret === '') return null
  return { kind: 'key', secret, workspaceId: key?.workspaceSelection.required === true ? workspaceId : null }
}
