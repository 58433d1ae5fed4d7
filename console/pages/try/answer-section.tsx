// The answer to a request: status, time, headers and body. Its text is the answer's own, and never read as a page.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { docsPaths } from '#contract/route-paths.ts'
import { download } from '../../app/download.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { milliseconds } from '../../charts/scale.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Facts, Row, Section } from '../../ui/page.tsx'
import { statusTone } from '../../usage/status-tone.ts'
import css from './try.module.css'
import type { Answer, AnswerBody } from './try-call.ts'
import { texts } from './texts.tsx'

/** `isLogged`: the API log has the requests of keys. */
export function AnswerSection({
  answer,
  isLogged,
}: {
  readonly answer: Answer
  readonly isLogged: boolean
}): ReactNode {
  const { status, ms, code, headers, body } = answer
  return (
    <Section title={texts.response}>
      <Facts
        facts={[
          { name: texts.status, value: <Badge tone={statusTone(status)}>{status}</Badge> },
          { name: texts.duration, value: milliseconds(ms) },
          { name: texts.requestId, value: <RequestId answer={answer} isLogged={isLogged} /> },
          ...(code === null
            ? []
            : [
                {
                  name: texts.error,
                  value: <a href={docsPaths.error.replace('{code}', encodeURIComponent(code))}>{code}</a>,
                },
              ]),
        ]}
      />
      <Body body={body} />
      <details className={css.optional}>
        <summary>{texts.headers(headers.length)}</summary>
        <CodeBlock text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} what={texts.responseHeaders} />
      </details>
    </Section>
  )
}

function RequestId({ answer: { requestId }, isLogged }: { readonly answer: Answer; readonly isLogged: boolean }) {
  const { id: workspaceId, may } = useWorkspace()
  if (requestId === null) return texts.none
  if (!isLogged || !may('requests:read')) return <code>{requestId}</code>
  return (
    <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={{ q: requestId }}>
      {requestId}
    </Link>
  )
}

function Body({ body }: { readonly body: AnswerBody }): ReactNode {
  if (body.kind === 'none') return <p className={css.note}>{texts.theResponseHasNoBody}</p>
  const cut = body.isCut && <p className={css.note}>{texts.theResponseIsLongerThan}</p>
  if (body.kind === 'binary')
    return (
      <>
        <p className={css.note}>
          {texts.theResponseIsAFile(body.bytes.size.toLocaleString('en'))}
          {body.type !== '' && (
            <>
              , <code>{body.type}</code>
            </>
          )}
          .
        </p>
        {body.isCut ? cut : <Download bytes={body.bytes} />}
      </>
    )
  return (
    <>
      <div className={css.answer}>
        <CodeBlock text={body.text} what={texts.responseBody} />
      </div>
      {cut}
    </>
  )
}

/** As bytes, whatever the answer calls them: the browser stores them and shows none. */
const Download = ({ bytes }: { readonly bytes: Blob }): ReactNode => (
  <Row>
    <Button icon="download" onClick={() => download('response', bytes, 'application/octet-stream')}>
      {texts.download}
    </Button>
  </Row>
)
