// A secret that is shown once, of a key, a webhook or an account, a new one or a rotated one. It is in this component's
// props alone, and gone with them: no store, no address and no cache has it. So it takes the place of the page and the
// focus, and asks before it is left, until the person says that it is stored.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { Page, Row, Section } from '../ui/page.tsx'
import { download } from './download.ts'
import { useLeaveGuard } from './leaving.tsx'
import css from './secret-once.module.css'
import { texts } from './texts.tsx'

export type SecretFile = { readonly name: string; readonly text: string }
type Props = {
  readonly title: string
  /** What the secret belongs to. */
  readonly name: string
  readonly secret: string
  readonly kind?: 'secret' | 'recovery codes'
  /** What is downloaded. */
  readonly file: SecretFile
  /** What helps where it is lost. */
  readonly ifLost: string
  readonly done: string
  onDone(): void
  readonly children: ReactNode
}

export function SecretOnce({
  title,
  name,
  kind: what = 'secret',
  secret,
  file,
  ifLost,
  done,
  onDone,
  children,
}: Props): ReactNode {
  const areOf = texts.shownOnlyOnce(what, name)
  const [isStored, setStored] = useState(false)
  const about = useId()
  const box = useRef<HTMLDivElement>(null)
  // It comes in place of a long form or of a page that was scrolled.
  useEffect(() => {
    scrollTo(0, 0)
    box.current?.focus()
  }, [])
  useLeaveGuard(
    {
      title: texts.leaveWithoutStoringIt(what),
      text: texts.cannotBeShownAgain(what, name, ifLost),
      leave: texts.leavePage,
    },
    () => !isStored,
  )
  return (
    <Page isNarrow title={title} about={<span id={about}>{texts.storeInASafePlace(areOf, what)}</span>}>
      <div
        ref={box}
        className={css.secret}
        role="group"
        aria-label={texts.secretOf(what, name)}
        aria-describedby={about}
        tabIndex={-1}
      >
        <code className={css.text} data-secret>
          {secret}
        </code>
        <Row>
          <CopyButton variant="primary" text={secret} what={what} />
          <Button icon="download" onClick={() => download(file.name, file.text, 'text/plain')}>
            {texts.download(file.name)}
          </Button>
        </Row>
      </div>
      {children}
      <Section title={texts.beforeYouContinue}>
        <Notice tone="warn" title={texts.cannotBeShownAgainTitle(what)}>
          <p>{ifLost}</p>
        </Notice>
        <Checkbox label={texts.iHaveStoredIt(what)} isChecked={isStored} onChecked={setStored} />
        <Done isStored={isStored} onDone={onDone} text={done} />
      </Section>
    </Page>
  )
}

const Done = ({ isStored, onDone, text }: { readonly isStored: boolean; onDone(): void; readonly text: string }) => (
  <Row>
    <Button variant="primary" disabled={!isStored} onClick={onDone}>
      {text}
    </Button>
  </Row>
)

/** A file of environment variables. */
export const environmentFile = (variables: Readonly<Record<string, string>>): SecretFile => ({
  name: '.env',
  text: Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
})
