// A secret that is shown once, of a key or of a webhook, a new one or a rotated one. It is in this component's props
// alone, and gone with them: no store, no address and no cache has it. So it takes the place of the page and the focus,
// and asks before it is left, until the person says that it is stored.
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { announce } from '../ui/announcements.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { Page, Row, Section } from '../ui/page.tsx'
import { useLeaveGuard } from './leaving.tsx'
import css from './secret-once.module.css'

type Props = {
  readonly title: string
  /** What the secret belongs to. */
  readonly name: string
  readonly secret: string
  /** The lines of the file that is downloaded. */
  readonly environment: Readonly<Record<string, string>>
  /** What helps where it is lost. */
  readonly ifLost: string
  readonly done: string
  onDone(): void
  readonly children: ReactNode
}

export function SecretOnce({ title, name, secret, environment, ifLost, done, onDone, children }: Props): ReactNode {
  const [isStored, setStored] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // It comes in place of a long form or of a page that was scrolled.
  useEffect(() => {
    scrollTo(0, 0)
    box.current?.focus()
    announce(`The secret of “${name}” is shown only once`)
  }, [name])
  useLeaveGuard(
    {
      title: 'Leave without storing the secret?',
      text: `The secret of “${name}” cannot be shown again. ${ifLost}`,
      leave: 'Leave page',
    },
    () => !isStored,
  )
  return (
    <Page isNarrow title={title} about={`The secret of “${name}” is shown only once. Store it in a safe place now.`}>
      <div ref={box} className={css.secret} role="group" aria-label={`Secret of ${name}`} tabIndex={-1}>
        <code className={css.text} data-secret>
          {secret}
        </code>
        <Row>
          <CopyButton variant="primary" text={secret} what="secret" />
          <Button icon="download" onClick={() => download(environment)}>
            Download .env
          </Button>
        </Row>
      </div>
      {children}
      <Section title="Before you continue">
        <Notice tone="warn" title="The secret cannot be shown again">
          <p>{ifLost}</p>
        </Notice>
        <Checkbox label="I have stored the secret" isChecked={isStored} onChecked={setStored} />
        <Row>
          <Button variant="primary" disabled={!isStored} onClick={onDone}>
            {done}
          </Button>
        </Row>
      </Section>
    </Page>
  )
}

function download(environment: Props['environment']): void {
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`)
  const url = URL.createObjectURL(new Blob(lines, { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: '.env' }).click()
  URL.revokeObjectURL(url)
}
