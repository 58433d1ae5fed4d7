// What the settings of email take, and what they make of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { publicUrl } from '#runtime/shared-settings.ts'
import { readSettings, SettingsError } from '#runtime/settings.ts'
import { mailConfigIn, mailContradictions, mailSettings } from '../../../service/mail/settings.ts'
import { certificate } from '../../support/certificates.ts'

const complete = {
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'Workspace <no-reply@example.com>',
  PUBLIC_URL: 'https://api.example.com',
}
const read = (env: Record<string, string>) =>
  mailConfigIn(readSettings({ ...mailSettings, publicUrl }, env, mailContradictions))

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}

test('without SMTP_URL no email is sent; with it the port and TLS follow from the scheme', () => {
  const ofUrl = (url: string) => read({ ...complete, SMTP_URL: url })

  expect(read({})).toBeNull()
  expect(read(complete)).toEqual({
    ...{ host: 'mail.example.com', port: 587, isImplicitTls: false, requiresTls: true, authorities: null, login: null },
    from: { name: 'Workspace', address: 'no-reply@example.com' },
    publicUrl: 'https://api.example.com',
  })
  expect(ofUrl('smtps://me%40example.com:p%2Fw@mail.example.com')).toMatchObject({
    ...{ port: 465, isImplicitTls: true },
    login: { user: 'me@example.com', password: 'p/w' },
  })
  expect(ofUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2_525, requiresTls: false })
})

test('TLS is required, but on this machine or where plain text is allowed; authorities require it everywhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'ca.pem')
  const { cert } = certificate('ca', { ip: '127.0.0.1' })
  writeFileSync(file, cert)
  const local = 'smtp://localhost:25'

  expect(read({ ...complete, SMTP_URL: local })?.requiresTls).toBe(false)
  expect(read({ ...complete, SMTP_ALLOW_PLAINTEXT: 'true' })?.requiresTls).toBe(false)
  expect(read({ ...complete, SMTP_URL: `${local}?cacertfile=${file}` })).toMatchObject({
    requiresTls: true,
    authorities: cert,
  })
  expect(() => read({ ...complete, SMTP_URL: `${local}?cacertfile=${file}x` })).toThrow('cacertfile of SMTP_URL')
})

test('what is wrong is named, and nothing of a password is repeated', () => {
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL } = complete

  expect(mistakesOf({ SMTP_URL })).toEqual([
    'MAIL_FROM is missing: SMTP_URL needs it.',
    'PUBLIC_URL is missing: the links in emails begin with it.',
  ])
  expect(mistakesOf({ MAIL_FROM, PUBLIC_URL })).toEqual(['MAIL_FROM is given without SMTP_URL.'])
  expect(mistakesOf({ SMTP_ALLOW_PLAINTEXT: 'true' })).toEqual(['SMTP_ALLOW_PLAINTEXT is given without SMTP_URL.'])
  for (const from of ['Workspace', 'a@b <c@d>>', 'x\r\nBcc: <eve@evil.example>', 'a@b, c@d', 'a b@c'])
    expect(mistakesOf({ ...complete, MAIL_FROM: from })).toEqual([expect.stringContaining('MAIL_FROM must be')])
  for (const url of ['http://x', 'smtp://', 'smtp://u:hunter2@h/path', 'smtp://u:hunter2@h?pool=1', 'smtp://u:%zz@h']) {
    const [mistake = ''] = mistakesOf({ ...complete, SMTP_URL: url })
    expect(mistake).toContain('SMTP_URL must be')
    expect(mistake).not.toContain('hunter2')
  }
})
