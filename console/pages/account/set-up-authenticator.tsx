// The setup of an authenticator app: a QR code to scan, or its key as text, and a code of the app that proves it.
import { input } from 'virtual:input/second-factors.enable-authenticator'
import type { ReactNode } from 'react'
import { call } from '../../app/call.ts'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import { CodeField } from '../../app/second-step.tsx'
import { useForm } from '../../app/use-form.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Form } from '../../ui/form.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { QrCode } from './qr-code.tsx'
import css from './two-factor.module.css'
import { texts } from './texts.ts'

export type AuthenticatorSetup = Output<OperationNamed<'second-factors.begin-authenticator'>>

export function SetUpAuthenticator({
  setup: { setup, secret, url },
  onEnabled,
  onCancel,
}: {
  readonly setup: AuthenticatorSetup
  /** Recovery codes come with the first second factor. */
  readonly onEnabled: (recoveryCodes: readonly string[] | null) => void
  readonly onCancel: () => void
}): ReactNode {
  const form = useForm({
    initial: { setup, code: '' },
    schema: input,
    isKept: false,
    send: async (values) => onEnabled((await call('second-factors.enable-authenticator', values)).recoveryCodes),
  })
  return (
    <Stack>
      <p>{texts.scanTheQrCodeWith}</p>
      <QrCode text={url} label={texts.qrCodeForTheAuthenticator} />
      <p>{texts.ifYouCannotScanIt}</p>
      <Row>
        <code className={css.key} data-secret>
          {inGroups(secret)}
        </code>
        <CopyButton text={secret} what={texts.key} />
      </Row>
      <Form form={form} submit={texts.turnOn} onCancel={onCancel}>
        <CodeField {...form.field('code')} isFocused={false} />
      </Form>
    </Stack>
  )
}

/** As it is typed: four letters at a time. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
