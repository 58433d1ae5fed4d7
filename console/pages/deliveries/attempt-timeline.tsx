// The attempts of a delivery, newest first, with the time between them. The newest attempt is expanded.
import { type ReactNode, useEffect, useState } from 'react'
import type { Attempt, Delivery } from '#contract/deliveries.ts'
import { nextStep, spanText, waitBefore, whyNot } from '../../app/delivery-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Row } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Tone } from '../../ui/tone.ts'
import { asCurl, asSignatureCheck } from './as-curl.ts'
import css from './deliveries.module.css'
import { TimingSplit } from './timing-split.tsx'
import { texts } from './texts.tsx'

export function AttemptTimeline({
  delivery,
  attempts,
}: {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}): ReactNode {
  const isWaiting = delivery.status === 'pending' || delivery.status === 'retrying'
  const nowMs = useSeconds(isWaiting)
  if (attempts.length === 0 && !isWaiting) return <p>{texts.noAttemptsWereMade}</p>
  return (
    <ol className={css.timeline}>
      {isWaiting && <li className={css.wait}>{nextStep(delivery, nowMs)}</li>}
      {attempts.toReversed().map((attempt, at) => (
        <OneAttempt key={attempt.id} attempt={attempt} before={attempts[attempts.length - 2 - at]} isOpen={at === 0} />
      ))}
    </ol>
  )
}

function OneAttempt({
  attempt,
  before,
  isOpen,
}: {
  readonly attempt: Attempt
  readonly before: Attempt | undefined
  readonly isOpen: boolean
}): ReactNode {
  const waited = waitBefore(attempt, before)
  const { outcome, number, response, startedAt, durationMs, trigger } = attempt
  return (
    <li>
      <details className={css.attempt} open={isOpen}>
        <summary>
          <span className={css.number}>{texts.attempt(number)}</span>
          <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
          {response && <code>{response.status}</code>}
          {trigger === 'manual' && <span>{texts.sentManually}</span>}
          <RelativeTime at={startedAt} />
          <span className={css.took}>{spanText(durationMs)}</span>
        </summary>
        <Details attempt={attempt} />
      </details>
      {waited !== null && <div className={css.wait}>{texts.after(spanText(waited))}</div>}
    </li>
  )
}

const outcomes: Readonly<Record<Attempt['outcome'], { readonly label: string; readonly tone: Tone }>> = {
  success: { label: texts.succeeded, tone: 'good' },
  failed: { label: texts.failed, tone: 'bad' },
  interrupted: { label: texts.interrupted, tone: 'warn' },
}

function Details({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { request, response, errorCode, timings, durationMs } = attempt
  const why = whyNot(errorCode, response?.status ?? null)
  return (
    <div className={css.details}>
      {why !== null && <p>{why}</p>}
      {timings !== null && <TimingSplit timings={timings} durationMs={durationMs} />}
      <Row>
        <CopyButton variant="button" text={asCurl(attempt)} what={texts.asCurl} />
        <CopyButton variant="button" text={asSignatureCheck(attempt)} what={texts.signatureCheck} />
      </Row>
      <section className={css.exchange} aria-label={texts.request}>
        <h3>{texts.request}</h3>
        <p>
          <code>{texts.post(request.url)}</code>
        </p>
        <Headers headers={request.headers} />
        <CodeBlock text={pretty(request.body)} what={texts.requestBody} />
      </section>
      <section className={css.exchange} aria-label={texts.response}>
        <h3>{texts.response}</h3>
        {response === null ? (
          <p>{texts.noResponse}</p>
        ) : (
          <>
            <p>
              {texts.status(response.status)}
              {response.truncated && texts.bodyTruncatedTo4Kib}
            </p>
            <Headers headers={response.headers} />
            {response.body === '' ? (
              <p>{texts.emptyBody}</p>
            ) : (
              <CodeBlock text={pretty(response.body)} what={texts.responseBody} />
            )}
          </>
        )}
      </section>
    </div>
  )
}

const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string>> }): ReactNode => (
  <dl className={css.headers}>
    {Object.entries(headers).map(([name, value]) => (
      <div key={name} className={css.header}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** JSON with its lines; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const tickMs = 1_000

/** The time in milliseconds since 1970, by the second while something is counted down. */
export function useSeconds(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
