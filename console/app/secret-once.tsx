// A secret that is shown once, of a key, a webhook or an account, a new one or a rotated one. It is in this component's
// props alone, and gone with them: no store, no address and no cache has it. So it takes the place of the page and the
// focus, and asks before it is left, until the person says that it is stored.
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { announce } from '../ui/announcements.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/failure-notice.tsx'
import { Page, Row, Section } from '../ui/page.tsx'
import { useLeaveGuard } from './leaving.tsx'
import css from './secret-once.module.css'

export type SecretFile = { readonly name: string; readonly text: string }
type Props = {
  readonly title: string
  /** What the secret belongs to. */
  readonly name: string
  readonly secret: string
  readonly what?: 'secret' | 'recovery codes'
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
  what = 'secret',
  secret,
  file,
  ifLost,
  done,
  onDone,
  children,
}: Props): ReactNode {
  const areOf = `The ${what} of “${name}” ${what === 'secret' ? 'is' : 'are'} shown only once`
  const [isStored, setStored] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // It comes in place of a long form or of a page that was scrolled.
  useEffect(() => {
    scrollTo(0, 0)
    box.current?.focus()
    announce(areOf)
  }, [areOf])
  useLeaveGuard(
    {
      title: `Leave without storing the ${what}?`,
      text: `The ${what} of “${name}” cannot be shown again. ${ifLost}`,
      leave: 'Leave page',
    },
    () => !isStored,
  )
  return (
    <Page isNarrow title={title} about={`${areOf}. Store ${what === 'secret' ? 'it' : 'them'} in a safe place now.`}>
      <div
        ref={box}
        className={css.secret}
        role="group"
        aria-label={`${what === 'secret' ? 'Secret' : 'Recovery codes'} of ${name}`}
        tabIndex={-1}
      >
        <code className={css.text} data-secret>
          {secret}
        </code>
        <Row>
          <CopyButton variant="primary" text={secret} what={what} />
          <Button icon="download" onClick={() => download(file)}>
            {`Download ${file.name}`}
          </Button>
        </Row>
      </div>
      {children}
      <Section title="Before you continue">
        <Notice tone="warn" title={`The ${what} cannot be shown again`}>
          <p>{ifLost}</p>
        </Notice>
        <Checkbox label={`I have stored the ${what}`} isChecked={isStored} onChecked={setStored} />
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

function download({ name, text }: SecretFile): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
