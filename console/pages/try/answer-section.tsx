// The answer to a request: status, time, headers and body. Its text is the answer's own, and never read as a page.
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { docsPaths } from '#contract/route-paths.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { milliseconds } from '../../charts/scale.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Facts, Section } from '../../ui/page.tsx'
import { statusTone } from '../../usage/status-tone.ts'
import css from './try.module.css'
import type { Answer, AnswerBody } from './try-call.ts'

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
    <Section title="Response">
      <Facts
        facts={[
          { name: 'Status', value: <Badge tone={statusTone(status)}>{status}</Badge> },
          { name: 'Duration', value: milliseconds(ms) },
          { name: 'Request ID', value: <RequestId answer={answer} isLogged={isLogged} /> },
          ...(code === null
            ? []
            : [
                {
                  name: 'Error',
                  value: <a href={docsPaths.error.replace('{code}', encodeURIComponent(code))}>{code}</a>,
                },
              ]),
        ]}
      />
      <Body body={body} />
      <details className={css.optional}>
        <summary>Headers ({headers.length})</summary>
        <CodeBlock text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')} what="response headers" />
      </details>
    </Section>
  )
}

function RequestId({ answer: { requestId }, isLogged }: { readonly answer: Answer; readonly isLogged: boolean }) {
  const { id: workspaceId, may } = useWorkspace()
  if (requestId === null) return 'None'
  if (!isLogged || !may('requests:read')) return <code>{requestId}</code>
  return (
    <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={{ q: requestId }}>
      {requestId}
    </Link>
  )
}

function Body({ body }: { readonly body: AnswerBody }): ReactNode {
  if (body.kind === 'none') return <p className={css.note}>The response has no body.</p>
  const cut = body.isCut && <p className={css.note}>The response is longer than 1 MB. The rest was not loaded.</p>
  if (body.kind === 'binary')
    return (
      <>
        <p className={css.note}>
          The response is a file of {body.bytes.size.toLocaleString('en')} bytes
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
        <CodeBlock text={body.text} what="response body" />
      </div>
      {cut}
    </>
  )
}

/** As bytes, whatever the answer calls them: the browser stores them and shows none. */
function Download({ bytes }: { readonly bytes: Blob }): ReactNode {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes])
  return (
    <p>
      <a className={buttonClass()} href={address} download="response">
        Download
      </a>
    </p>
  )
}
