// Emails on their way to a real SMTP server, and what is made of its answers.
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { inLine, writeLetter, type Letter } from '../../../service/mail/letter.ts'
import type { MailConfig } from '../../../service/mail/settings.ts'
import { openMailTransport, outcomeOf, type OutgoingMail } from '../../../service/mail/transport.ts'
import { certificate } from '../../support/certificates.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { startSmtpServer } from '../../support/servers/smtp-server.ts'

const letter: Letter = {
  subject: 'Einladung von Jürgen Möß\r\nBcc: eve@evil.example',
  paragraphs: ['Jürgen <b>Möß</b>\r\nBcc: eve@evil.example has invited you & others.'],
  action: { label: 'Accept "it"', url: 'https://workspace.example/settings/invitation#abc' },
  footnotes: ['The link works once.'],
}
const mail: OutgoingMail = { id: 'mail-1', to: 'grace@example.com', ...writeLetter(letter) }
const brief = { connectMs: 5_000, greetingMs: 300, idleMs: 300, attemptMs: 5_000 }
const patient = { ...brief, greetingMs: 5_000, idleMs: 5_000 }

function transportTo(config: MailConfig, timeouts?: Parameters<typeof openMailTransport>[1]) {
  const transport = openMailTransport(config, timeouts)
  onTestFinished(transport.close)
  return transport
}

describe.skipIf(lacksForeign)('an SMTP server', () => {
  test('gets the email as text and HTML; a name with umlauts stays, and one with line breaks adds no header', async () => {
    await using server = await startSmtpServer()

    expect(await transportTo(server.config).send(mail)).toEqual({ kind: 'sent' })

    const [received] = server.mails
    const headers = received?.raw.slice(0, received.raw.indexOf('\r\n\r\n')) ?? ''
    expect(received).toMatchObject({
      from: 'no-reply@workspace.example',
      to: ['grace@example.com'],
      subject: 'Einladung von Jürgen Möß Bcc: eve@evil.example',
      messageId: '<mail-1@workspace.example>',
    })
    expect(headers).not.toMatch(/^bcc:/im)
    expect(headers).toMatch(/^auto-submitted: auto-generated/im)
    expect(received?.text).toContain('Jürgen <b>Möß</b>')
    expect(received?.html).toContain('Jürgen &lt;b&gt;Möß&lt;/b&gt;')
    expect(received?.html).toContain('&amp; others')
    for (const body of [received?.text, received?.html]) expect(body).toContain('/settings/invitation#abc')
  })

  test('with STARTTLS and a login gets the email over TLS; without authorities that signed it, nothing', async () => {
    const authority = certificate('Test CA', { ip: '127.0.0.1', isAuthority: true })
    const signed = certificate('smtp', { ip: '127.0.0.1', signedBy: authority })
    const login = { user: 'mailer@example.com', password: 'a:b/c@d' }
    await using server = await startSmtpServer({ certificate: signed, login })
    const trusted = { ...server.config, authorities: authority.cert }

    const wrong = { ...trusted, login: { ...login, password: 'wrong' } }
    expect(await transportTo(server.config).send(mail)).toMatchObject({ kind: 'retry' })
    expect(await transportTo(wrong).send(mail)).toEqual({ kind: 'retry', reason: expect.stringContaining('535') })
    expect(server.mails).toEqual([])
    expect(await transportTo(trusted).send(mail)).toEqual({ kind: 'sent' })
    expect(server.mails).toMatchObject([{ isOverTls: true, user: login.user }])
  })

  test('that speaks TLS from the first byte gets it as well; one without STARTTLS gets nothing where TLS is required', async () => {
    const signed = certificate('smtp', { ip: '127.0.0.1' })
    await using implicit = await startSmtpServer({ certificate: signed, isImplicitTls: true })
    await using plain = await startSmtpServer()

    expect(await transportTo({ ...implicit.config, authorities: signed.cert }).send(mail)).toEqual({ kind: 'sent' })
    expect(await transportTo({ ...plain.config, requiresTls: true }).send(mail)).toMatchObject({ kind: 'retry' })
    expect([implicit.mails.length, plain.begun()]).toEqual([1, 0])
  })

  test.each([
    { at: 'receiver', reply: 450, kind: 'retry' },
    { at: 'receiver', reply: 550, kind: 'refused' },
    { at: 'text', reply: 451, kind: 'retry' },
    { at: 'text', reply: 554, kind: 'refused' },
    { at: 'text', reply: 'die', kind: 'retry' },
    { at: 'text', reply: 'hang', kind: 'retry' },
  ] as const)('that answers $reply to the $at: $kind', async ({ at, reply, kind }) => {
    await using server = await startSmtpServer()
    server.answer(at, reply)

    const outcome = await transportTo(server.config, reply === 'hang' ? brief : patient).send(mail)

    expect(outcome).toMatchObject({ kind })
    expect(JSON.stringify(outcome)).not.toContain('grace')
    server.answer(at, 'accept')
    expect(await transportTo(server.config, patient).send(mail)).toEqual({ kind: 'sent' })
  })

  test('that takes the connection and says nothing, and one that is not there, are tried again later', async () => {
    await using server = await startSmtpServer()
    const held: Socket[] = []
    const silent = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      held.forEach((socket) => socket.destroy())
      silent.close()
    })
    const silentAt = { ...server.config, port: (silent.address() as AddressInfo).port }
    await server[Symbol.asyncDispose]()

    for (const config of [silentAt, server.config])
      expect(await transportTo(config, brief).send(mail)).toMatchObject({ kind: 'retry' })
  })

  test('that sends its answer a byte at a time holds an attempt no longer than an attempt may take', async () => {
    const slow = createServer((socket) => {
      const dripping = setInterval(() => socket.write('2'), 50)
      socket.on('error', () => {}).on('close', () => clearInterval(dripping))
    }).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    onTestFinished(() => void slow.close())
    await using server = await startSmtpServer()
    const config = { ...server.config, port: (slow.address() as AddressInfo).port }

    const patient = { connectMs: 60_000, greetingMs: 60_000, idleMs: 60_000, attemptMs: 500 }
    expect(await transportTo(config, patient).send(mail)).toEqual({ kind: 'retry', reason: expect.any(String) })
  })
})

test('only what is about the email itself is final: a sender or a password that is not taken can be repaired', () => {
  const kinds = [
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 },
    { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 },
    { code: 'ETIMEDOUT', command: 'CONN' },
    { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 },
    { code: 'EENVELOPE', command: 'API' },
    {},
  ].map((error) => outcomeOf(error).kind)

  expect(kinds).toEqual(['retry', 'retry', 'retry', 'refused', 'refused', 'retry'])
})

test('a name within a sentence is one line, without what cannot be seen, and not long', () => {
  expect(inLine(' a\r\n\tb\u202Ec\u2028d ')).toBe('a b c d')
  expect(inLine('🦫'.repeat(100))).toBe(`${'🦫'.repeat(79)}…`)
  expect(inLine('🦫'.repeat(80))).toBe('🦫'.repeat(80))
})
