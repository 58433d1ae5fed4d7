// An SMTP server from npm, on loopback, and what it was sent, as another package reads it. A test says how it answers
// each email.
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import type { MailConfig } from '../../../service/mail/settings.ts'
import { eventually } from '../eventually.ts'
import { foreign } from '../foreign.ts'
import type { Certificate } from '../certificates.ts'

const { SMTPServer } = await foreign(() => import('smtp-server'))
const { default: PostalMime } = await foreign(() => import('postal-mime'))

export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly messageId: string
  readonly isOverTls: boolean
  readonly user: string | null
  /** As it came, with its headers. */
  readonly raw: string
}
/** An answer code, or what it does instead of an answer. `hold`: it takes the email, and answers when released. */
type Reply = number | 'accept' | 'hold' | 'hang' | 'die'
type Options = {
  /** Offers STARTTLS, or speaks TLS from the first byte. */
  readonly certificate?: Certificate
  readonly isImplicitTls?: boolean
  readonly login?: { readonly user: string; readonly password: string }
}
export type TestSmtpServer = AsyncDisposable & {
  readonly port: number
  readonly config: MailConfig
  readonly mails: readonly ReceivedMail[]
  /** How many emails were begun, whatever became of them. */
  readonly begun: () => number
  /** How it answers from now on: to the receiver, or once it has the text. */
  readonly answer: (at: 'receiver' | 'text', reply: Reply) => void
  /** Answers all that is held so far. */
  readonly release: () => void
  /** Resolves to the mail to this address with this number, from 1. */
  readonly mailTo: (address: string, number?: number) => Promise<ReceivedMail>
}

export async function startSmtpServer({
  certificate,
  isImplicitTls = false,
  login,
}: Options = {}): Promise<TestSmtpServer> {
  const replies: Record<'receiver' | 'text', Reply> = { receiver: 'accept', text: 'accept' }
  const mails: ReceivedMail[] = []
  const held: (() => void)[] = []
  let begun = 0
  const refusal = (code: number) => Object.assign(new Error('Not now, says the test'), { responseCode: code })
  function reply(at: 'receiver' | 'text', done: (error?: Error | null) => void): void {
    const chosen = replies[at]
    if (chosen === 'accept') done()
    else if (chosen === 'hold') held.push(done)
    else if (chosen === 'die') killAll()
    else if (chosen !== 'hang') done(refusal(chosen))
  }
  const server = new SMTPServer({
    secure: isImplicitTls,
    ...(certificate !== undefined && { key: certificate.key, cert: certificate.cert }),
    disabledCommands: [...(certificate === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    authOptional: login === undefined,
    closeTimeout: 100,
    logger: false,
    onAuth: ({ username, password }, _session, done) => {
      if (username === login?.user && password === login?.password) done(null, { user: username })
      else done(refusal(535))
    },
    onMailFrom: (_address, _session, done) => {
      begun += 1
      done()
    },
    onRcptTo: (_address, _session, done) => reply('receiver', done),
    onData: (stream, session, done) => {
      void text(stream).then(async (raw) => {
        if (replies.text === 'accept' || replies.text === 'hold') {
          const { subject = '', text: plain = '', html = '', messageId = '' } = await PostalMime.parse(raw)
          const { mailFrom, rcptTo } = session.envelope
          mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            ...{ subject, text: plain, html, messageId, raw },
            isOverTls: session.secure,
            user: typeof session.user === 'string' ? session.user : null,
          })
        }
        reply('text', done)
      })
    },
  })
  const killAll = (): void => {
    for (const connection of server.connections) connection._socket.destroy()
  }
  server.on('error', () => {})
  const listening: Server = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const mailsTo = (address: string) => mails.filter(({ to }) => to.includes(address))
  return {
    port,
    config: {
      ...{ host: '127.0.0.1', port, isImplicitTls, requiresTls: certificate !== undefined },
      authorities: null,
      login: login ?? null,
      from: { name: 'Workspace', address: 'no-reply@workspace.example' },
      publicUrl: 'https://workspace.example',
    },
    mails,
    begun: () => begun,
    answer: (at, given) => void (replies[at] = given),
    release: () => held.splice(0).forEach((done) => done()),
    mailTo: (address, number = 1) => eventually(() => mailsTo(address)[number - 1], `email ${number} to ${address}`),
    [Symbol.asyncDispose]: async () => {
      killAll()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}

/** The token of the link in an email to this page, which stands in its text and its HTML alike. */
export function tokenIn({ text: plain, html }: ReceivedMail, page: string): string {
  const [plainToken, htmlToken] = [plain, html].map((body) => new RegExp(`${page}#([\\w-]+)`).exec(body)?.[1])
  if (plainToken === undefined || plainToken !== htmlToken) throw new Error(`No link to ${page} in the email`)
  return plainToken
}
